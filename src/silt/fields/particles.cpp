#include "silt/fields/particles.h"

#include <algorithm>

#include "silt/core/loops.h"
#include "silt/fields/copy_column.h"

namespace silt {
namespace {

template <class T>
struct ClearColumn {
  T* to;
  SILT_HD void operator()(std::int64_t i) const { to[i] = T{}; }
};

}  // namespace

std::uint32_t packed_colour(const Vec3d& rgb) {
  const auto byte = [](double share) { return std::uint32_t(std::lround(255 * std::clamp(share, 0.0, 1.0))); };
  const std::uint32_t packed = byte(rgb.x) << 16 | byte(rgb.y) << 8 | byte(rgb.z);
  return packed == no_colour ? 0xfefefe : packed;
}

void reserve(const Exec& exec, Particles& particles, std::size_t capacity) {
  if (capacity <= particles.capacity()) return;
  visit(particles, [&]<class T>(const std::string&, Buffer<T>& column) {
    Buffer<T> larger(capacity);
    if (particles.count > 0)
      for_each_index(exec, "particles.grow", std::int64_t(particles.count),
                     CopyColumn<T>{column.read(exec), larger.update(exec)});
    column = std::move(larger);
  });
}

std::size_t append(const Exec& exec, Particles& particles, std::size_t more) {
  const std::size_t first = particles.count, needed = first + more;
  if (needed > particles.capacity()) reserve(exec, particles, std::max(needed, particles.capacity() * 3 / 2));
  visit(particles, [&]<class T>(const std::string&, Buffer<T>& column) {
    for_each_index(exec, "particles.clear", std::int64_t(more), ClearColumn<T>{column.update(exec) + first});
  });
  particles.count = needed;
  return first;
}

}  // namespace silt
