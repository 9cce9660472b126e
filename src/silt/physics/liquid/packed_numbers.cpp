#include "silt/physics/liquid/packed_numbers.h"

#include <algorithm>
#include <utility>

#include "silt/core/error.h"
#include "silt/physics/common/domain_round.h"

namespace silt {
namespace {

constexpr std::size_t counts_of_all = 3, counts_of_emitter = 2, counts_of_box = 6, values_of_emitter = 4;

template <class T>
void fill(const std::vector<T>& from, Buffer<T>& to) {
  if (to.size() != from.size()) to = Buffer<T>(from.size());
  std::copy(from.begin(), from.end(), to.host());
}

}  // namespace

void PackedNumbers::pack(const LiquidState& state) {
  std::vector<std::int64_t> whole{std::int64_t(state.born), std::int64_t(state.died), std::int64_t(state.steps)};
  std::vector<double> real;
  for (const EmitterMemory& e : state.emitters) {
    whole.insert(whole.end(), {e.on, std::int64_t(e.steps)});
    real.insert(real.end(), {e.drift.x, e.drift.y, e.drift.z, e.owed});
  }
  for (const LiquidPool& pool : state.pools)
    for (const Int3& end : {pool.domain.cells.lo, pool.domain.cells.hi})
      whole.insert(whole.end(), {end.x, end.y, end.z});
  fill(whole, counts);
  fill(real, emitters);
}

void PackedNumbers::unpack(const PoolRules& rules, Modes modes, LiquidState& state) const {
  const std::size_t head = counts_of_all + counts_of_emitter * state.emitters.size();
  if (counts.size() < head || (counts.size() - head) % counts_of_box != 0 ||
      emitters.size() != values_of_emitter * state.emitters.size())
    throw IoError("the checkpoint is of a scene with other water sources");
  const std::int64_t* whole = counts.host();
  const double* real = emitters.host();
  const auto next = [&] { return *whole++; };
  state.born = std::uint64_t(next()), state.died = std::uint64_t(next()), state.steps = std::uint64_t(next());
  for (EmitterMemory& e : state.emitters) {
    e.on = next() != 0, e.steps = std::uint64_t(next());
    e.drift = {real[0], real[1], real[2]}, e.owed = real[3];
    real += values_of_emitter;
  }
  const Int3 active = rules.scene.lattice.active;
  const auto make_like = [&](Particles& set) {
    if (!(set.active == active) || set.modes != modes) set = Particles(active, modes);
  };
  make_like(state.spray);
  state.pools.resize((counts.size() - head) / counts_of_box);
  for (LiquidPool& pool : state.pools) {
    Box cells;
    for (Int3* end : {&cells.lo, &cells.hi})
      for (int a = 0; a < 3; ++a) (*end)[a] = int(std::clamp<std::int64_t>(next(), -(1 << 24), 1 << 24));
    if (!(pool.domain.cells == cells) || !pool.pressure.allocated()) {
      pool.domain = part_of(rules.scene, cells);
      pool.pressure = Field<double>(pool_layout(rules, pool.domain));
    }
    make_like(pool.particles);
  }
}

}  // namespace silt
