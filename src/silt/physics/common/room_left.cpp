#include "silt/physics/common/room_left.h"

#include <algorithm>
#include <limits>

#include "silt/core/buffer.h"

namespace silt {
namespace {

bool closed(const Domain& domain) {
  for (int a = 0; a < 3; ++a)
    for (int end = 0; end < 2; ++end)
      if (domain.lattice.active[a] && domain.side(a, end) == Side::open) return false;
  return true;
}

/// Cells that solids leave free, by the distance at their centres.
double free_cells(const Exec& exec, const Setting& setting, double time) {
  const Domain& domain = setting.domain;
  Buffer<float> distance(std::size_t(domain.cells.count()));
  distance_at_centres(exec, domain, place(setting.obstacles, time), distance);
  const float* d = distance.host();
  double sum = 0;
  for (std::size_t i = 0; i < distance.size(); ++i) sum += std::clamp(0.5 + d[i] / domain.lattice.h, 0.0, 1.0);
  return sum;
}

}  // namespace

std::uint64_t room_left(const Exec& exec, const Setting& setting, double time, std::uint64_t particles) {
  constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();
  if (!closed(setting.domain)) return no_end;
  const double cells =
      setting.obstacles.empty() ? double(setting.domain.cells.count()) : free_cells(exec, setting, time);
  const double room = cells * (1 << setting.domain.lattice.dims());
  return room > double(particles) ? std::uint64_t(room - double(particles)) : 0;
}

}  // namespace silt
