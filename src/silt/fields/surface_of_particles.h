#pragma once

#include "silt/fields/field.h"
#include "silt/fields/particle_sort.h"

namespace silt {

/// How a liquid's surface lies round its particles; lengths in cells.
struct SurfaceOptions {
  /// Of a particle by itself, and nearly from the outermost particles to the surface: those half a cell below a surface
  /// then give it back where it was, on average (xbar lies a little deeper than they do).
  double radius = 0.55;
  double alone = 0.3;   ///< radius of a particle that has no others near it: a ball of the volume that it stands for
  double reach = 1.5;   ///< R, of the neighbourhood that is looked at; at most 1.5. Less of it makes a bumpier surface
  bool concave = true;  ///< correct the field where the surface is concave
  /// How far the surface may lie outside of where half of the room is full; in 2D, where fewer particles tell that, 1.9
  /// times as far. Without an end, sheets and spray that are thinner than cells have a surface too.
  double slack = 0.12;
};

/// The level set of the liquid that particles stand for, at cell centres [m]:
///   phi(x) = |x - xbar| - r f,   xbar = sum_i w_i x_i,   w_i = k(|x - x_i| / R) / sum_j k,   k(s) = max(0, (1 -
///   s^2)^3)
/// an isolated particle has the distance of its ball, and a flat layer of them a flat surface [ZB05, 4.2]. Where
/// there are but few particles, r is nearer to `alone`: or spray would be several times as much as it is. Between
/// particles on both sides of a hollow xbar jumps, and where it does r shrinks, by a factor f of the largest eigenvalue
/// of grad xbar, or blobs would appear there [SSP07].
///
/// Where things are is not how much there is: spray that fills a third of the room has xbar near x everywhere, as
/// liquid has. W, sum_i k over what it is in liquid, is 1/2 on a flat surface and falls by 1 in a length l across it,
/// so
///   phi(x) = max(|x - xbar| - r f,  l (1/2 - W) - slack)
/// leaves surfaces as smooth as the first is, and not much farther out than the particles can fill.
///
/// Where no particle is in reach phi is R - r, and cells with enough of them on all sides have -r: it is a level set
/// near the surface alone (fields/redistance.h makes it a distance). At sides that are not periodic, particles count as
/// if they were mirrored there.
///
/// The particles must have been sorted. The same bits for any number of threads.
///   [ZB05] Zhu & Bridson 2005, Animating sand as a fluid
///   [SSP07] Solenthaler, Schlaefli & Pajarola 2007, A unified particle model for fluid-solid interactions
void surface_of_particles(const Exec& exec, const Domain& domain, const Particles& particles, const CellRanges& ranges,
                          const SurfaceOptions& options, Field<float>& phi);

}  // namespace silt
