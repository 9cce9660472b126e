#include "silt/fields/particle_sort.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "silt/core/loops.h"
#include "silt/core/scan_sort.h"

namespace silt {
namespace {

using Index = std::uint32_t;

/// The place of each particle's cell in the order; one past the last for what is to be taken away.
struct Place {
  ParticleView particles;
  TileOrder order;
  Box keep;
  Index* place;
  SILT_HD void operator()(std::int64_t i) const {
    const Cell c = particles.cell_at(i);
    place[i] = keep.contains(c) ? order.place(c) : Index(order.cells());
  }
};

/// Several columns together, so that the order is read once for all of them.
template <class T>
struct Gather {
  const T* from[SpareColumns<T>::count];
  T* to[SpareColumns<T>::count];
  const Index* order;
  SILT_HD void operator()(std::int64_t i) const {
    const Index at = order[i];
    for (int c = 0; c < SpareColumns<T>::count; ++c) to[c][i] = from[c][at];
  }
};

struct Identity {
  Index* out;
  SILT_HD void operator()(std::int64_t i) const { out[i] = Index(i); }
};

/// begin[n]: the first of the sorted places that is n or more.
struct FindRange {
  const Index* sorted;
  Index count;
  Index* begin;
  SILT_HD void operator()(std::int64_t n) const {
    Index low = 0, high = count;
    while (low < high) {
      const Index middle = low + (high - low) / 2;
      if (sorted[middle] < Index(n))
        low = middle + 1;
      else
        high = middle;
    }
    begin[n] = low;
  }
};

/// Those of one cell by their ids: few, and nearly in order already.
struct OrderById {
  const Index* begin;
  const std::uint64_t* id;
  Index* order;
  SILT_HD void operator()(std::int64_t cell) const {
    for (Index i = begin[cell] + 1; i < begin[cell + 1]; ++i) {
      const Index moved = order[i];
      Index at = i;
      for (; at > begin[cell] && id[order[at - 1]] > id[moved]; --at) order[at] = order[at - 1];
      order[at] = moved;
    }
  }
};

/// Particles cut into one contiguous part a thread. Where the cuts lie does not show in the result.
struct Parts {
  std::size_t n;
  int count;
  std::size_t begin(int part) const { return n * part / count; }
};

/// Indices of particles, grouped by tile: one counting sort with a counter a tile and thread. What is to be taken away
/// has a tile of its own, after the last.
void group_by_tile(int threads, const Index* place, std::size_t n, int shift, int tiles, std::vector<Index>& begin,
                   Index* order) {
  const Parts parts{n, threads};
  std::vector<std::vector<Index>> next(threads, std::vector<Index>(tiles + 1));
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int p = 0; p < threads; ++p)
    for (std::size_t i = parts.begin(p); i < parts.begin(p + 1); ++i) ++next[p][place[i] >> shift];
  begin.assign(tiles + 2, 0);
  Index sum = 0;
  for (int t = 0; t <= tiles; ++t) {
    begin[t] = sum;
    for (int p = 0; p < threads; ++p) sum += std::exchange(next[p][t], sum);
  }
  begin[tiles + 1] = sum;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int p = 0; p < threads; ++p)
    for (std::size_t i = parts.begin(p); i < parts.begin(p + 1); ++i) order[next[p][place[i] >> shift]++] = Index(i);
}

/// One tile's particles by cell: a counting sort that stays in a cache. Writes the tile's part of `begin`.
void sort_tile(const Index* place, const Index* grouped, Index first, Index last, int cells, Index* begin,
               Index* order) {
  Index next[tile_size * tile_size * tile_size] = {};
  for (Index i = first; i < last; ++i) ++next[place[grouped[i]] & Index(cells - 1)];
  Index sum = first;
  for (int c = 0; c < cells; ++c) begin[c] = sum, sum += std::exchange(next[c], sum);
  for (Index i = first; i < last; ++i) order[next[place[grouped[i]] & Index(cells - 1)]++] = grouped[i];
}

/// The order in which particles have to come, and where each cell's begin.
void order_on_cores(const Exec& exec, std::size_t n, CellRanges& ranges, SortScratch& s) {
  const TileOrder& o = ranges.order;
  const int cells = o.cells_each(), tiles = o.tiles(), shift = o.shift.x + o.shift.y + o.shift.z;
  const Index *place = s.place.read(exec), *grouped = s.next_order.read(exec);
  Index *order = s.order.write(exec), *begin = ranges.begin.write(exec);
  std::vector<Index> tile_begin;
  const int threads = exec.shares(std::int64_t(n)) ? exec.threads() : 1;
  group_by_tile(threads, place, n, shift, tiles, tile_begin, s.next_order.write(exec));
#pragma omp parallel for num_threads(threads) schedule(static, 16)
  for (int t = 0; t < tiles; ++t)
    sort_tile(place, grouped, tile_begin[t], tile_begin[t + 1], cells, begin + std::int64_t(t) * cells, order);
  begin[o.cells()] = tile_begin[tiles];
}

void order_on_device(const Exec& exec, std::size_t n, CellRanges& ranges, SortScratch& s) {
  for_each_index(exec, "particles.identity", std::int64_t(n), Identity{s.order.write(exec)});
  int bits = 1;
  while ((ranges.order.cells() >> bits) > 0) ++bits;
  sort_by_key(exec, s.place, s.order, bits);
  for_each_index(exec, "particles.ranges", ranges.order.cells() + 1,
                 FindRange{s.place.read(exec), Index(n), ranges.begin.write(exec)});
}

/// Columns of one kind in the new order.
template <class T>
void rearrange(const Exec& exec, std::int64_t count, const Index* order, const std::vector<Buffer<T>*>& columns,
               SpareColumns<T>& spare) {
  for (std::size_t first = 0; first < columns.size(); first += spare.count) {
    const int n = int(std::min<std::size_t>(spare.count, columns.size() - first));
    Gather<T> gather{{}, {}, order};
    for (int c = 0; c < spare.count; ++c) {
      const int own = std::min(c, n - 1);  // too few: the last one several times
      const Buffer<T>& column = *columns[first + own];
      Buffer<T>& to = spare.columns[own];
      if (to.size() != column.size()) to = Buffer<T>(column.size());
      gather.from[c] = column.read(exec), gather.to[c] = to.write(exec);
    }
    for_each_index(exec, "particles.gather", count, gather);
    for (int c = 0; c < n; ++c) std::swap(*columns[first + c], spare.columns[c]);
  }
}

/// Every column in the new order.
void rearrange(const Exec& exec, std::int64_t count, Particles& particles, SortScratch& s) {
  std::tuple<std::vector<Buffer<float>*>, std::vector<Buffer<int>*>, std::vector<Buffer<std::uint32_t>*>,
             std::vector<Buffer<std::uint64_t>*>>
      kinds;
  visit(particles, [&]<class T>(const std::string&, Buffer<T>& column) {
    std::get<std::vector<Buffer<T>*>>(kinds).push_back(&column);
  });
  const Index* order = s.order.read(exec);
  const auto run = [&]<class T>(const std::vector<Buffer<T>*>& columns) {
    rearrange(exec, count, order, columns, std::get<SpareColumns<T>>(s.spare));
  };
  std::apply([&](const auto&... columns) { (run(columns), ...); }, kinds);
}

void list_occupied(CellRanges& ranges) {
  const Index* begin = std::as_const(ranges.begin).host();
  const int cells = ranges.order.cells_each(), tiles = ranges.order.tiles();
  std::vector<int> list;
  for (int t = 0; t < tiles; ++t)
    if (begin[std::int64_t(t + 1) * cells] > begin[std::int64_t(t) * cells]) list.push_back(t);
  ranges.occupied = Buffer<int>(list.size());
  std::copy(list.begin(), list.end(), ranges.occupied.host());
}

}  // namespace

void sort_particles(const Exec& exec, const Domain& domain, const Layout& layout, Particles& particles,
                    CellRanges& ranges, SortScratch& scratch) {
  const std::size_t n = particles.count;
  ranges.order = TileOrder(layout);
  if (const std::size_t cells = std::size_t(ranges.order.cells()) + 1; ranges.begin.size() != cells)
    ranges.begin = Buffer<Index>(cells);
  if (scratch.place.size() < n || !exec.on_cpu())  // a sort on the device looks at whole buffers
    for (Buffer<Index>* b : {&scratch.place, &scratch.order, &scratch.next_order})
      *b = Buffer<Index>(exec.on_cpu() ? particles.capacity() : n);
  for_each_index(exec, "particles.place", std::int64_t(n),
                 Place{read(exec, particles), ranges.order, domain.cells, scratch.place.write(exec)});
  if (exec.on_cpu())
    order_on_cores(exec, n, ranges, scratch);
  else
    order_on_device(exec, n, ranges, scratch);
  for_each_index(exec, "particles.by_id", std::int64_t(ranges.order.cells()),
                 OrderById{std::as_const(ranges.begin).read(exec), std::as_const(particles.id).read(exec),
                           scratch.order.update(exec)});
  const std::size_t kept = std::as_const(ranges.begin).host()[ranges.order.cells()];
  rearrange(exec, std::int64_t(kept), particles, scratch);
  particles.died += n - kept;
  particles.count = kept;
  list_occupied(ranges);
}

}  // namespace silt
