#include "kernel_cases.h"

#include <algorithm>
#include <cmath>

#include "copy_kernel.h"
#include "silt/core/device_memory.h"
#include "silt/fields/halo.h"
#include "silt/fields/operators.h"
#include "silt/physics/smoke/buoyancy.h"

namespace silt {

namespace {

constexpr double pi = 3.14159265358979323846;

/// u = (x - 1/2) + swirl: div u = 1 everywhere (the swirl turns about z and is free of divergence).
Vec3d flow(const Vec3d& x) {
  return {x.x - 0.5 - (x.y - 0.5), x.x - 0.5, 0.25 * std::sin(2 * pi * x.x)};
}

double smooth(const Vec3d& x) {
  return 1 + x.x + 2 * x.y - x.z;
}

/// Largest |f(c) - expected(c)| over a coarse sample of cells two away from the boundary.
template <class F, class Expected>
double sampled_error(const Box& cells, const F& f, const Expected& expected) {
  double worst = 0;
  const int step = std::max(1, (cells.hi.x - cells.lo.x) / 37);
  for (int z = cells.lo.z + 2; z < cells.hi.z - 2; z += step)
    for (int y = cells.lo.y + 2; y < cells.hi.y - 2; y += step)
      for (int x = cells.lo.x + 2; x < cells.hi.x - 2; x += step) {
        const double e = std::abs(double(f(Cell{x, y, z})) - expected(Cell{x, y, z}));
        worst = e <= worst ? worst : e;  // keeps a NaN
      }
  return worst;
}

}  // namespace

KernelBench::KernelBench(const Exec& exec, int n)
    : exec_(exec),
      domain_{{{0, 0, 0}, 1.0 / n, {1, 1, 1}}, {{0, 0, 0}, {n, n, n}}, {}},
      layout_(make_layout(domain_.cells, {1, 1, 1})),
      cut_(layout_),
      velocity_(layout_),
      other_(layout_),
      scalar_(layout_),
      carried_(layout_),
      q_(layout_),
      divergence_(layout_),
      scratch_(layout_) {
  for (auto& sides : domain_.sides) sides = {Side::open, Side::open};
  cut_cells(exec, domain_, {}, cut_);
  const Box stored = layout_.storage();
  float* part[3] = {velocity_[0].values().host(), velocity_[1].values().host(), velocity_[2].values().host()};
  float* scalar = scalar_.values().host();
  double* q = q_.values().host();
  const Lattice& lattice = domain_.lattice;
#pragma omp parallel for
  for (int z = stored.lo.z; z < stored.hi.z; ++z)
    for (int y = stored.lo.y; y < stored.hi.y; ++y)
      for (int x = stored.lo.x; x < stored.hi.x; ++x) {
        const Cell c{x, y, z};
        const int i = layout_.index(c);
        for (int a = 0; a < 3; ++a) part[a][i] = float(flow(lattice.face_centre(a, c))[a]);
        scalar[i] = float(smooth(lattice.centre(c)));
        q[i] = smooth(lattice.centre(c));
      }
}

std::vector<KernelCase> KernelBench::cases() {
  const Box& cells = domain_.cells;
  const double h = domain_.lattice.h, dt = 2 * h;
  const auto none = [] { return 0.0; };
  const auto at_centre = [this](Cell c) { return domain_.lattice.centre(c); };
  // The scalar is linear in space and the flow nearly so: where it came from is x - dt u(x - dt/2 u(x)).
  const auto carried = [this, cells, at_centre](const AdvectionOptions& options, double step, double bytes,
                                                double least_mcells = 0) {
    std::string name = "advect " + std::string(name_of(options.scheme));
    if (options.tracing == Tracing::rk3) name += " rk3";
    // Of first order in time these two are, and exact as such in a scalar that is linear.
    const bool midpoint = options.scheme != Advection::upwind && options.scheme != Advection::lax_friedrichs;
    return KernelCase{
        name,
        bytes,
        [=, this] { advect_cells(exec_, domain_, options, step, velocity_, HaloRule{}, scalar_, scratch_, carried_); },
        [=, this] {
          return sampled_error(cells, carried_, [&](Cell c) {
            const Vec3d x = at_centre(c);
            return smooth(x - step * flow(midpoint ? x - 0.5 * step * flow(x) : x));
          });
        },
        1e-4,
        0,
        least_mcells,
        options.scheme == Advection::linear ? "" : "advect linear"};
  };
  std::vector<KernelCase> cases;
  if (!exec_.on_cpu())  // a GPU's own copy engine is the measure there
    cases.push_back({"memcpy", 8,
                     [=, this] {
                       device_memory::copy(carried_.values().write(exec_), scalar_.values().read(exec_),
                                           std::size_t(cells.count()) * sizeof(float));
                     },
                     none, 0});
  const std::vector<KernelCase> kernels{
      {"copy", 8, [=, this] { copy_cells(exec_, cells, scalar_, carried_); },
       [=, this] { return sampled_error(cells, carried_, [&](Cell c) { return double(scalar_(c)); }); }, 0},
      {"forces", 16,
       [=, this] {
         add_buoyancy(exec_, domain_, {0, 0, -10}, {.ambient = 2, .buoyancy = 1, .weight = 0.25f}, 0.1, scalar_,
                      scalar_, other_);
       },
       [=, this] {  // u = dt g (b T' / T - w s), T' = s, at the face
         return sampled_error(cells, other_[2], [&](Cell c) {
           const double s = 0.5 * (double(scalar_(c)) + scalar_(c - unit(2)));
           return s / (2 + s) - 0.25 * s;
         });
       },
       1e-6, 0.5},
      {"divergence", 44,
       [=, this] { divergence(exec_, cells, h, velocity_, cut_.open, cut_.solid_velocity, divergence_); },
       [=, this] { return sampled_error(cells, divergence_, [](Cell) { return 1.0; }); }, 2e-4 / h * 0.01, 0.5},
      {"gradient", 56, [=, this] { subtract_gradient(exec_, domain_, q_, cut_.open, cut_.solid_velocity, other_); },
       [=, this] { return sampled_error(cells, other_[0], [](Cell) { return -1.0; }); }, 1e-6, 0.5},
      carried({Advection::linear}, dt, 20, 80),
      carried({Advection::linear, Tracing::rk3}, dt, 20),
      carried({Advection::cubic}, dt, 20),
      carried({Advection::maccormack}, dt, 20, 35),
      carried({Advection::bfecc}, dt, 20),
      carried({Advection::upwind}, 0.6 * h, 20),  // the flow's largest component is about a half
      carried({Advection::lax_friedrichs}, 0.6 * h, 20),
      carried({Advection::lax_wendroff}, 1.5 * h, 20),
      {"reduction", 24, [=, this] { reduced_ = star_norm(exec_, domain_, velocity_, cut_.open); },
       [=, this] { return std::isfinite(reduced_) && reduced_ > 0 ? 0.0 : 1.0; }, 0},
  };
  cases.insert(cases.end(), kernels.begin(), kernels.end());
  return cases;
}

}  // namespace silt
