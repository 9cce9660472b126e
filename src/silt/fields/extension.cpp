#include "silt/fields/extension.h"

#include "silt/core/loops.h"
#include "silt/fields/face_corners.h"
#include "silt/fields/halo.h"

namespace silt {

namespace {

constexpr std::uint8_t unreached = 255;

struct ExtendLayer {
  const int* targets;
  const std::uint8_t* layer;
  std::uint8_t below;  ///< layers up to this one are known
  int stride_y, stride_z;
  float* values;
  SILT_HD void operator()(std::int64_t t) const {
    const int n = targets[t];
    const int neighbour[6] = {n - 1, n + 1, n - stride_y, n + stride_y, n - stride_z, n + stride_z};
    float sum = 0;
    int count = 0;
    for (int m : neighbour)
      if (layer[m] <= below) sum += values[m], ++count;
    values[n] = sum / float(count);
  }
};

}  // namespace

/// The layer of each index next to a periodic side, beyond it too.
void Extension::wrap(const Layout& layout, std::vector<std::uint8_t>& layer) const {
  for (int a = 0; a < 3; ++a) {
    if (!layout.active[a] || !domain_.periodic(a)) continue;
    const int period = box_.size()[a];
    for (int end = 0; end < 2; ++end) {
      Box slab = box_;
      slab.lo[a] = end == 0 ? box_.lo[a] - 1 : box_.hi[a];
      slab.hi[a] = slab.lo[a] + 1;
      const Int3 across = unit(a) * (end == 0 ? period : -period);
      for (int z = slab.lo.z; z < slab.hi.z; ++z)
        for (int y = slab.lo.y; y < slab.hi.y; ++y)
          for (int x = slab.lo.x; x < slab.hi.x; ++x)
            layer[layout.index(Cell{x, y, z})] = layer[layout.index(Cell{x, y, z} + across)];
    }
  }
}

void Extension::grow_layers(const Layout& layout, int layers, std::vector<std::uint8_t>& layer) {
  const Box& box = box_;
  const int step[3] = {1, layout.stride_y, layout.stride_z};
  std::vector<int> all;
  begin_ = {0};
  std::vector<int> open;  // not known yet
  for (int z = box.lo.z; z < box.hi.z; ++z)
    for (int y = box.lo.y; y < box.hi.y; ++y)
      for (int x = box.lo.x; x < box.hi.x; ++x)
        if (const int n = layout.index(x, y, z); layer[n] != 0) open.push_back(n);
  for (int l = 1; l <= layers && !open.empty(); ++l) {
    std::vector<int> rest;
    for (int n : open) {
      bool next_to_known = false;
      for (int s : step) next_to_known |= s != 0 && (layer[n - s] < l || layer[n + s] < l);
      (next_to_known ? all : rest).push_back(n);
    }
    for (std::size_t i = std::size_t(begin_.back()); i < all.size(); ++i) layer[all[i]] = std::uint8_t(l);
    wrap(layout, layer);
    begin_.push_back(std::int64_t(all.size()));
    open = std::move(rest);
  }
  targets_ = Buffer<int>(all.size());
  std::copy(all.begin(), all.end(), targets_.host());
}

template <class Known>
Extension::Extension(const Domain& domain, const Layout& layout, const Box& all, const Box& box, int layers,
                     const Known& known)
    : domain_(domain), all_(all), box_(box) {
  std::vector<std::uint8_t> layer(std::size_t(layout.size), unreached);
  bool all_known = true;
  for (int z = box.lo.z; z < box.hi.z; ++z)
    for (int y = box.lo.y; y < box.hi.y; ++y)
      for (int x = box.lo.x; x < box.hi.x; ++x) {
        const int n = layout.index(x, y, z);
        layer[n] = known(n) ? 0 : unreached;
        all_known &= layer[n] == 0;
      }
  if (all_known) return;
  wrap(layout, layer);
  grow_layers(layout, layers, layer);
  layer_ = Buffer<std::uint8_t>(layer.size());
  std::copy(layer.begin(), layer.end(), layer_.host());
}

void Extension::run(const Exec& exec, Field<float>& field) const {
  if (empty()) return;
  const Layout& layout = field.layout();
  bool wraps = false;
  for (int a = 0; a < 3; ++a) wraps = wraps || (layout.active[a] && domain_.periodic(a));
  for (std::size_t l = 1; l < begin_.size(); ++l) {
    if (wraps) fill_halo(exec, domain_, all_, HaloRule{}, field);
    for_each_index(exec, "extend", begin_[l] - begin_[l - 1],
                   ExtendLayer{targets_.read(exec) + begin_[l - 1], layer_.read(exec), std::uint8_t(l - 1),
                               layout.stride_y, layout.stride_z, field.values().update(exec)});
  }
}

Extension extend_faces(const Domain& domain, int axis, const MacField<float>& open, int layers) {
  const float* a = open[axis].values().host();
  return Extension(domain, open.layout(), domain.faces(axis), inner_faces(domain, axis), layers,
                   [a](int n) { return a[n] > 0; });
}

Extension extend_cells(const Domain& domain, const MacField<float>& open, int layers) {
  const Layout& layout = open.layout();
  const float *a = open[0].values().host(), *b = open[1].values().host(), *d = open[2].values().host();
  const int sy = layout.stride_y, sz = layout.stride_z;
  return Extension(domain, layout, domain.cells, domain.cells, layers, [=](int n) {
    return a[n] > 0 || a[n + 1] > 0 || b[n] > 0 || b[n + sy] > 0 || d[n] > 0 || d[n + sz] > 0;
  });
}

}  // namespace silt
