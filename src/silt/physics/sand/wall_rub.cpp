#include "silt/physics/sand/wall_rub.h"

#include <cmath>
#include <utility>

#include "silt/core/loops.h"
#include "silt/fields/wrap.h"
#include "silt/physics/sand/mass_round.h"
#include "silt/physics/sand/solid_area.h"

namespace silt {
namespace {

constexpr float least_area = 1e-3f;  // of a face

struct FindWallBounds {
  SolidArea area;
  bool solids;
  Int3 active;
  float inv_h, rub[3][2];
  MacView<const float> u, kick, star, solid;
  View<const float> distance, grip, friction, cohesion;
  View<const double> pressure;
  View<const unsigned char> air;
  MacView<float> walls;
  View<float> of_solids, pressed;

  /// How hard something pushes, and the most that it rubs with.
  struct Pushed {
    float by = 0, bound = 0;
  };
  SILT_HD Pushed pushed(Cell c, float mu, float p) const {
    const float of_wall = mu * p, of_sand = p * friction(c) + cohesion(c);
    return p > 0 ? Pushed{p, of_wall < of_sand ? of_wall : of_sand} : Pushed{};
  }
  /// What a face of sand had before the pressure acted; 0 on others.
  SILT_HD float before(int a, Cell c) const { return star[a](c) > 0 ? u[a](c) - kick[a](c) : 0.0f; }

  SILT_HD Pushed of_walls(int a, Cell c) const {
    Pushed sum;
    for (int end = 0; end < 2; ++end) {
      if (!area.walls.beside(a, end, c)) continue;
      const float into = end == 0 ? -before(a, c + unit(a)) : before(a, c);
      const Pushed wall = pushed(c, rub[a][end], float(pressure(c)) + (into > 0 ? 0.5f * into : 0.0f));
      sum.by += wall.by, sum.bound += wall.bound;
    }
    return sum;
  }
  SILT_HD Pushed of_solid(Cell c) const {
    const Vec3f s = area(c);
    const float size = length(s);
    if (!(size > least_area)) return {};
    float at_centre = 0, mu = 0, into = 0;
    for (int z = 0; z < 2; ++z)
      for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 2; ++x) {
          const Cell corner = c + Int3{x, y, z} * active;
          at_centre += 0.125f * distance(corner), mu += 0.125f * grip(corner);
        }
    for (int a = 0; a < area.dims; ++a) {
      const Cell up = c + unit(a);
      const float low = star[a](c) > 0 ? 1.0f : 0.0f, high = star[a](up) > 0 ? 1.0f : 0.0f;
      if (low + high > 0)
        into -= s[a] / size * ((before(a, c) + before(a, up) - low * solid[a](c) - high * solid[a](up)) / (low + high));
    }
    float depth = at_centre * inv_h;
    depth = depth < 0 ? 0 : depth > 1 ? 1 : depth;
    const Pushed out = pushed(c, mu, float(pressure(c)) + (into > 0 ? depth * into : 0.0f));
    return {size * out.by, size * out.bound};
  }
  SILT_HD void operator()(Cell c) const {
    const bool sand = !air(c) && friction(c) > 0;
    float by = 0;
    for (int a = 0; a < area.dims; ++a) {
      const Pushed wall = sand ? of_walls(a, c) : Pushed{};
      walls[a](c) = wall.bound, by += wall.by;
    }
    if (solids) {
      const Pushed solid = sand ? of_solid(c) : Pushed{};
      of_solids(c) = solid.bound, by += solid.by;
    }
    pressed(c) = by;
  }
};

struct RubFace {
  SolidArea area;
  int axis;
  bool solids;
  Vec3f wall_velocities[3][2];  ///< along each wall
  MacView<const float> u, star, solid, walls;
  View<const float> mass, of_solids;
  View<const unsigned char> air, rigid;
  View<float> impulse, slip;

  /// A component at this face: the mean of those faces of sand that are next to it.
  SILT_HD float at_face(const MacView<const float>& field, int b, Cell c) const {
    if (b == axis) return field[b](c);
    float sum = 0, count = 0;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        const Cell at = c - unit(axis) * i + unit(b) * j;
        const float has = star[b](at) > 0 ? 1.0f : 0.0f;
        sum += has * field[b](at), count += has;
      }
    return count > 0 ? sum / count : 0.0f;
  }

  struct Contact {
    float bound;
    Vec3f slides;  ///< along the wall, relative to it
  };
  SILT_HD Contact wall(int b, Cell c, float bound) const {
    const int end = area.walls.beside(b, 0, c) ? 0 : 1;
    Vec3f slides{};
    for (int a = 0; a < area.dims; ++a)
      if (a != b) slides[a] = at_face(u, a, c) - wall_velocities[b][end][a];
    return {bound, slides};
  }
  SILT_HD Contact surface(Cell c, float bound) const {
    const Vec3f n = normalized(area(c) + area(c - unit(axis)));
    Vec3f slides{};
    for (int a = 0; a < area.dims; ++a) slides[a] = at_face(u, a, c) - at_face(solid, a, c);
    return {bound, slides - n * dot(n, slides)};
  }

  SILT_HD void operator()(Cell c) const {
    const Cell back = c - unit(axis);
    const bool low = !air(back), high = !air(c), held = rigid(c) | rigid(back);
    float pushed = 0, worked = 0;
    if (star[axis](c) > 0) {
      const float share = low & high ? 0.5f : 1.0f;
      const float m = mass(c) > least_mass ? mass(c) : least_mass;
      const auto rub = [&](const Contact& contact) {
        const float speed = length(contact.slides);
        if (!(speed > 0)) return;
        const float most = contact.bound / (m * speed), part = held ? most * m : most < 1 ? most : 1.0f;
        pushed -= part * contact.slides[axis];
        worked -= part * contact.slides[axis] * contact.slides[axis];
      };
      for (int b = 0; b < area.dims; ++b) {
        if (b == axis) continue;
        const float bound = share * ((low ? walls[b](back) : 0.0f) + (high ? walls[b](c) : 0.0f));
        if (bound > 0) rub(wall(b, c, bound));
      }
      if (solids) {
        const float bound = share * ((low ? of_solids(back) : 0.0f) + (high ? of_solids(c) : 0.0f));
        if (bound > 0) rub(surface(c, bound));
      }
    }
    impulse(c) = pushed, slip(c) = worked;
  }
};

struct TakeRub {
  int axis;
  View<const unsigned char> rigid;
  View<const float> change;
  View<float> u;
  SILT_HD void operator()(Cell c) const {
    if (!(rigid(c) | rigid(c - unit(axis)))) u(c) += change(c);
  }
};

}  // namespace

void find_wall_bounds(const Exec& exec, const Domain& domain, const FlowingSand& sand, const MacField<float>& kick,
                      const WallFriction& friction, bool solids, WallBounds& out) {
  FindWallBounds kernel{solid_area(exec, domain, sand.cut),
                        solids,
                        domain.lattice.active,
                        float(1 / domain.lattice.h),
                        {},
                        sand.velocity.read(exec),
                        kick.read(exec),
                        sand.star.read(exec),
                        sand.cut.solid_velocity.read(exec),
                        sand.cut.distance.read(exec),
                        sand.cut.grip.read(exec),
                        sand.friction.read(exec),
                        sand.cohesion.read(exec),
                        sand.pressure.read(exec),
                        sand.air.read(exec),
                        out.walls.update(exec),
                        out.solids.update(exec),
                        out.pressed.update(exec)};
  for (int a = 0; a < 3; ++a)
    for (int end = 0; end < 2; ++end) kernel.rub[a][end] = float(friction.sides[a][end]);
  for_each_cell(exec, "sand.wall_bounds", domain.cells, kernel);
  for (int a = 0; a < 3; ++a) wrap_cells(exec, domain, out.walls[a]);
  wrap_cells(exec, domain, out.solids);
}

void rub_walls(const Exec& exec, const Domain& domain, const RubbedFaces& faces, MacField<float>& velocity,
               MacField<float>& impulse, MacField<float>& slip) {
  for (int a = 0; a < 3; ++a) {
    RubFace kernel{solid_area(exec, domain, faces.cut),
                   a,
                   faces.solids,
                   {},
                   std::as_const(velocity).read(exec),
                   faces.star.read(exec),
                   faces.cut.solid_velocity.read(exec),
                   faces.bounds.walls.read(exec),
                   faces.mass[a].read(exec),
                   faces.bounds.solids.read(exec),
                   faces.air.read(exec),
                   faces.rigid.read(exec),
                   impulse[a].update(exec),
                   slip[a].update(exec)};
    for (int b = 0; b < 3; ++b)
      for (int end = 0; end < 2; ++end) kernel.wall_velocities[b][end] = faces.friction.velocity[b][end].as<float>();
    for_each_cell(exec, "sand.rub", domain.faces(a), kernel);
  }
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "sand.take_rub", domain.faces(a),
                  TakeRub{a, faces.rigid.read(exec), std::as_const(impulse)[a].read(exec), velocity[a].update(exec)});
}

}  // namespace silt
