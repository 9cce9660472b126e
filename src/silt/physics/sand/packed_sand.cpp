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
  state.grid = cells, state.pressure = {}, state.stress = {}, state.stressed = {};
  if (cells.empty()) return;  // before there was a grid
  state.pressure = Field<double>(make_layout(cells, active, default_halo, pad));
  if (params.model == SandModel::constrained) state.stress = CornerStress(cells, active);
}

namespace {

constexpr std::size_t numbers_of_span = 4;

template <class T>
void make_room(std::size_t count, Buffer<T>& out) {
  if (out.size() != count) out = Buffer<T>(count);
}

}  // namespace

void PackedStress::pack(const SandState& state) {
  const Cells cells = stressed_cells(state);
  std::vector<std::int64_t> parts;
  std::size_t count = 0;
  if (!cells.empty())
    cells.visit_used_rows(0, cells.row_count(), [&](int y, int z) {
      cells.visit_row(y, z, [&](int begin, int end) {
        parts.insert(parts.end(), {y, z, begin, end}), count += std::size_t(end - begin);
      });
    });
  put_into(parts, spans);
  const Exec host(Device::cpu, 1);
  const int numbers = state.stress.allocated() ? state.stress.numbers() : 0;
  make_room(count, pressure), make_room(count * std::size_t(numbers), corners);
  double* p = pressure.host();
  float* to = corners.host();
  const auto from = state.stress.read(host);
  for (std::size_t n = 0; n < parts.size(); n += numbers_of_span)
    for (Cell c{int(parts[n + 2]), int(parts[n]), int(parts[n + 1])}; c.x < parts[n + 3]; ++c.x) {
      *p++ = state.pressure(c);
      for (int m = 0; m < numbers; ++m) *to++ = from.at(c)[m * lane_count];
    }
}

void PackedStress::unpack(SandState& state) const {
  const IoError of_another("the checkpoint's stresses are of another grid");
  if (spans.size() % numbers_of_span) throw of_another;
  if (state.pressure.allocated()) state.pressure = Field<double>(state.pressure.layout());
  if (state.stress.allocated()) state.stress = CornerStress(state.grid, state.particles.active);
  const Exec host(Device::cpu, 1);
  const int numbers = state.stress.allocated() ? state.stress.numbers() : 0;
  RowMarks marks(state.grid);
  const std::int64_t* parts = spans.host();
  std::size_t count = 0;
  for (std::size_t n = 0; n < spans.size(); n += numbers_of_span) {
    const std::int64_t y = parts[n], z = parts[n + 1], begin = parts[n + 2], end = parts[n + 3];
    const Box& grid = state.grid;
    if (y < grid.lo.y || y >= grid.hi.y || z < grid.lo.z || z >= grid.hi.z || begin < grid.lo.x || begin >= end ||
        end > grid.hi.x)
      throw of_another;
    marks.set(int(begin), int(end) - 1, int(y), int(z));
    count += std::size_t(end - begin);
  }
  if (pressure.size() != count || corners.size() != count * std::size_t(numbers)) throw of_another;
  const double* p = pressure.host();
  const float* from = corners.host();
  const auto to = state.stress.update(host);
  for (std::size_t n = 0; n < spans.size(); n += numbers_of_span)
    for (Cell c{int(parts[n + 2]), int(parts[n]), int(parts[n + 1])}; c.x < parts[n + 3]; ++c.x) {
      state.pressure.at(c) = *p++;
      for (int m = 0; m < numbers; ++m) to.at(c)[m * lane_count] = *from++;
    }
  state.stressed = marks.spans();
}

}  // namespace silt
