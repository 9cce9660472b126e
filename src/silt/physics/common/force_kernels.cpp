#include "silt/physics/common/force_kernels.h"

#include "silt/core/loops.h"
#include "silt/fields/exterior_derivative.h"

namespace silt {

namespace {

/// x - centre, from the nearest image of the centre along periodic axes.
struct Nearest {
  Vec3d centre, period;  ///< period 0: not periodic
  SILT_HD Vec3d operator()(const Vec3d& x) const {
    Vec3d d = x - centre;
    for (int a = 0; a < 3; ++a)
      if (period[a] > 0) d[a] -= period[a] * std::floor(d[a] / period[a] + 0.5);
    return d;
  }
  static Nearest of(const Domain& domain, const Vec3d& centre) {
    Vec3d period{};
    for (int a = 0; a < 3; ++a)
      if (domain.lattice.active[a] && domain.periodic(a)) period[a] = domain.upper()[a] - domain.lower()[a];
    return {centre, period};
  }
};

struct Uniform {
  Vec3d acceleration;
  SILT_HD Vec3d operator()(const Vec3d&) const { return acceleration; }
};

struct Point {
  Nearest from;
  double strength;
  Falloff falloff;
  /// Its slope is the acceleration [m^2/s^2].
  SILT_HD double potential(const Vec3d& x) const {
    const Vec3d d = from(x);
    return strength * falloff.integral(dot(d, d));
  }
};

struct Vortex {
  Nearest from;
  Vec3d axis;
  double swirl, pull;
  Falloff falloff;
  SILT_HD Vec3d operator()(const Vec3d& x) const {
    const Vec3d d = from(x), out = d - axis * dot(axis, d);
    return (cross(axis, out) * swirl - out * pull) * falloff.over_distance(dot(out, out));
  }
};

template <class Acceleration>
struct Push {
  CoverRecipe cover;
  Lattice lattice;
  int axis;
  double dt;
  Acceleration acceleration;
  View<float> u;
  SILT_HD void operator()(Cell c) const {
    const Vec3d x = lattice.face_centre(axis, c);
    u(c) += float(dt * cover.at(x) * acceleration(x)[axis]);
  }
};

/// A field with a potential pushes a face with the mean of its acceleration from one cell's centre to the other's. A
/// pressure can then bear it exactly. What the field is at the face itself has a curl on the grid, and drives a liquid
/// at rest round and round.
struct PushByPotential {
  CoverRecipe cover;
  Lattice lattice;
  int axis;
  double dt;
  Point field;
  View<float> u;
  SILT_HD void operator()(Cell c) const {
    const Vec3d x = lattice.face_centre(axis, c), low = lattice.centre(c - unit(axis)), high = lattice.centre(c);
    u(c) += float(dt * cover.at(x) * (field.potential(high) - field.potential(low)) / lattice.h);
  }
};

struct Drag {
  CoverRecipe cover;
  Lattice lattice;
  int axis;
  float share, wind;  ///< share = 1 - exp(-rate dt)
  View<float> u;
  SILT_HD void operator()(Cell c) const { u(c) += share * cover.at(lattice.face_centre(axis, c)) * (wind - u(c)); }
};

/// A potential on the edges along one axis; edge (i, j, k) along z starts at corner (i, j, k).
struct EdgePotential {
  NoiseSum noise;
  Lattice lattice;
  int axis;
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    Vec3d x = lattice.corner(c);
    if (lattice.active[axis]) x[axis] += 0.5 * lattice.h;
    out(c) = noise.at(x);
  }
};

/// What the potential along one axis gives the faces across another: +- its difference along the third.
struct Curl {
  CoverRecipe cover;
  Lattice lattice;
  Derivative d;
  int axis, along;
  float change;  ///< +- dt strength / h
  View<const float> potential;
  View<float> u;
  SILT_HD void operator()(Cell c) const {
    const int n = u.index(c.x, c.y, c.z);
    u.data[n] += change * cover.at(lattice.face_centre(axis, c)) * d.ahead(by_index(potential), along, n);
  }
};

template <class Acceleration>
void push(const Exec& exec, const Domain& domain, const Cover& cover, const Acceleration& acceleration, double dt,
          MacField<float>& velocity) {
  const CoverOn placed(exec, cover, domain.lattice);
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "force.push", placed.reach(domain.faces(a)),
                  Push<Acceleration>{placed.recipe(), domain.lattice, a, dt, acceleration, velocity[a].update(exec)});
}

}  // namespace

void push_faces(const Exec& exec, const Domain& domain, const Cover& cover, const UniformPush& p, double dt,
                MacField<float>& velocity) {
  push(exec, domain, cover, Uniform{p.acceleration}, dt, velocity);
}

void push_faces(const Exec& exec, const Domain& domain, const Cover& cover, const PointPush& p, double dt,
                MacField<float>& velocity) {
  const CoverOn placed(exec, cover, domain.lattice);
  const Point field{Nearest::of(domain, p.centre), p.strength, p.falloff};
  for (int a = 0; a < 3; ++a)
    if (domain.lattice.active[a])
      for_each_cell(exec, "force.push", placed.reach(domain.faces(a)),
                    PushByPotential{placed.recipe(), domain.lattice, a, dt, field, velocity[a].update(exec)});
}

void push_faces(const Exec& exec, const Domain& domain, const Cover& cover, const VortexPush& p, double dt,
                MacField<float>& velocity) {
  push(exec, domain, cover, Vortex{Nearest::of(domain, p.centre), p.axis, p.swirl, p.pull, p.falloff}, dt, velocity);
}

void drag_faces(const Exec& exec, const Domain& domain, const Cover& cover, double rate, const Vec3d& wind, double dt,
                MacField<float>& velocity) {
  const CoverOn placed(exec, cover, domain.lattice);
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "force.drag", placed.reach(domain.faces(a)),
                  Drag{placed.recipe(), domain.lattice, a, float(-std::expm1(-rate * dt)), float(wind[a]),
                       velocity[a].update(exec)});
}

void stir_faces(const Exec& exec, const Domain& domain, const Cover& cover, double strength, const NoiseOptions& noise,
                double dt, Field<float>& potential, MacField<float>& velocity) {
  const Int3 active = domain.lattice.active;
  const Derivative d(velocity.layout());
  const CoverOn placed(exec, cover, domain.lattice);
  const float change = float(dt * strength / domain.lattice.h);
  for (int p = active.z ? 0 : 2; p < 3; ++p) {
    const NoiseTable table(exec, domain, noise, p);
    const Box edges = domain.edges(p);
    for_each_cell(exec, "force.potential", intersect(grow(placed.reach(edges), active), edges),
                  EdgePotential{table.on(exec), domain.lattice, p, potential.write(exec)});
    // Edges to faces: (curl psi)_x = d psi_z / dy - d psi_y / dz, and so on round the axes.
    const auto turn = [&](int axis, int along, float by) {
      for_each_cell(
          exec, "force.curl", placed.reach(domain.faces(axis)),
          Curl{placed.recipe(), domain.lattice, d, axis, along, by, potential.read(exec), velocity[axis].update(exec)});
    };
    const int a = (p + 1) % 3, b = (p + 2) % 3;
    turn(a, b, change);
    turn(b, a, -change);
  }
}

}  // namespace silt
