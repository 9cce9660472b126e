#include "silt/physics/common/capacity.h"

#include <utility>

#include "silt/core/loops.h"
#include "silt/fields/halo.h"
#include "silt/physics/common/crowd_kernel.h"

namespace silt {
namespace {

/// From the distance at a cell's middle, the mean of its corners'.
struct FindRoom {
  View<const float> distance;
  Int3 active;
  float inv_h;
  View<float> room;
  SILT_HD void operator()(Cell c) const {
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += distance(c + Int3{k & 1, k >> 1 & 1, k >> 2} * active);
    const float part = 0.5f + 0.125f * sum * inv_h;
    room(c) = part < 0 ? 0 : part > 1 ? 1 : part;
  }
};

struct FindCapacity {
  CrowdKernel kernel;
  View<const float> room;
  View<float> capacity;
  SILT_HD void operator()(Cell c) const {
    capacity(c) = kernel.sum([&](Int3 d) { return room(c + d); });
  }
};

}  // namespace

void find_capacity(const Exec& exec, const Domain& domain, const Field<float>& distance, Field<float>& room,
                   Field<float>& capacity) {
  const Int3 active = domain.lattice.active;
  for_each_cell(exec, "room", domain.cells,
                FindRoom{distance.read(exec), active, float(1 / domain.lattice.h), room.update(exec)});
  Domain walled = domain;  // there is no room beyond walls
  for (int a = 0; a < 3; ++a)
    for (Side& side : walled.sides[a])
      if (side == Side::wall) side = Side::open;
  fill_halo(exec, walled, domain.cells, {.open_repeats = false, .open_value = 0}, room);
  for_each_cell(exec, "capacity", domain.cells,
                FindCapacity{CrowdKernel(active), std::as_const(room).read(exec), capacity.update(exec)});
}

}  // namespace silt
