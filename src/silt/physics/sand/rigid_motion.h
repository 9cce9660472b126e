#pragma once

#include <array>
#include <vector>

#include "silt/physics/sand/rigid_groups.h"

namespace silt {

/// u(x) = velocity + spin x (x - origin), the origin being the centre of the group's first cell. Lengths are in cells:
/// the spin is in m/s a cell.
struct RigidMotion {
  Vec3d velocity{}, spin{};
};
/// What acts on a group, or what it has of momentum, about the same origin.
struct RigidPush {
  Vec3d force{}, torque{};
};
inline double dot(const RigidPush& p, const RigidMotion& m) {
  return dot(p.force, m.velocity) + dot(p.torque, m.spin);
}

/// Rigid motions of groups of cells on a staggered grid: (2.6) and (2.7) of [ZB05], faces for cells,
///   sum m u e_a = sum m U_a e_a,   sum m u (r x e_a) = sum m U_a (r x e_a),   U = v + w x r,
/// over all faces of a group, a the axis that a face lies across. A system of six for each group, three in 2D: masses,
/// first moments and the whole inertia of its faces, each where it is. Of all rigid motions U is the nearest to u in
/// kinetic energy.
class RigidMotions {
 public:
  /// Of the groups as they are; `mass`: of faces; `star`: not 0 on faces of sand, which alone count. All of these must
  /// stay where they are while it is used.
  void prepare(const Exec& exec, const Domain& domain, const RigidGroups& groups, const Field<unsigned char>& rigid,
               const MacField<float>& star, const MacField<float>& mass);

  /// Momenta of a velocity.
  std::vector<RigidPush> momenta(const Exec& exec, const MacField<float>& velocity);
  /// Of impulses on faces.
  std::vector<RigidPush> pushes(const Exec& exec, const MacField<float>& impulse);
  /// The motion that has such momenta, or that such pushes give.
  RigidMotion motion(int group, const RigidPush& push) const;
  /// velocity = part velocity + motion, on the faces of each group.
  void write(const Exec& exec, const std::vector<RigidMotion>& motions, const std::vector<float>& parts,
             MacField<float>& velocity);

 private:
  using Vector = std::array<double, 6>;  ///< of velocity, then spin
  using Matrix = std::array<Vector, 6>;

  std::vector<RigidPush> add_up(const Exec& exec, const MacField<float>& values, bool weighed);

  const RigidGroups* groups_ = nullptr;
  const Field<unsigned char>* rigid_ = nullptr;
  const MacField<float>*star_ = nullptr, *mass_ = nullptr;
  Domain domain_;
  std::vector<Matrix> factors_;  ///< of each group: L below the diagonal, 1 / D on it or 0 where nothing resists
  Buffer<double> sums_;          ///< of each run
  Buffer<RigidMotion> motions_;
  Buffer<float> parts_;
};

}  // namespace silt
