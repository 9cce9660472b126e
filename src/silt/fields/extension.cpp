#include "silt/fields/extension.h"

#include "silt/core/loops.h"
#include "silt/core/scan_sort.h"
#include "silt/fields/face_corners.h"
#include "silt/fields/halo.h"

namespace silt {

namespace {

constexpr unsigned char unreached = 255;

struct Forget {
  View<unsigned char> layer;
  SILT_HD void operator()(Cell c) const { layer(c) = unreached; }
};

template <class Known>
struct MarkKnown {
  Known known;
  View<unsigned char> layer;
  SILT_HD void operator()(Cell c) const {
    const int n = layer.index(c.x, c.y, c.z);
    layer.data[n] = known(n) ? 0 : unreached;
  }
};

/// The next layer: what is not reached yet, beside what is. Without branches, 32 cells at a time.
struct Grow {
  unsigned char number;
  View<const unsigned char> before;
  View<unsigned char> after;
  SILT_HD void operator()(Cell c) const {
    const int n = after.index(c.x, c.y, c.z), y = after.stride_y, z = after.stride_z;
    const unsigned char* layer = before.data + n;
    const auto lower = [](unsigned char a, unsigned char b) { return a < b ? a : b; };
    const unsigned char nearest =
        lower(lower(lower(layer[-1], layer[1]), lower(layer[-y], layer[y])), lower(layer[-z], layer[z]));
    const unsigned char reached = nearest < number ? number : unreached;
    after.data[n] = lower(layer[0], reached);
  }
};

/// The rows of a box along x, and the layers: counts and places are kept layer by layer, row by row.
struct Rows {
  Box box;
  SILT_HD int count() const { return box.size().y * box.size().z; }
  SILT_HD Cell first(std::int64_t row) const {
    return {box.lo.x, box.lo.y + int(row % box.size().y), box.lo.z + int(row / box.size().y)};
  }
};

struct CountTargets {
  Rows rows;
  int layers;
  View<const unsigned char> layer;
  std::uint32_t* counts;
  SILT_HD void operator()(std::int64_t row) const {
    const Cell first = rows.first(row);
    const int length = rows.box.hi.x - first.x;
    const unsigned char* here = layer.data + layer.index(first.x, first.y, first.z);
    for (int l = 1; l <= layers; ++l) {
      std::uint32_t count = 0;
      for (int x = 0; x < length; ++x) count += here[x] == l;
      counts[(l - 1) * rows.count() + row] = count;
    }
  }
};

struct WriteTargets {
  Rows rows;
  int layers;
  std::uint32_t total;
  View<const unsigned char> layer;
  const std::uint32_t* places;
  int* targets;
  SILT_HD void operator()(std::int64_t row) const {
    const Cell first = rows.first(row);
    for (int l = 1; l <= layers; ++l) {
      const std::int64_t n = std::int64_t(l - 1) * rows.count() + row;
      std::uint32_t at = places[n];
      const std::uint32_t end = n + 1 < std::int64_t(layers) * rows.count() ? places[n + 1] : total;
      for (int x = first.x; at < end; ++x)
        if (layer(x, first.y, first.z) == l) targets[at++] = layer.index(x, first.y, first.z);
    }
  }
};

struct ExtendLayer {
  const int* targets;
  const unsigned char* layer;
  unsigned char below;  ///< layers up to this one are known
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

/// u = sum_a (phi - phi_a) u_a / sum_a (phi - phi_a) over the axes a, of each the neighbour where phi is lower.
struct Upwind {
  const int* targets;
  const unsigned char* layer;
  int step[3];
  int back;  ///< from a face to the one before it: phi is that of the two cells beside it; 0 for cells
  const float *phi, *values;
  float* out;

  SILT_HD float phi_at(int n) const { return 0.5f * (phi[n] + phi[n - back]); }
  SILT_HD void operator()(std::int64_t t) const {
    const int n = targets[t];
    const float here = phi_at(n);
    float sum = 0, weight = 0;
    for (int s : step) {
      float lowest = here, value = 0;
      for (int m = n - s; s != 0 && m <= n + s; m += 2 * s) {
        const float there = phi_at(m);
        const bool lower = layer[m] != unreached && there < lowest;
        lowest = lower ? there : lowest;
        value = lower ? values[m] : value;
      }
      sum += (here - lowest) * value;
      weight += here - lowest;
    }
    out[t] = weight > 0 ? sum / weight : values[n];
  }
};

struct PutBack {
  const int* targets;
  const float* from;
  float* values;
  SILT_HD void operator()(std::int64_t t) const { values[targets[t]] = from[t]; }
};

struct IsOpen {
  const float* open;
  SILT_HD bool operator()(int n) const { return open[n] > 0; }
};

struct HasOpenFace {
  const float *x, *y, *z;
  int stride_y, stride_z;
  SILT_HD bool operator()(int n) const {
    return x[n] > 0 || x[n + 1] > 0 || y[n] > 0 || y[n + stride_y] > 0 || z[n] > 0 || z[n + stride_z] > 0;
  }
};

}  // namespace

bool Extension::wraps() const {
  bool any = false;
  for (int a = 0; a < 3; ++a) any = any || (domain_.lattice.active[a] && domain_.periodic(a));
  return any;
}

template <class Known>
Extension::Extension(const Exec& exec, const Domain& domain, const Layout& layout, int axis, const Cells& all,
                     const Cells& box, int layers, const Known& known)
    : domain_(domain), axis_(axis), all_(all), box_(box), layer_(layout) {
  if (box.empty()) return;
  Domain ring = domain;  // beyond sides that do not wrap nothing is known
  for (int a = 0; a < 3; ++a)
    if (!domain.periodic(a)) ring.sides[a] = {Side::open, Side::open};
  for_each_cell(exec, "extend.forget", layout.storage(), Forget{layer_.write(exec)});
  for_each_cell(exec, "extend.known", box, MarkKnown<Known>{known, layer_.update(exec)});
  Field<unsigned char> next = layer_;
  for (int l = 1; l <= layers; ++l) {
    if (wraps()) fill_halo(exec, ring, box, {.open_repeats = false, .open_value = unreached}, layer_);
    for_each_cell(exec, "extend.grow", box, Grow{(unsigned char)(l), layer_.read(exec), next.update(exec)});
    std::swap(layer_, next);
  }
  if (wraps()) fill_halo(exec, ring, box, {.open_repeats = false, .open_value = unreached}, layer_);
  list_targets(exec, layers);
}

void Extension::list_targets(const Exec& exec, int layers) {
  const Rows rows{box_};
  const int row_length = box_.size().x;
  Buffer<std::uint32_t> counts(std::size_t(layers) * rows.count());
  for_each_index(exec, "extend.count", rows.count(), CountTargets{rows, layers, layer_.read(exec), counts.write(exec)},
                 row_length);
  const std::uint32_t total = exclusive_scan(exec, counts, counts);
  begin_.clear();
  for (int l = 0; l < layers; ++l) begin_.push_back(std::as_const(counts).host()[std::size_t(l) * rows.count()]);
  begin_.push_back(total);
  targets_ = Buffer<int>(total);
  for_each_index(exec, "extend.list", total > 0 ? rows.count() : 0,
                 WriteTargets{rows, layers, total, layer_.read(exec), counts.read(exec), targets_.write(exec)},
                 row_length);
}

void Extension::run(const Exec& exec, Field<float>& field, int layers) const {
  if (empty()) return;
  const Layout& layout = field.layout();
  for (std::size_t l = 1; l < begin_.size() && int(l) <= layers; ++l) {
    if (wraps()) fill_halo(exec, domain_, all_, HaloRule{}, field);
    for_each_index(exec, "extend", begin_[l] - begin_[l - 1],
                   ExtendLayer{targets_.read(exec) + begin_[l - 1], layer_.values().read(exec), (unsigned char)(l - 1),
                               layout.stride_y, layout.stride_z, field.values().update(exec)});
  }
}

void Extension::run_along(const Exec& exec, const Field<float>& phi, Field<float>& field) const {
  if (empty()) return;
  run(exec, field);
  const Layout& layout = field.layout();
  const int step[3] = {1, layout.stride_y, layout.stride_z};
  Buffer<float> found(targets_.size());
  const auto count = std::int64_t(targets_.size());
  // All at once, again and again: values come from below one cell a round, and a way down is not much longer than there
  // are layers.
  const int rounds = 2 * (int(begin_.size()) - 1);
  for (int round = 0; round < rounds; ++round) {
    if (wraps()) fill_halo(exec, domain_, all_, HaloRule{}, field);
    for_each_index(exec, "extend.upwind", count,
                   Upwind{targets_.read(exec),
                          layer_.values().read(exec),
                          {step[0], step[1], step[2]},
                          axis_ < 0 ? 0 : step[axis_],
                          phi.values().read(exec),
                          field.values().read(exec),
                          found.write(exec)});
    for_each_index(exec, "extend.put_back", count,
                   PutBack{targets_.read(exec), found.read(exec), field.values().update(exec)});
  }
}

Extension extend_faces(const Exec& exec, const Domain& domain, int axis, const MacField<float>& open, int layers) {
  return Extension(exec, domain, open.layout(), axis, domain.faces(axis), inner_faces(domain, axis), layers,
                   IsOpen{open[axis].values().read(exec)});
}

Extension extend_cells(const Exec& exec, const Domain& domain, const MacField<float>& open, int layers) {
  const Layout& layout = open.layout();
  return Extension(exec, domain, layout, -1, domain.cells, domain.cells, layers,
                   HasOpenFace{open[0].values().read(exec), open[1].values().read(exec), open[2].values().read(exec),
                               layout.stride_y, layout.stride_z});
}

}  // namespace silt
