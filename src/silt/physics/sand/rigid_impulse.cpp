#include "silt/physics/sand/rigid_impulse.h"

#include <utility>

#include "silt/core/loops.h"
#include "silt/core/reduction.h"
#include "silt/fields/nearest_solid.h"
#include "silt/physics/sand/mass_round.h"
#include "silt/physics/sand/solid_area.h"

namespace silt {
namespace {

struct Felt {
  int solid;
  NearestSolid nearest;
  SolidArea area;
  MacView<const float> rubbed;
  View<const unsigned char> air, rigid;

  /// A face is rubbed by what the cell beside it lies against that has sand, the upper one first.
  SILT_HD Cell beside(int axis, Cell face) const { return air(face) ? face - unit(axis) : face; }
  SILT_HD bool held(int axis, Cell face) const { return rigid(face) | rigid(face - unit(axis)); }
  SILT_HD bool rubs(int axis, Cell face) const {
    return rubbed[axis](face) != 0 && nearest(beside(axis, face)) == solid;
  }
};

struct FlowImpulse {
  Felt felt;
  View<const float> pressed;
  MacView<const float> along, mass;

  /// Pressure is that of all that the cell touches: shared by area.
  SILT_HD void press(Cell c, Several<3>& out) const {
    const Vec3f s = felt.area(c);
    const float size = length(s);
    if (!(size > 0) || felt.air(c) || felt.nearest(c) != felt.solid) return;
    float of_walls = 0;
    for (int a = 0; a < felt.area.dims; ++a)
      for (int end = 0; end < 2; ++end) of_walls += felt.area.walls.beside(a, end, c) ? 1.0f : 0.0f;
    const double push = pressed(c) / (size + of_walls);
    for (int a = 0; a < felt.area.dims; ++a) {
      out[a] -= push * s[a];
      if (felt.rigid(c)) continue;
      const double stretched = along[a](c);
      if (!felt.area.walls.beside(a, 0, c) && !(felt.area.open[a](c) > 0)) out[a] += stretched;
      if (!felt.area.walls.beside(a, 1, c) && !(felt.area.open[a](c + unit(a)) > 0)) out[a] -= stretched;
    }
  }
  SILT_HD Several<3> operator()(Cell c) const {
    Several<3> out{};
    press(c, out);
    for (int a = 0; a < felt.area.dims; ++a) {
      if (felt.held(a, c) || !felt.rubs(a, c)) continue;
      const float m = mass[a](c) > least_mass ? mass[a](c) : least_mass;
      out[a] -= m * felt.rubbed[a](c);
    }
    return out;
  }
};

struct RigidRub {
  Felt felt;
  int axis;
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    const bool counts = felt.held(axis, c) && felt.rubs(axis, c);
    out(c) = counts ? felt.rubbed[axis](c) : 0.0f;
  }
};

Felt felt_by(const Exec& exec, const Domain& domain, const FeltSand& sand, int solid) {
  return {solid,
          nearest_solid(exec, domain, sand.cut),
          solid_area(exec, domain, sand.cut),
          sand.rubbed.read(exec),
          sand.air.read(exec),
          sand.stress.rigid.read(exec)};
}

}  // namespace

Vec3d flow_impulse(const Exec& exec, const Domain& domain, const FeltSand& sand, int solid) {
  const FlowImpulse kernel{felt_by(exec, domain, sand, solid), sand.pressed.read(exec), sand.stress.along.read(exec),
                           sand.mass.read(exec)};
  const Several<3> sums = reduce<Each<Sum, Sum, Sum>>(exec, "sand.flow_impulse", domain.cells, kernel);
  return {sums[0], sums[1], sums[2]};
}

void rigid_rub(const Exec& exec, const Domain& domain, const FeltSand& sand, int solid, MacField<float>& out) {
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "sand.rigid_rub", domain.faces(a),
                  RigidRub{felt_by(exec, domain, sand, solid), a, out[a].update(exec)});
}

}  // namespace silt
