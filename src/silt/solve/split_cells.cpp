#include "silt/solve/split_cells.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "silt/fields/cell_at.h"

namespace silt {

namespace {

constexpr int most_parts = 4;  ///< of one cell; further ones share the last

/// A level as a graph: its unknowns by index, their couplings on the lattice and beyond it.
class Graph {
 public:
  explicit Graph(const Level& level) : level_(level), inverse_(level.inverse.values().host()) {
    for (int a = 0; a < 3; ++a) weight_[a] = level.weights()[a].values().host();
    for (int r = 0; r < level.links.rows(); ++r) link_row_[level.links.row.host()[r]] = r;
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
  template <class Visit>
  void for_each_link(int i, const Visit& visit) const {
    const auto found = link_row_.find(i);
    if (found == link_row_.end()) return;
    const Links& links = level_.links;
    for (int n = links.start.host()[found->second]; n < links.start.host()[found->second + 1]; ++n)
      visit(links.to.host()[n], links.weight.host()[n], int(links.axis[std::size_t(n)]));
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
  std::unordered_map<int, int> link_row_;
};

/// The finer unknowns of each cell that is looked at: those on the lattice first.
std::map<int, std::vector<int>> children_of(const Level& fine, const Graph& graph, const std::vector<Cell>& flagged,
                                            const Level& coarse) {
  std::map<int, std::vector<int>> children;
  const auto add_lattice = [&](Cell c) {
    const auto [entry, fresh] = children.try_emplace(coarse.lattice.index(c));
    if (!fresh) return;
    const Box own = coarse.nesting.children(c);
    for (int z = own.lo.z; z < own.hi.z; ++z)
      for (int y = own.lo.y; y < own.hi.y; ++y)
        for (int x = own.lo.x; x < own.hi.x; ++x)
          if (graph.unknown(fine.lattice.index(x, y, z))) entry->second.push_back(fine.lattice.index(x, y, z));
  };
  for (const Cell c : flagged) add_lattice(c);
  for (std::size_t n = 0; n < fine.home.size(); ++n) {
    const Cell c = coarse.nesting.parent(fine.home[n]);
    add_lattice(c);
    const int i = int(fine.lattice.size) + int(n);
    if (graph.unknown(i)) children[coarse.lattice.index(c)].push_back(i);
  }
  return children;
}

/// The connected part, from 0, of each of `nodes`.
std::vector<int> connected_parts(const Graph& graph, const std::vector<int>& nodes) {
  std::vector<int> part(nodes.size(), -1), stack;
  int parts = 0;
  for (std::size_t seed = 0; seed < nodes.size(); ++seed) {
    if (part[seed] >= 0) continue;
    part[seed] = parts;
    stack.assign(1, int(seed));
    while (!stack.empty()) {
      const int i = nodes[std::size_t(stack.back())];
      stack.pop_back();
      const auto reach = [&](int j, float, int) {
        const auto found = std::find(nodes.begin(), nodes.end(), j);
        if (found == nodes.end() || part[std::size_t(found - nodes.begin())] >= 0) return;
        part[std::size_t(found - nodes.begin())] = parts;
        stack.push_back(int(found - nodes.begin()));
      };
      if (graph.on_lattice(i)) graph.for_each_face(i, reach);
      graph.for_each_link(i, reach);
    }
    ++parts;
  }
  return part;
}

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
  Parents(const Level& fine, const Level& coarse) : fine_(fine), coarse_(coarse) {
    const Splits& s = coarse.splits;
    for (std::size_t n = 0; n < s.moved.size(); ++n) moved_[s.moved.host()[n]] = s.moved_to.host()[n];
  }
  int operator()(int i) const {
    const auto found = moved_.find(i);
    return found != moved_.end() ? found->second
                                 : coarse_.lattice.index(coarse_.nesting.parent(cell_at(fine_.lattice, i)));
  }

 private:
  const Level& fine_;
  const Level& coarse_;
  std::unordered_map<int, int> moved_;
};

/// Every coupling that the coarse lattice's weights leave out: those on the finer lattice with an end that is not in
/// its cell's first part, and those that were off the lattice before.
Links couplings_off_lattice(const Level& fine, const Graph& graph, const Field<unsigned char>& part,
                            const Level& coarse) {
  const Parents parent(fine, coarse);
  std::vector<Coupling> list;
  const auto add = [&](int i, int j, float w, int axis) {
    const int row = parent(i), to = parent(j);
    if (row != to) list.push_back({row, to, axis, coupling_share(coarse, axis) * w});
  };
  const Splits& s = coarse.splits;
  for (std::size_t n = 0; n < s.moved.size(); ++n) {
    const int i = s.moved.host()[n];
    if (!graph.on_lattice(i)) continue;
    graph.for_each_face(i, [&](int j, float w, int axis) {
      if (j < 0) return;
      add(i, j, w, axis);
      if (part.values().host()[j] == 0) add(j, i, w, axis);  // it will not be asked itself
    });
  }
  for (std::size_t n = 0; n < coarse.home.size(); ++n) {  // each has a row, coupled or not
    const int i = int(coarse.lattice.size + n);
    list.push_back({i, i, 0, 0.0f});
  }
  const Links& links = fine.links;
  for (int r = 0; r < links.rows(); ++r)
    for (int n = links.start.host()[r]; n < links.start.host()[r + 1]; ++n)
      add(links.row.host()[r], links.to.host()[n], links.weight.host()[n], links.axis[std::size_t(n)]);
  return links_of(std::move(list));
}

}  // namespace

Field<unsigned char> split_cells(const Level& fine, std::vector<Cell> flagged, Level& coarse) {
  const Graph graph(fine);
  Field<unsigned char> part(fine.lattice);
  std::vector<int> unknown, start, member, moved, moved_to, moved_from;
  for (const auto& [first, nodes] : children_of(fine, graph, flagged, coarse)) {
    const std::vector<int> parts = connected_parts(graph, nodes);
    const int count = nodes.empty() ? 0 : std::min(most_parts, 1 + *std::max_element(parts.begin(), parts.end()));
    for (int p = 0; p < count; ++p) {
      int parent = first;
      if (p > 0)
        parent = int(coarse.lattice.size + coarse.home.size()), coarse.home.push_back(cell_at(coarse.lattice, first));
      unknown.push_back(parent), start.push_back(int(member.size()));
      for (std::size_t n = 0; n < nodes.size(); ++n) {
        if (std::min(parts[n], most_parts - 1) != p) continue;
        member.push_back(nodes[n]);
        const bool on_lattice = graph.on_lattice(nodes[n]);
        if (on_lattice) part.values().host()[nodes[n]] = (unsigned char)(p);
        if (on_lattice && p == 0) continue;
        moved.push_back(nodes[n]), moved_to.push_back(parent), moved_from.push_back(on_lattice ? first : -1);
      }
    }
  }
  start.push_back(int(member.size()));
  coarse.splits = {buffer_of(unknown), buffer_of(start),    buffer_of(member),
                   buffer_of(moved),   buffer_of(moved_to), buffer_of(moved_from)};
  return part;
}

void link_split_cells(const Level& fine, const Field<unsigned char>& part, Level& coarse) {
  const Field<float>* fine_screen = fine.screen_field();
  const Graph graph(fine);
  coarse.links = couplings_off_lattice(fine, graph, part, coarse);

  const Splits& s = std::as_const(coarse).splits;
  float* held = coarse.held.values().host();
  for (std::size_t n = 0; n < s.unknown.size(); ++n) {
    float sum = 0, screen = 0;
    for (int m = s.start.host()[n]; m < s.start.host()[n + 1]; ++m) {
      const int i = s.member.host()[m];
      sum += graph.held(i);
      screen += fine_screen ? fine_screen->values().host()[i] : 0;
    }
    const int unknown = s.unknown.host()[n];
    held[unknown] = held_share * sum;
    if (!fine_screen) continue;
    coarse.screen.values().host()[unknown] = screen;
    coarse.held_and_screen.values().host()[unknown] = held[unknown] + screen;
  }

  std::map<int, float> diagonal;  // of the rows that have changed
  for (std::size_t n = 0; n < s.unknown.size(); ++n) diagonal[s.unknown.host()[n]] = 0;
  const Links& links = std::as_const(coarse).links;
  for (int r = 0; r < links.rows(); ++r)
    for (int n = links.start.host()[r]; n < links.start.host()[r + 1]; ++n)
      diagonal[links.row.host()[r]] += links.weight.host()[n];
  float* inverse = coarse.inverse.values().host();
  for (auto& [i, sum] : diagonal) {
    sum += std::as_const(coarse).ground()->values().host()[i];
    if (i < coarse.lattice.size)
      for (int a = 0; a < 3; ++a) {
        if (!coarse.lattice.active[a]) continue;
        const float* w = std::as_const(coarse.coarse_weights)[a].values().host();
        sum += w[i] + w[coarse.lattice.index(cell_at(coarse.lattice, i) + unit(a))];
      }
    inverse[i] = sum > 0 ? 1 / sum : 0.0f;
  }
}

}  // namespace silt
