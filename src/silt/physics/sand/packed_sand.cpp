#include "silt/physics/sand/packed_sand.h"

#include <algorithm>

#include "silt/core/error.h"
#include "silt/physics/common/packed_emitters.h"

namespace silt {
namespace {

constexpr std::size_t counts_of_all = 7, values_of_all = 3;

bool encloses(const Box& outer, const Box& inner) {
  return intersect(outer, inner) == inner;
}

}  // namespace

void PackedSand::pack(const SandState& state) {
  std::vector<std::int64_t> whole{std::int64_t(state.steps)};
  std::vector<double> real{state.kick_before, state.dt_before, state.bearing_speed.value_or(-1)};
  for (const Int3& end : {state.grid.lo, state.grid.hi}) whole.insert(whole.end(), {end.x, end.y, end.z});
  pack_emitters(state.emitters, whole, real);
  put_into(whole, counts);
  put_into(real, values);
}

void PackedSand::unpack(const Setting& setting, const SandParams& params, const Box& allowed, int pad,
                        SandState& state) const {
  const std::size_t emitters = setting.emitters.size();
  if (counts.size() != counts_of_all + counts_of_emitter * emitters ||
      values.size() != values_of_all + values_of_emitter * emitters)
    throw IoError("the checkpoint is of a scene with other sand sources");
  const std::int64_t* whole = counts.host();
  const double* real = values.host();
  state.steps = std::uint64_t(*whole++);
  state.kick_before = *real++, state.dt_before = *real++;
  const double speed = *real++;
  state.bearing_speed = speed >= 0 ? std::optional(speed) : std::nullopt;
  Box cells;
  for (Int3* end : {&cells.lo, &cells.hi})
    for (int a = 0; a < 3; ++a) (*end)[a] = int(std::clamp<std::int64_t>(*whole++, -(1 << 24), 1 << 24));
  state.emitters.resize(emitters);
  unpack_emitters(whole, real, state.emitters);
  const Int3 active = setting.domain.lattice.active;
  const Modes modes = params.transfer_options().modes();
  if (!(state.particles.active == active) || state.particles.modes != modes) state.particles = Particles(active, modes);
  if (state.grid == cells) return;
  if (!cells.empty() && !encloses(allowed, cells)) throw IoError("the checkpoint has sand where there can be none");
  state.grid = cells, state.pressure = {}, state.stress = {};
  if (cells.empty()) return;  // before there was a grid
  state.pressure = Field<double>(make_layout(cells, active, default_halo, pad));
  if (params.model == SandModel::constrained) state.stress = CornerStress(cells, active);
}

}  // namespace silt
