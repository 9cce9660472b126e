#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt {

/// What the diagonal Hodge star of a lattice's faces is made of; nullptr: 1 everywhere.
///   open      A_f, the part of a face that solids leave open
///   liquid    signed distance to the liquid's surface at cell centres, negative inside, one layer of halo: a cut dual
///             edge counts with theta_f, the part of it inside; a face in the air does not count
///   porosity  n_f, the part of a face's area that pores leave to the fluid
///   density   rho_f > 0
struct StarParts {
  const MacField<float>* open = nullptr;
  const Field<float>* liquid = nullptr;
  const MacField<float>* porosity = nullptr;
  const MacField<float>* density = nullptr;
};

/// A surface this close to a cell's centre, in cells, counts as this far: a pressure drop over a shorter way would
/// swamp the system.
inline constexpr float least_theta = 0.01f;

/// w_f = A_f n_f / (theta_f rho_f) on the domain's faces, halos filled: the weights of the Laplacian d^T * d in units
/// of a face's area over a cell's width. The ghost value beyond a surface is -(1 - theta)/theta p, so the gradient
/// across the cut edge is p / (theta h): the star's entry, not its neighbour, carries the surface.
void hodge_star(const Exec& exec, const Domain& domain, const StarParts& parts, MacField<float>& out);

/// out = 1 in cells of air, where the pressure is held at zero; 0 in liquid.
void cells_of_air(const Exec& exec, const Domain& domain, const Field<float>& liquid, Field<unsigned char>& out);

}  // namespace silt
