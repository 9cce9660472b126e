#include "silt/physics/common/move_particles.h"

#include <algorithm>
#include <cmath>

#include "silt/core/loops.h"
#include "silt/physics/common/move_block.h"
#include "silt/physics/common/move_sorted.h"

namespace silt {
namespace {

struct Age {
  float* age;
  float dt;
  SILT_HD void operator()(std::int64_t i) const { age[i] += dt; }
};

struct Speed {
  View<const float> u;
  SILT_HD double operator()(Cell c) const { return std::abs(double(u(c))); }
};

template <bool Wraps, Moving Rule>
struct MoveAll {
  MoveBlock<Wraps, Rule> move;
  std::int64_t count;
  SILT_HD void operator()(std::int64_t index) const {
    const std::int64_t first = index * move.block;
    move.run(first, int(count - first < move.block ? count - first : move.block));
  }
};

template <bool Wraps, Moving Rule>
void move(const Exec& exec, const Domain& domain, const MacField<float>& velocity, double dt, int parts, Particles& p) {
  constexpr int block = MoveBlock<Wraps, Rule>::block;
  for_each_index(exec, "particles.move", (std::int64_t(p.count) + block - 1) / block,
                 MoveAll<Wraps, Rule>{{exec, domain, velocity, dt, parts, p}, std::int64_t(p.count)}, block);
}

template <bool Wraps, class... Rest>
void move_by(Moving rule, Rest&... rest) {
  switch (rule) {
    case Moving::own:
      return move<Wraps, Moving::own>(rest...);
    case Moving::straight:
      return move<Wraps, Moving::straight>(rest...);
    case Moving::rk2:
      return move<Wraps, Moving::rk2>(rest...);
    case Moving::rk3:
      return move<Wraps, Moving::rk3>(rest...);
  }
}

}  // namespace

int sub_moves(const Domain& domain, double fastest, double dt) {
  return 1 + int(std::min(fastest * dt / domain.lattice.h, 1e6));
}

double fastest_face(const Exec& exec, const Domain& domain, const MacField<float>& velocity) {
  double out = 0;
  for (int a = 0; a < 3; ++a)
    if (domain.lattice.active[a])
      out = std::max(out, reduce<Max>(exec, "particles.fastest", domain.faces(a), Speed{velocity[a].read(exec)}));
  return out;
}

void move_particles(const Exec& exec, const Domain& domain, Moving rule, const MacField<float>& velocity, double dt,
                    int parts, Particles& particles, const CellRanges* sorted, const ThinSides::View& sides) {
  if (rule == Moving::straight) parts = 1;
  const bool gathers = !exec.on_cpu() && !sides.cells;  // as fast on a GPU
  if (sorted && (rule == Moving::straight || rule == Moving::rk2) && !gathers)
    move_sorted(exec, domain, rule, velocity, dt, parts, *sorted, particles, sides);
  else if (SampleBounds::of(domain, -1).wraps())
    move_by<true>(rule, exec, domain, velocity, dt, parts, particles);
  else
    move_by<false>(rule, exec, domain, velocity, dt, parts, particles);
  for_each_index(exec, "particles.age", std::int64_t(particles.count), Age{particles.age.update(exec), float(dt)});
}

}  // namespace silt
