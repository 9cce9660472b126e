#include "silt/fields/extension.h"

#include <algorithm>
#include <utility>

#include "silt/core/loops.h"
#include "silt/core/scan_sort.h"
#include "silt/fields/face_corners.h"
#include "silt/fields/halo.h"

namespace silt {

namespace {

/// What is not reached is zero, as memory is that nobody has written to; what is known is highest, and each layer one
/// lower than the one before it.
constexpr unsigned char unreached = 0, is_known = 255;

SILT_HD constexpr unsigned char mark_of(int layer) {
  return static_cast<unsigned char>(is_known - layer);
}

template <class Known>
struct MarkKnown {
  Known known;
  View<unsigned char> layer;
  SILT_HD void operator()(Cell c) const {
    const int n = layer.index(c.x, c.y, c.z);
    layer.data[n] = known(n) ? is_known : unreached;
  }
};

/// The next layer: what is not reached yet, beside what is. Without branches, 32 cells at a time.
struct Grow {
  unsigned char mark;
  View<const unsigned char> before;
  View<unsigned char> after;
  SILT_HD void operator()(Cell c) const {
    const int n = after.index(c.x, c.y, c.z), y = after.stride_y, z = after.stride_z;
    const unsigned char* layer = before.data + n;
    const auto higher = [](unsigned char a, unsigned char b) { return a > b ? a : b; };
    const unsigned char nearest =
        higher(higher(higher(layer[-1], layer[1]), higher(layer[-y], layer[y])), higher(layer[-z], layer[z]));
    const unsigned char reached = nearest > mark ? mark : unreached;
    after.data[n] = higher(layer[0], reached);
  }
};

/// Parts of rows that are in use, in order: counts and places are kept layer by layer, piece by piece.
struct Piece {
  int start, length;  ///< storage index of its first cell, and cells
};
struct Pieces {
  const Piece* list;
  std::int64_t count;
  int layers;
  const unsigned char* layer;
};

struct CountTargets {
  Pieces pieces;
  std::uint32_t* counts;
  SILT_HD void operator()(std::int64_t p) const {
    const Piece piece = pieces.list[p];
    const unsigned char* here = pieces.layer + piece.start;
    for (int l = 1; l <= pieces.layers; ++l) {
      std::uint32_t count = 0;
      for (int x = 0; x < piece.length; ++x) count += here[x] == mark_of(l);
      counts[(l - 1) * pieces.count + p] = count;
    }
  }
};

struct WriteTargets {
  Pieces pieces;
  std::uint32_t total;
  const std::uint32_t* places;
  int* targets;
  SILT_HD void operator()(std::int64_t p) const {
    const Piece piece = pieces.list[p];
    for (int l = 1; l <= pieces.layers; ++l) {
      const std::int64_t n = (l - 1) * pieces.count + p;
      std::uint32_t at = places[n];
      const std::uint32_t end = n + 1 < pieces.layers * pieces.count ? places[n + 1] : total;
      for (int i = piece.start; at < end; ++i)
        if (pieces.layer[i] == mark_of(l)) targets[at++] = i;
    }
  }
};

struct ExtendLayer {
  const int* targets;
  const unsigned char* layer;
  unsigned char lowest;  ///< marks from this one on are known
  int stride_y, stride_z;
  float* values;
  SILT_HD void operator()(std::int64_t t) const {
    const int n = targets[t];
    const int neighbour[6] = {n - 1, n + 1, n - stride_y, n + stride_y, n - stride_z, n + stride_z};
    float sum = 0;
    int count = 0;
    for (int m : neighbour)
      if (layer[m] >= lowest) sum += values[m], ++count;
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
void Extension::find(const Exec& exec, const Domain& domain, const Layout& layout, int axis, const Cells& all,
                     const Cells& box, int layers, const Known& known) {
  if (!(layer_.layout() == layout) || Box(box_) != Box(box)) *this = Extension();
  if (!layer_.allocated()) {  // one by one: a copy would write to all of it
    layer_ = Field<unsigned char>(layout);
    next_ = Field<unsigned char>(layout);
  }
  domain_ = domain, axis_ = axis, all_ = all, box_ = box;
  used_.move_to(box, layer_, next_);
  begin_.clear();
  targets_ = {};
  if (box.empty()) return;
  Domain ring = domain;  // beyond sides that do not wrap nothing is known
  for (int a = 0; a < 3; ++a)
    if (!domain.periodic(a)) ring.sides[a] = {Side::open, Side::open};
  for_each_cell(exec, "extend.known", box, MarkKnown<Known>{known, layer_.update(exec)});
  for (int l = 1; l <= layers; ++l) {
    if (wraps()) fill_halo(exec, ring, box, {.open_repeats = false, .open_value = unreached}, layer_);
    for_each_cell(exec, "extend.grow", box, Grow{mark_of(l), std::as_const(layer_).read(exec), next_.update(exec)});
    std::swap(layer_, next_);
  }
  if (wraps()) fill_halo(exec, ring, box, {.open_repeats = false, .open_value = unreached}, layer_);
  list_targets(exec, layers);
  box_.rows = all_.rows = domain_.cells.rows = nullptr;  // they may be others when it is run
}

void Extension::list_targets(const Exec& exec, int layers) {
  std::vector<Piece> list;
  for (int n = 0; n < box_.row_count(); ++n) {
    const int y = box_.row_y(n), z = box_.row_z(n);
    box_.visit_row(y, z, [&](int from, int to) { list.push_back({layer_.layout().index(from, y, z), to - from}); });
  }
  if (list.empty()) return;
  Buffer<Piece> pieces(list.size());
  std::copy(list.begin(), list.end(), pieces.host());
  const auto count = std::int64_t(list.size()), length = box_.used() / count;
  const Pieces looked_at{std::as_const(pieces).read(exec), count, layers, std::as_const(layer_).values().read(exec)};
  Buffer<std::uint32_t> counts(std::size_t(layers) * list.size());
  for_each_index(exec, "extend.count", count, CountTargets{looked_at, counts.write(exec)}, length);
  const std::uint32_t total = exclusive_scan(exec, counts, counts);
  for (int l = 0; l < layers; ++l) begin_.push_back(std::as_const(counts).host()[std::size_t(l) * list.size()]);
  begin_.push_back(total);
  targets_ = Buffer<int>(total);
  for_each_index(exec, "extend.list", total > 0 ? count : 0,
                 WriteTargets{looked_at, total, std::as_const(counts).read(exec), targets_.write(exec)}, length);
}

void Extension::run(const Exec& exec, Field<float>& field, int layers) const {
  if (empty()) return;
  const Layout& layout = field.layout();
  for (std::size_t l = 1; l < begin_.size() && int(l) <= layers; ++l) {
    if (wraps()) fill_halo(exec, domain_, all_, HaloRule{}, field);
    for_each_index(exec, "extend", begin_[l] - begin_[l - 1],
                   ExtendLayer{targets_.read(exec) + begin_[l - 1], layer_.values().read(exec), mark_of(int(l) - 1),
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

void extend_faces(const Exec& exec, const Domain& domain, int axis, const MacField<float>& open, int layers,
                  Extension& out) {
  out.find(exec, domain, open.layout(), axis, domain.faces(axis), inner_faces(domain, axis), layers,
           IsOpen{open[axis].values().read(exec)});
}

Extension extend_faces(const Exec& exec, const Domain& domain, int axis, const MacField<float>& open, int layers) {
  Extension out;
  extend_faces(exec, domain, axis, open, layers, out);
  return out;
}

Extension extend_cells(const Exec& exec, const Domain& domain, const MacField<float>& open, int layers) {
  const Layout& layout = open.layout();
  Extension out;
  out.find(exec, domain, layout, -1, domain.cells, domain.cells, layers,
           HasOpenFace{open[0].values().read(exec), open[1].values().read(exec), open[2].values().read(exec),
                       layout.stride_y, layout.stride_z});
  return out;
}

}  // namespace silt
