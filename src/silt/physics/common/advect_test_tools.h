#pragma once

// Shared by the tests of advection: a flow on a small box, fields carried by it, and the list of every scheme.

#include <algorithm>
#include <cmath>
#include <functional>
#include <ostream>
#include <vector>

#include "silt/fields/backflow.h"
#include "silt/fields/test_tools.h"
#include "silt/physics/common/advect.h"

namespace silt::test {

/// One thread, where threads are not the matter: teams that wait for each other are slow on a busy machine.
inline const Exec serial(Device::cpu, 1);

inline constexpr Side all_sides[] = {Side::wall, Side::open, Side::periodic};
inline constexpr double pi = 3.14159265358979323846;

/// In space, in a plane and on a line; away from the lattice's origin.
inline const Box boxes[] = {{{-3, 2, 0}, {9, 12, 8}}, {{-3, 2, 0}, {12, 13, 1}}, {{-8, 0, 0}, {8, 1, 1}}};

inline std::vector<AdvectionOptions> semi_lagrangian_schemes() {
  std::vector<AdvectionOptions> all;
  for (Tracing tracing : {Tracing::rk2, Tracing::rk3}) {
    for (Advection scheme : {Advection::linear, Advection::cubic}) all.push_back({scheme, tracing});
    for (Advection scheme : {Advection::maccormack, Advection::bfecc})
      for (bool clamp : {false, true}) all.push_back({scheme, tracing, clamp});
  }
  return all;
}
inline std::vector<AdvectionOptions> finite_difference_schemes() {
  return {{Advection::upwind}, {Advection::lax_friedrichs}, {Advection::lax_wendroff}};
}
inline std::vector<AdvectionOptions> all_schemes() {
  std::vector<AdvectionOptions> all = semi_lagrangian_schemes();
  for (const AdvectionOptions& scheme : finite_difference_schemes()) all.push_back(scheme);
  return all;
}
/// Those that promise not to leave the range of the values they start from.
inline std::vector<AdvectionOptions> bounded_schemes() {
  std::vector<AdvectionOptions> all;
  for (const AdvectionOptions& s : all_schemes())
    if (s.scheme != Advection::lax_wendroff &&
        (s.clamp || (s.scheme != Advection::maccormack && s.scheme != Advection::bfecc)))
      all.push_back(s);
  return all;
}

/// A flow on a box, and what it carries.
struct Flow {
  Domain domain;
  Layout layout;
  MacField<float> u;
  AdvectScratch scratch;

  Flow(const Box& cells, double h, Side x, Side y, Side z, int pad = 0) {
    const Int3 n = cells.size(), active{1, n.y > 1, n.z > 1};
    domain = {{{}, h, active}, cells, {{{x, x}, {y, y}, {z, z}}}};
    layout = make_layout(cells, active, default_halo, pad);
    u = MacField<float>(layout);
    scratch = AdvectScratch(layout);
  }
  void fill(MacField<float>& faces) const {
    for (int a = 0; a < 3; ++a) fill_halo(serial, domain, domain.faces(a), {}, faces[a]);
  }
  MacField<float> faces(const std::function<double(int axis, Vec3d, Cell)>& value) const {
    MacField<float> f(layout);
    for (int a = 0; a < 3; ++a)
      for_each(domain.faces(a), [&](Cell c) { f[a].at(c) = float(value(a, domain.lattice.face_centre(a, c), c)); });
    fill(f);
    return f;
  }
  void set_velocity(const std::function<Vec3d(Vec3d)>& velocity) {
    u = faces([&](int a, Vec3d x, Cell) { return velocity(x)[a]; });
  }
  /// Up to `speed` in every component, uncorrelated.
  void random_velocity(std::uint64_t seed, double speed) {
    u = faces([&](int a, Vec3d, Cell c) { return speed * noise(seed + a, c); });
  }
  Field<float> cells(const std::function<double(Vec3d, Cell)>& value, const HaloRule& rule = {}) const {
    Field<float> f(layout);
    for_each(domain.cells, [&](Cell c) { f.at(c) = float(value(domain.lattice.centre(c), c)); });
    fill_halo(serial, domain, domain.cells, rule, f);
    return f;
  }
  /// dt, or the longest step the scheme is stable for in this flow.
  double at_most(const AdvectionOptions& options, double dt) const {
    double speed = 1e-30;
    for (int a = 0; a < 3; ++a)
      for_each(domain.faces(a), [&](Cell c) { speed = std::max(speed, double(std::abs(u[a](c)))); });
    return std::min(dt, cfl_limit(options, domain.lattice.dims()) * domain.lattice.h / speed);
  }
  /// The field after dt, halo filled.
  Field<float> step(const Exec& exec, const AdvectionOptions& options, double dt, const Field<float>& from,
                    const HaloRule& rule = {}) {
    Field<float> to(layout);
    advect_cells(exec, domain, options, dt, u, rule, from, scratch, to);
    fill_halo(serial, domain, domain.cells, rule, to);
    return to;
  }
  /// The halo of what is carried is made as a stepper makes it: what enters through an open side is at rest.
  MacField<float> step_faces(const Exec& exec, const AdvectionOptions& options, double dt, MacField<float> from) {
    for (int a = 0; a < 3; ++a) enter_at_rest(exec, domain, u, a, from[a]);
    MacField<float> to(layout);
    advect_faces(exec, domain, options, dt, u, SideWalls{}, from, scratch, to);
    fill(to);
    return to;
  }
};

}  // namespace silt::test

namespace silt {

inline std::ostream& operator<<(std::ostream& out, const AdvectionOptions& o) {
  return out << name_of(o.scheme) << (o.tracing == Tracing::rk3 ? " rk3" : " rk2") << (o.clamp ? "" : " not clamped");
}

}  // namespace silt
