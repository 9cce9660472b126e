#include "silt/physics/sand/group_yield.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "silt/core/loops.h"
#include "silt/physics/sand/run_faces.h"
#include "silt/physics/sand/solid_area.h"

namespace silt {
namespace {

/// No passive stress is more than so many times the liquid's pressure: that of sand of 39 degrees.
constexpr double most_passive = 5;

struct SumEnergies {
  static constexpr bool uneven = true;
  RunFaces faces;
  const RigidMotion* motions;
  MacView<const float> u, solid, mass, along, across, walls;
  SolidArea area;
  bool has_solids;
  View<const float> friction, cohesion, solids;
  View<const double> pressure;
  View<const unsigned char> air;
  /// Three of each run: what differs from the rigid motion, what friction takes of that, and what of the liquid's where
  /// it is squeezed.
  double* out;

  /// Of what slides by |D| in a cell. Its stress is the one that stops it, D h.
  SILT_HD double within(Cell c) const {
    double square = 0;
    for (int a = 0; a < faces.dims; ++a) square += double(along[a](c)) * along[a](c);
    for (int e = 0; e < 3; ++e) square += 2 * double(across[e](c)) * across[e](c);
    const double p = pressure(c) > 0 ? pressure(c) : 0;
    return std::sqrt(2 * square) * (p * friction(c) + cohesion(c));
  }
  SILT_HD double passive(Cell c) const {
    const double least = 1 - friction(c);
    return least * most_passive > 1 ? 1 / least : most_passive;
  }
  struct Rubbing {
    double walls = 0, solids = 0;
  };
  /// Of what slides along walls and solids by 1, along an axis.
  SILT_HD Rubbing at_walls(int axis, Cell c) const {
    const Cell back = c - unit(axis);
    const double low = air(back) ? 0 : 1, high = air(c) ? 0 : 1, all = low + high;
    if (all == 0) return {};
    Rubbing sum;
    for (int b = 0; b < faces.dims; ++b)
      if (b != axis) sum.walls += low * walls[b](back) + high * walls[b](c);
    if (has_solids) {
      const double of_solids = low * solids(back) + high * solids(c);
      const double n = of_solids > 0 ? normalized(area(c) + area(back))[axis] : 0;
      sum.solids = of_solids * std::sqrt(n * n < 1 ? 1 - n * n : 0);
    }
    return {sum.walls / all, sum.solids / all};
  }
  SILT_HD void operator()(std::int64_t i) const {
    const RigidRun run = faces.runs[i];
    const RigidMotion motion = motions[run.group];
    double differs = 0, takes = 0, resists = 0;
    for (int x = run.begin; x < run.end; ++x) {
      const double own = within({x, run.y, run.z});
      takes += own, resists += own * passive({x, run.y, run.z});
    }
    for (int a = 0; a < faces.dims; ++a) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      faces.visit(run, a, [&](Cell face, const Vec3d& r) {
        const double d = u[a](face) - (motion.velocity[a] + motion.spin[b] * r[c] - motion.spin[c] * r[b]);
        differs += mass[a](face) * d * d;
        const Rubbing rubs = at_walls(a, face);
        takes += (rubs.walls + rubs.solids) * std::abs(d);
        resists +=
            rubs.walls * std::abs(double(u[a](face))) + rubs.solids * std::abs(double(u[a](face)) - solid[a](face));
      });
    }
    out[3 * i] = differs, out[3 * i + 1] = takes, out[3 * i + 2] = resists;
  }
};

}  // namespace

std::vector<GroupYield> yielding_parts(const Exec& exec, const Domain& domain, const FlowingSand& sand,
                                       const FrictionStress& stress, const MacField<float>& mass,
                                       const WallBounds& bounds, bool solids, const RigidGroups& groups,
                                       const std::vector<RigidMotion>& moving, Buffer<double>& scratch) {
  Buffer<RigidMotion> motions(moving.size());
  std::copy(moving.begin(), moving.end(), motions.host());
  if (scratch.size() < 3 * groups.runs.size()) scratch = Buffer<double>(3 * groups.runs.size());
  const SumEnergies kernel{faces_of(exec, domain, groups, stress.rigid, sand.star),
                           std::as_const(motions).read(exec),
                           sand.velocity.read(exec),
                           sand.cut.solid_velocity.read(exec),
                           mass.read(exec),
                           stress.along.read(exec),
                           stress.across.read(exec),
                           bounds.walls.read(exec),
                           solid_area(exec, domain, sand.cut),
                           solids,
                           sand.friction.read(exec),
                           sand.cohesion.read(exec),
                           bounds.solids.read(exec),
                           sand.pressure.read(exec),
                           sand.air.read(exec),
                           scratch.write(exec)};
  for_each_index(exec, "sand.energies", std::int64_t(groups.run_count), kernel, 8);
  std::vector<double> differs(moving.size(), 0), takes = differs;
  std::vector<GroupYield> out(moving.size());
  const double* sums = std::as_const(scratch).host();
  for (std::size_t i = 0; i < groups.run_count; ++i) {
    const std::size_t g = std::size_t(groups.runs.host()[i].group);
    differs[g] += sums[3 * i], takes[g] += sums[3 * i + 1], out[g].resists += sums[3 * i + 2];
  }
  for (std::size_t g = 0; g < out.size(); ++g) out[g].part = differs[g] > takes[g] ? 1 - takes[g] / differs[g] : 0;
  return out;
}

}  // namespace silt
