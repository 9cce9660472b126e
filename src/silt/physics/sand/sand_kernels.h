#pragma once

#include <vector>

#include "silt/fields/domain.h"
#include "silt/fields/field.h"
#include "silt/physics/sand/grain_faces.h"
#include "silt/physics/sand/packing.h"

/// Loops over cells and faces that only sand needs.
namespace silt {

/// What sand of one kind can hold: tan(phi), and cohesion and tension over density and cell size, times the step [m/s].
/// Where it is sheared at a rate g under a pressure p, friction is tan(phi) + rise I / (I + I_0), I = g d / sqrt(p /
/// rho_grains) [JFP06]. With velocities' differences over a cell for g, and pressures as the solver has them, I / I_0
/// is `slowness` times their quotient [sqrt(s/m)].
struct SandKind {
  float friction = 0, cohesion = 0, tension = 0, rise = 0, slowness = 0;
  bool operator==(const SandKind&) const = default;
};
/// By the `source` of particles; the last is also that of sources beyond.
using SandKinds = std::vector<SandKind>;

/// What friction rises with: the rate of shear, that of `velocity` on faces which have a `weight`, over the root of the
/// pressure of the last step.
struct Shearing {
  const MacField<float>&velocity, &weight;  ///< [m/s]
  const Field<double>& pressure;            ///< [m/s]
  double least;                             ///< pressure [m/s]
};

/// Friction of cells of which so much is taken up that grains bear against each other, or any where they lie on
/// something: the mean of the particles'. Cohesion fades where it is loose, or near-empty cells would be a glue.
void find_grains(const Exec& exec, const Domain& domain, const Particles& particles, const CellRanges& ranges,
                 const Packing& packing, const SandKinds& kinds, const Shearing& shearing, GrainFields& out);

/// The most cells with grains, those of which `friction` is more than 0, in one line of cells along an axis.
double longest_line(const Exec& exec, const Domain& domain, int axis, const Field<float>& friction);

/// rhs = a part of what is too full.
void find_crowds(const Exec& exec, const Domain& domain, const Field<float>& fullness, const Field<float>& capacity,
                 Field<double>& rhs);

/// How particles are moved: velocity - (q_i - q_{i-1}) scale on faces that are open; within limits.
void moving_sand(const Exec& exec, const Domain& domain, const MacField<float>& velocity, const Field<double>& q,
                 double scale, const CutCells& cut, MacField<float>& out);

/// Of sand that flows as a liquid: masses of faces, of a full cell's, those of particles whose share falls beyond a
/// wall included; faces of sand move, and those beside which there are particles. Not so slits, faces of which solids
/// leave less than a fifth open: what little is pressed through them is fast, and says nothing of the sand beside. They
/// are taken out of the star, too.
void find_flow_faces(const Exec& exec, const Domain& domain, const CutCells& cut, const Field<float>& part,
                     const MacField<float>& weight, MacField<float>& star, GrainFields& out);

/// Sand too loose to bear, packed to less than 0.8, is outside of a level set of it: it falls, and what lies round it
/// falls into it, until it is packed. Without that a hollow would stay one, for a liquid cannot be squeezed.
void leave_out_loose(const Exec& exec, const Domain& domain, const Packing& packing, Field<float>& phi);

/// Particles beside a wall have a share of their momentum beyond it, where particles_to_grid leaves it: it belongs to
/// the faces beside the wall, as their mass does (MassRound), and counts in their mean velocity.
void take_beyond_walls(const Exec& exec, const Domain& domain, const MacField<float>& mass, MacField<float>& velocity);
/// A layer beyond periodic sides becomes what is at the other end; what has fallen beyond walls stays (see MassRound).
void wrap_beside_walls(const Exec& exec, const Domain& domain, MacField<float>& faces);
/// Marks of cells go round periodic sides; beyond the others there are none.
void wrap_marks(const Exec& exec, const Domain& domain, Field<unsigned char>& marks);

}  // namespace silt
