#include "silt/solve/split_cells.h"

#include <algorithm>
#include <array>
#include <utility>

#include "silt/fields/cell_at.h"

namespace silt {

namespace {

constexpr int most_parts = 4;  ///< of one cell; further ones share the last
/// Cells' work that one cell to be divided is, to judge whether a loop is worth sharing.
constexpr std::int64_t cells_each = 64;

/// The row of an unknown's links; -1: it has none.
int row_of(const Links& links, int i) {
  const int *begin = links.row.host(), *end = begin + links.rows(), *found = std::lower_bound(begin, end, i);
  return found != end && *found == i ? int(found - begin) : -1;
}

/// A level as a graph: its unknowns by index, their couplings on the lattice and beyond it.
class Graph {
 public:
  explicit Graph(const Level& level) : level_(level), inverse_(level.inverse.values().host()) {
    for (int a = 0; a < 3; ++a) weight_[a] = level.weights()[a].values().host();
  }

  bool on_lattice(int i) const { return i < level_.lattice.size; }
  bool unknown(int i) const { return inverse_[i] > 0; }
  Cell cell(int i) const {
    return on_lattice(i) ? cell_at(level_.lattice, i) : level_.home[i - int(level_.lattice.size)];
  }

  /// visit(j, weight, axis) for each face of cell i with a weight; j = -1 for what is held at zero.
  template <class Visit>
  void for_each_face(int i, const Visit& visit) const {
    const Cell c = cell(i);
    for (int a = 0; a < 3; ++a) {
      if (!level_.lattice.active[a]) continue;
      for (int end = 0; end < 2; ++end) {
        const float w = weight_[a][level_.lattice.index(end == 0 ? c : c + unit(a))];
        if (!(w > 0)) continue;
        const int j = neighbour(c, a, end);
        visit(j >= 0 && unknown(j) ? j : -1, w, a);
      }
    }
  }
  /// visit(j) for each unknown that a link couples to i.
  template <class Visit>
  void for_each_link(int i, const Visit& visit) const {
    const Links& links = level_.links;
    const int row = row_of(links, i);
    if (row < 0) return;
    for (int n = links.start.host()[row]; n < links.start.host()[row + 1]; ++n) visit(links.to.host()[n]);
  }
  /// visit(j) for each cell of the box, no unknown perhaps, that an open face joins to cell i in it.
  template <class Visit>
  void for_each_neighbour(const Box& box, int i, const Visit& visit) const {
    const Cell c = cell(i);
    for (int a = 0; a < 3; ++a) {
      if (!level_.lattice.active[a]) continue;
      const int up = level_.lattice.index(c + unit(a));
      if (c[a] > box.lo[a] && weight_[a][i] > 0) visit(2 * i - up);
      if (c[a] + 1 < box.hi[a] && weight_[a][up] > 0) visit(up);
    }
  }

  /// The sum of its couplings to what is held at zero.
  float held(int i) const {
    if (level_.held.allocated()) return level_.held.values().host()[i];
    float sum = 0;
    for_each_face(i, [&](int j, float w, int) { sum += j < 0 ? w : 0; });
    return sum;
  }

 private:
  int neighbour(Cell c, int axis, int end) const {
    Cell next = end == 0 ? c - unit(axis) : c + unit(axis);
    const Box& cells = level_.domain.cells;
    if (level_.periodic(axis) && !cells.contains(next)) next[axis] += (end == 0 ? 1 : -1) * cells.size()[axis];
    return cells.contains(next) ? level_.lattice.index(next) : -1;
  }

  const Level& level_;
  const float* inverse_;
  const float* weight_[3];
};

/// The finer unknowns of the coarse cells that are looked at, and how they hang together inside their cell.
class Families {
 public:
  /// `flagged`: coarse cells, rising; those that finer unknowns off the lattice lie in are added to them.
  Families(const Exec& exec, const Level& fine, const Graph& graph, const std::vector<Cell>& flagged,
           const Level& coarse) {
    const int further = int(fine.home.size());
    std::vector<std::pair<int, int>> off_lattice;  // coarse cell, finer unknown
    for (const Cell c : flagged) first_.push_back(coarse.lattice.index(c));
    for (int n = 0; n < further; ++n) {
      const int cell = coarse.lattice.index(coarse.nesting.parent(fine.home[std::size_t(n)])),
                i = int(fine.lattice.size) + n;
      first_.push_back(cell);
      if (graph.unknown(i)) off_lattice.emplace_back(cell, i);
    }
    std::sort(first_.begin(), first_.end());
    first_.erase(std::unique(first_.begin(), first_.end()), first_.end());
    std::stable_sort(off_lattice.begin(), off_lattice.end());

    const int cells = int(first_.size());
    begin_.resize(std::size_t(cells));
    end_.resize(std::size_t(cells));
    std::vector<int> own_begin(std::size_t(cells) + 1);  // in `off_lattice`
    for (int n = 0, next = 0; n <= cells; ++n) {
      own_begin[std::size_t(n)] = next;
      if (n == cells) break;
      begin_[std::size_t(n)] = most_children * n + next;
      while (next < int(off_lattice.size()) && off_lattice[std::size_t(next)].first == first_[std::size_t(n)]) ++next;
    }
    node_.resize(std::size_t(cells) * most_children + off_lattice.size());
    part_.assign(node_.size(), -1);
#pragma omp parallel for schedule(static) num_threads(exec.threads()) if (exec.shares(cells * cells_each))
    for (int n = 0; n < cells; ++n) {
      int end = begin_[std::size_t(n)];
      const Box own = coarse.nesting.children(cell_at(coarse.lattice, first_[std::size_t(n)]));
      for (int z = own.lo.z; z < own.hi.z; ++z)  // those on the lattice first
        for (int y = own.lo.y; y < own.hi.y; ++y)
          for (int x = own.lo.x; x < own.hi.x; ++x)
            if (const int i = fine.lattice.index(x, y, z); graph.unknown(i)) node_[std::size_t(end++)] = i;
      for (int m = own_begin[std::size_t(n)]; m < own_begin[std::size_t(n) + 1]; ++m)
        node_[std::size_t(end++)] = off_lattice[std::size_t(m)].second;
      end_[std::size_t(n)] = end;
      connect(graph, own, n);
    }
  }

  int count() const {
    return int(first_.size());
  }
  int first(int n) const {
    return first_[std::size_t(n)];
  }  ///< the cell's index on the coarse lattice
  int begin(int n) const {
    return begin_[std::size_t(n)];
  }
  int end(int n) const {
    return end_[std::size_t(n)];
  }
  int node(int m) const {
    return node_[std::size_t(m)];
  }
  int part(int m) const {
    return part_[std::size_t(m)];
  }  ///< from 0

 private:
  static constexpr int most_children = 8;  ///< on the lattice

  void connect(const Graph& graph, const Box& own, int n) {
    const auto from = node_.begin() + begin(n), to = node_.begin() + end(n);
    std::array<int, most_children*(1 + most_parts)> stack;
    int parts = 0;
    for (int seed = begin(n); seed < end(n); ++seed) {
      if (part(seed) >= 0) continue;
      int depth = 0;
      const auto take = [&](int m) { part_[std::size_t(m)] = parts, stack[std::size_t(depth++)] = node(m); };
      const auto reach = [&](int j) {
        const int m = int(std::find(from, to, j) - node_.begin());
        if (m < end(n) && part(m) < 0) take(m);
      };
      take(seed);
      while (depth > 0) {
        const int i = stack[std::size_t(--depth)];
        if (graph.on_lattice(i)) graph.for_each_neighbour(own, i, reach);
        graph.for_each_link(i, reach);
      }
      ++parts;
    }
  }

  std::vector<int> first_, begin_, end_, node_, part_;
};

template <class T>
Buffer<T> buffer_of(const std::vector<T>& values) {
  Buffer<T> buffer(values.size());
  std::copy(values.begin(), values.end(), buffer.host());
  return buffer;
}

/// One entry of the coarse matrix off its lattice.
struct Coupling {
  int row, to, axis;
  float weight;
  friend bool operator<(const Coupling& a, const Coupling& b) { return a.row != b.row ? a.row < b.row : a.to < b.to; }
};

/// Sums entries of the same place, and lays them out by rows.
Links links_of(std::vector<Coupling> list) {
  std::stable_sort(list.begin(), list.end());
  std::vector<int> row, start, to;
  std::vector<float> weight;
  Links links;
  for (std::size_t n = 0; n < list.size(); ++n) {
    const Coupling& c = list[n];
    const bool new_row = row.empty() || row.back() != c.row;
    if (!new_row && to.back() == c.to) {
      weight.back() += c.weight;
      continue;
    }
    if (new_row) row.push_back(c.row), start.push_back(int(to.size()));
    to.push_back(c.to), weight.push_back(c.weight), links.axis.push_back((unsigned char)(c.axis));
  }
  start.push_back(int(to.size()));
  links.row = buffer_of(row), links.start = buffer_of(start), links.to = buffer_of(to),
  links.weight = buffer_of(weight);
  return links;
}

/// Who a finer unknown's parent is.
class Parents {
 public:
  Parents(const Level& fine, const Field<unsigned char>& part, const Level& coarse)
      : fine_(fine), coarse_(coarse), part_(part.values().host()) {
    const Splits& s = coarse.splits;
    for (std::size_t n = 0; n < s.moved.size(); ++n) moved_.emplace_back(s.moved.host()[n], s.moved_to.host()[n]);
    std::sort(moved_.begin(), moved_.end());
  }
  int operator()(int i) const {
    if (i < fine_.lattice.size && part_[i] == 0)
      return coarse_.lattice.index(coarse_.nesting.parent(cell_at(fine_.lattice, i)));
    return std::lower_bound(moved_.begin(), moved_.end(), std::pair{i, 0})->second;
  }

 private:
  const Level& fine_;
  const Level& coarse_;
  const unsigned char* part_;
  std::vector<std::pair<int, int>> moved_;
};

/// Every coupling that the coarse lattice's weights leave out: those on the finer lattice with an end that is not in
/// its cell's first part, and those that were off the lattice before.
Links couplings_off_lattice(const Exec& exec, const Level& fine, const Graph& graph, const Field<unsigned char>& part,
                            const Level& coarse) {
  const Parents parent(fine, part, coarse);
  const auto add = [&](int row, int to, float w, int axis, std::vector<Coupling>& list) {
    if (row != to) list.push_back({row, to, axis, coupling_share(coarse, axis) * w});
  };
  const Splits& s = coarse.splits;
  const unsigned char* parts = part.values().host();
  // In blocks, whose lists are put together in order: the same for any number of threads.
  constexpr int block = 512;
  const int moved = int(s.moved.size()), blocks = (moved + block - 1) / block;
  std::vector<std::vector<Coupling>> found(static_cast<std::size_t>(blocks));
#pragma omp parallel for schedule(dynamic) num_threads(exec.threads()) if (exec.shares(moved * cells_each))
  for (int b = 0; b < blocks; ++b)
    for (int n = b * block; n < std::min(moved, (b + 1) * block); ++n) {
      const int i = s.moved.host()[n], row = s.moved_to.host()[n];
      if (!graph.on_lattice(i)) continue;
      const Cell own = coarse.nesting.parent(graph.cell(i));
      graph.for_each_face(i, [&](int j, float w, int axis) {
        if (j < 0) return;
        if (parts[j] == parts[i] && coarse.nesting.parent(graph.cell(j)) == own) return;  // within the part
        const int to = parent(j);
        add(row, to, w, axis, found[std::size_t(b)]);
        if (parts[j] == 0) add(to, row, w, axis, found[std::size_t(b)]);  // it will not be asked itself
      });
    }
  std::vector<Coupling> list;
  for (const auto& one : found) list.insert(list.end(), one.begin(), one.end());
  for (std::size_t n = 0; n < coarse.home.size(); ++n) {  // each has a row, coupled or not
    const int i = int(coarse.lattice.size + n);
    list.push_back({i, i, 0, 0.0f});
  }
  const Links& links = fine.links;
  for (int r = 0; r < links.rows(); ++r)
    for (int n = links.start.host()[r]; n < links.start.host()[r + 1]; ++n)
      add(parent(links.row.host()[r]), parent(links.to.host()[n]), links.weight.host()[n], links.axis[std::size_t(n)],
          list);
  return links_of(std::move(list));
}

}  // namespace

Field<unsigned char> split_cells(const Exec& exec, const Level& fine, const std::vector<Cell>& flagged, Level& coarse) {
  const Graph graph(fine);
  Field<unsigned char> part(fine.lattice);
  unsigned char* parts = part.values().host();
  std::vector<int> unknown, start, member, moved, moved_to, moved_from;
  const Families families(exec, fine, graph, flagged, coarse);
  for (int n = 0; n < families.count(); ++n) {
    const int first = families.first(n);
    int count = 0;
    for (int m = families.begin(n); m < families.end(n); ++m)
      count = std::max(count, std::min(most_parts, 1 + families.part(m)));
    for (int p = 0; p < count; ++p) {
      int parent = first;
      if (p > 0)
        parent = int(coarse.lattice.size + coarse.home.size()), coarse.home.push_back(cell_at(coarse.lattice, first));
      unknown.push_back(parent), start.push_back(int(member.size()));
      for (int m = families.begin(n); m < families.end(n); ++m) {
        if (std::min(families.part(m), most_parts - 1) != p) continue;
        const int node = families.node(m);
        member.push_back(node);
        const bool on_lattice = graph.on_lattice(node);
        if (on_lattice) parts[node] = (unsigned char)(p);
        if (on_lattice && p == 0) continue;
        moved.push_back(node), moved_to.push_back(parent), moved_from.push_back(on_lattice ? first : -1);
      }
    }
  }
  start.push_back(int(member.size()));
  coarse.splits = {buffer_of(unknown), buffer_of(start),    buffer_of(member),
                   buffer_of(moved),   buffer_of(moved_to), buffer_of(moved_from)};
  return part;
}

namespace {

/// What the coarse unknowns of divided cells have of their members: couplings to what is held, and screens.
void sum_members(const Exec& exec, const Level& fine, const Graph& graph, Level& coarse) {
  const Field<float>* fine_screen = fine.screen_field();
  const Splits& s = std::as_const(coarse).splits;
  const int count = int(s.unknown.size());
  float* held = coarse.held.values().host();
  float* screen = fine_screen ? coarse.screen.values().host() : nullptr;
  float* held_and_screen = fine_screen ? coarse.held_and_screen.values().host() : nullptr;
  const float* own_screen = fine_screen ? fine_screen->values().host() : nullptr;
#pragma omp parallel for schedule(static) num_threads(exec.threads()) if (exec.shares(count * cells_each))
  for (int n = 0; n < count; ++n) {
    float sum = 0, of_screens = 0;
    for (int m = s.start.host()[n]; m < s.start.host()[n + 1]; ++m) {
      const int i = s.member.host()[m];
      sum += graph.held(i);
      of_screens += own_screen ? own_screen[i] : 0;
    }
    const int unknown = s.unknown.host()[n];
    held[unknown] = held_share * sum;
    if (!own_screen) continue;
    screen[unknown] = of_screens;
    held_and_screen[unknown] = held[unknown] + of_screens;
  }
}

/// Of the rows that links and divided cells have changed.
void invert_diagonals(const Exec& exec, Level& coarse) {
  const Links& links = std::as_const(coarse).links;
  const Splits& s = std::as_const(coarse).splits;
  std::vector<int> rows(s.unknown.host(), s.unknown.host() + s.unknown.size());
  rows.insert(rows.end(), links.row.host(), links.row.host() + links.rows());
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  const float* ground = std::as_const(coarse).ground()->values().host();
  const float* weight[3];
  for (int a = 0; a < 3; ++a) weight[a] = std::as_const(coarse.coarse_weights)[a].values().host();
  float* inverse = coarse.inverse.values().host();
  const int count = int(rows.size());
#pragma omp parallel for schedule(static) num_threads(exec.threads()) if (exec.shares(count * cells_each))
  for (int k = 0; k < count; ++k) {
    const int i = rows[std::size_t(k)], row = row_of(links, i);
    float sum = 0;
    for (int n = row < 0 ? 0 : links.start.host()[row]; row >= 0 && n < links.start.host()[row + 1]; ++n)
      sum += links.weight.host()[n];
    sum += ground[i];
    if (i < coarse.lattice.size)
      for (int a = 0; a < 3; ++a) {
        if (!coarse.lattice.active[a]) continue;
        sum += weight[a][i] + weight[a][coarse.lattice.index(cell_at(coarse.lattice, i) + unit(a))];
      }
    inverse[i] = sum > 0 ? 1 / sum : 0.0f;
  }
}

}  // namespace

void link_split_cells(const Exec& exec, const Level& fine, const Field<unsigned char>& part, Level& coarse) {
  const Graph graph(fine);
  coarse.links = couplings_off_lattice(exec, fine, graph, part, coarse);
  sum_members(exec, fine, graph, coarse);
  invert_diagonals(exec, coarse);
}

}  // namespace silt
