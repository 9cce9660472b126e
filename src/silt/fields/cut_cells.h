#pragma once

#include <vector>

#include "silt/fields/domain.h"
#include "silt/fields/field.h"
#include "silt/geometry/motion.h"
#include "silt/geometry/shape.h"

namespace silt {

/// A solid at some instant.
struct PlacedShape {
  Shape shape;             ///< where it is now
  RigidVelocity velocity;  ///< besides that of a surface that deforms
  double grip = 0;         ///< 1: fluid sticks to it, 0: it slides along; of sand, a coefficient of friction
  int number = 0;          ///< what CutCells::nearest calls it
};

inline constexpr int solid_reach = 5;  ///< cells from a solid at which distances end

/// A surface that lies on a plane of corners counts as so many cells beyond it, whatever rounding says: the cells
/// behind are solid.
inline constexpr double solid_margin = 1e-5;

/// Solids on the lattice at one instant.
///   distance        signed distance at cell corners [m], negative inside; at most `solid_reach` cells
///   open            fraction A_f of each face that fluid can pass; 0 on walls of the domain
///   grip            at cell corners: that of the nearest solid
///   solid_velocity  that of the solid where each face is, on faces near solids [m/s]
///   displacing      what of that moves its surface [m/s], and so through the closed part of each face; only where a
///   solid
///                   turns, else it is the same
///   inlet           velocity of inlets through the domain's sides [m/s], 0 on other faces
///   growth          what a solid's own growth leaves of that in each cell: the divergence the fluid's flux must have,
///                   (1 - V) div u_solid with V the open part of the cell [1/s]. Rigid solids have none.
struct CutCells {
  Field<float> distance, grip;
  MacField<float> open;
  MacField<float> solid_velocity;
  MacField<float> inlet;  ///< only where it is allocated
  Field<float> growth;    ///< made when a solid deforms
  MacField<float> displacing;
  bool turning = false;  ///< whether `displacing` is that of these solids
  Field<float> nearest;  ///< at cell corners near solids: the number of the nearest; only where it is allocated

  /// What (1 - A) is the weight of in a flux through a face: A u + (1 - A) u_closed.
  const MacField<float>& closed_velocity() const { return turning ? displacing : solid_velocity; }

  CutCells() = default;
  explicit CutCells(const Layout& layout) : distance(layout), grip(layout), open(layout), solid_velocity(layout) {}
};

/// Fills all of it for the union of the solids. Face fractions are exact for straight edges between corners, after
/// [NMG09] Ng, Min & Gibou 2009; fractions under 1e-3 count as closed, or the system's conditioning suffers. A solid
/// from a cell in thickness on lets nothing pass: of a cell that it leaves outside on both sides only one side counts.
/// Halos are filled too. Where only some of the domain's cells are in use, so much of it as belongs to those, and more
/// near solids: two cells from their ends nothing is certain.
void cut_cells(const Exec& exec, const Domain& domain, const std::vector<PlacedShape>& solids, CutCells& out);

/// Of what cut_cells fills, `distance`, `grip` and `nearest` alone.
void solid_distances(const Exec& exec, const Domain& domain, const std::vector<PlacedShape>& solids, CutCells& out);

/// Signed distance to the union of the solids at the centre of every cell [m], at most `solid_reach` cells; packed, x
/// fastest. For showing them: the mean of a cell's corners would make whatever is a few cells thick thinner.
void distance_at_centres(const Exec& exec, const Domain& domain, const std::vector<PlacedShape>& solids,
                         Buffer<float>& out);

/// Makes the part of one side's faces that lies inside `patch` (the whole side without one) an inlet of given velocity:
/// closed for the pressure, with that flux through it.
void open_inlet(const Exec& exec, const Domain& domain, int axis, int end, const Shape* patch, const Vec3d& velocity,
                CutCells& cut);

}  // namespace silt
