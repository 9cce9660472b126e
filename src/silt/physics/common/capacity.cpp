#include "silt/physics/common/capacity.h"

#include <utility>

#include "silt/core/loops.h"
#include "silt/fields/halo.h"
#include "silt/fields/plane_fraction.h"
#include "silt/fields/sampler.h"
#include "silt/fields/seed_places.h"
#include "silt/physics/common/crowd_kernel.h"

namespace silt {
namespace {

/// Each of a cell's 2^D parts is cut by the plane that has the distance and slope in its middle: exact for one plane,
/// and near enough in the tip of a wedge or a cone.
struct FindRoom {
  View<const float> distance;
  Int3 active;
  float inv_h;
  View<float> room;

  SILT_HD float part(Cell c, const Vec3f& at) const {
    const auto axis = [](int index, float weight) { return SampleAxis{index, weight}; };
    const auto value = [&](const Vec3f& f) {
      return double(Corners::at(distance, {axis(c.x, f.x), axis(c.y, f.y), axis(c.z, f.z)}).value()) * inv_h;
    };
    Vec3d slope{};
    for (int a = 0; a < 3; ++a) {
      if (!active[a]) continue;
      Vec3f low = at, high = at;
      low[a] = 0, high[a] = 1;
      slope[a] = value(high) - value(low);
    }
    return 1 - float(fraction_below(2 * value(at), slope));
  }
  SILT_HD void operator()(Cell c) const {
    float least = distance(c), most = least;
    for (int k = 1; k < 8; ++k) {
      const float d = distance(c + Int3{k & 1, k >> 1 & 1, k >> 2} * active);
      least = d < least ? d : least, most = d > most ? d : most;
    }
    float sum = 0;
    if (least >= 0) {
      sum = 1;
    } else if (most > 0) {
      float parts = 0;
      for (int k = 0; k < 8; ++k) {
        const Int3 up{k & 1, k >> 1 & 1, k >> 2};
        if (!has_part(active, k)) continue;
        Vec3f at{};
        for (int a = 0; a < 3; ++a) at[a] = active[a] ? 0.25f + 0.5f * float(up[a]) : 0.0f;
        sum += part(c, at), parts += 1;
      }
      sum /= parts;
    }
    room(c) = sum;
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
