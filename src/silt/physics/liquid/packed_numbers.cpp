#include "silt/physics/liquid/packed_numbers.h"

#include <algorithm>
#include <utility>

#include "silt/core/error.h"
#include "silt/physics/common/domain_round.h"
#include "silt/physics/common/packed_emitters.h"

namespace silt {
namespace {

constexpr std::size_t counts_of_all = 3, counts_of_box = 6;

}  // namespace

void PackedNumbers::pack(const LiquidState& state) {
  std::vector<std::int64_t> whole{std::int64_t(state.born), std::int64_t(state.died), std::int64_t(state.steps)};
  std::vector<double> real;
  pack_emitters(state.emitters, whole, real);
  for (const LiquidPool& pool : state.pools)
    for (const Int3& end : {pool.domain.cells.lo, pool.domain.cells.hi})
      whole.insert(whole.end(), {end.x, end.y, end.z});
  put_into(whole, counts);
  put_into(real, emitters);
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
  unpack_emitters(whole, real, state.emitters);
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
      pool.wetted = Field<double>(pool_layout(rules, pool.domain));
    }
    make_like(pool.particles);
  }
}

}  // namespace silt
