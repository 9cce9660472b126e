#include "silt/solve/plain_runs.h"

#include <limits>

namespace silt {

namespace {

/// In shorter rows, several loops cost more than the weights they do not read.
constexpr int least_row = 32;

/// The weights of a cell's faces and its diagonal (or the inverse of that), host side.
struct Faces {
  const float *x, *y, *z, *diagonal;
  int sy, sz;
  bool flat_y, flat_z;

  Faces(const MacField<float>& w, const Field<float>& d)
      : x(w[0].values().host()),
        y(w[1].values().host()),
        z(w[2].values().host()),
        diagonal(d.values().host()),
        sy(w.layout().stride_y),
        sz(w.layout().stride_z),
        flat_y(!w.layout().active.y),
        flat_z(!w.layout().active.z) {}

  /// Whether all faces but those across x have this weight.
  bool sides(int i, float weight) const {
    return (flat_y | ((y[i] == weight) & (y[i + sy] == weight))) &
           (flat_z | ((z[i] == weight) & (z[i + sz] == weight)));
  }
};

/// Any diagonal will do.
struct AnyRow {
  Faces faces;
  bool operator()(int i, float) const { return faces.diagonal[i] > 0; }
};

/// The inverse must be that of the faces' sum.
struct BareRow {
  Faces faces;
  bool operator()(int i, float w) const {
    const float sum = bare_diagonal(faces.x[i], faces.x[i + 1], faces.flat_y ? 0 : w, faces.flat_z ? 0 : w);
    return (sum > 0) & (faces.diagonal[i] == 1 / sum);
  }
};

template <class Rule>
float first_plain_weight(const Cells& cells, const Layout& layout, const Faces& faces, const Rule& rule) {
  for (int z = cells.lo.z; z < cells.hi.z; ++z)
    for (int y = cells.lo.y; y < cells.hi.y; ++y) {
      const RowSpans::Span used = cells.hull_of_row(y, z);
      for (int x = used.begin; x < used.end; ++x) {
        const int i = layout.index(x, y, z);
        const float w = faces.x[i];
        if (w > 0 && faces.x[i + 1] == w && faces.sides(i, w) && rule(i, w)) return w;
      }
    }
  return 0;
}

struct Span {
  int begin = 0, end = 0;
};

/// Whether all cells of a row are plain, and coupled with the weight w; `start` is the first one's index. The common
/// case, and one that vectorises.
template <class Rule>
bool all_plain(const Faces& faces, const Rule& rule, int start, int count, float w) {
  int others = !(faces.sides(start, w) & rule(start, w));
  for (int i = start + 1; i < start + count; ++i) others |= !(faces.sides(i, w) & rule(i, w) & (faces.x[i] == w));
  return others == 0;
}

/// The longest run of plain cells that are coupled with the weight w; `plain` says which are.
Span longest_run(const std::vector<unsigned char>& plain, const float* weights, float w) {
  Span best, run;
  for (int x = 0; x < int(plain.size()); ++x) {
    const bool goes_on = run.end > run.begin && weights[x] == w;
    run = plain[std::size_t(x)] ? Span{goes_on ? run.begin : x, x + 1} : Span{};
    if (run.end - run.begin > best.end - best.begin) best = run;
  }
  return best;
}

template <class Rule>
PlainRuns find_runs(const Exec& exec, const Cells& cells, const MacField<float>& weights, const Faces& faces,
                    const Rule& rule) {
  const Int3 n = cells.size();
  const int rows = n.y * n.z;
  PlainRuns runs;
  runs.cells = cells;
  if (!exec.on_cpu() || n.x < least_row) return runs;
  const Layout& layout = weights.layout();
  runs.weight = first_plain_weight(cells, layout, faces, rule);
  if (!runs.any()) return runs;
  const float w = runs.weight;
  for (std::vector<int>* list : {&runs.begin, &runs.end}) list->assign(std::size_t(rows), cells.lo.x);
  for (std::vector<float>* list : {&runs.left, &runs.right}) list->assign(std::size_t(rows), w);
#pragma omp parallel num_threads(exec.threads()) if (exec.shares(cells.count()))
  {
    std::vector<unsigned char> plain(std::size_t(n.x));
#pragma omp for schedule(static)
    for (int row = 0; row < rows; ++row) {
      const int y = cells.lo.y + row % n.y, z = cells.lo.z + row / n.y;
      if (const RowSpans::Span used = cells.hull_of_row(y, z); used.begin >= used.end) continue;
      const int start = layout.index(cells.lo.x, y, z);
      Span run{0, n.x};
      if (!all_plain(faces, rule, start, n.x, w)) {
        for (int x = 0; x < n.x; ++x) plain[std::size_t(x)] = faces.sides(start + x, w) & rule(start + x, w);
        run = longest_run(plain, faces.x + start, w);
      }
      runs.begin[std::size_t(row)] = cells.lo.x + run.begin;
      runs.end[std::size_t(row)] = cells.lo.x + run.end;
      runs.left[std::size_t(row)] = faces.x[start + run.begin];
      runs.right[std::size_t(row)] = faces.x[start + run.end];
    }
  }
  return runs;
}

}  // namespace

PlainRuns find_plain_runs(const Exec& exec, const Cells& cells, const MacField<float>& weights,
                          const Field<float>& diagonal) {
  const Faces faces(weights, diagonal);
  return find_runs(exec, cells, weights, faces, AnyRow{faces});
}

PlainRuns find_bare_runs(const Exec& exec, const Cells& cells, const MacField<float>& weights,
                         const Field<float>& inverse) {
  const Faces faces(weights, inverse);
  return find_runs(exec, cells, weights, faces, BareRow{faces});
}

}  // namespace silt
