#include "silt/solve/plain_runs.h"

namespace silt {

namespace {

/// The weights of a cell's faces, host side.
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

  bool all(int i, float weight) const {
    return (diagonal[i] > 0) & (x[i] == weight) & (x[i + 1] == weight) &
           (flat_y | ((y[i] == weight) & (y[i + sy] == weight))) &
           (flat_z | ((z[i] == weight) & (z[i + sz] == weight)));
  }
};

float first_plain_weight(const Box& cells, const Layout& layout, const Faces& faces) {
  for (int z = cells.lo.z; z < cells.hi.z; ++z)
    for (int y = cells.lo.y; y < cells.hi.y; ++y)
      for (int x = cells.lo.x; x < cells.hi.x; ++x) {
        const int i = layout.index(x, y, z);
        if (faces.x[i] > 0 && faces.all(i, faces.x[i])) return faces.x[i];
      }
  return 0;
}

}  // namespace

PlainRuns find_plain_runs(const Exec& exec, const Box& cells, const MacField<float>& weights,
                          const Field<float>& diagonal) {
  const Int3 n = cells.size();
  const int rows = n.y * n.z;
  PlainRuns runs{cells, 0, std::vector<int>(std::size_t(rows), cells.lo.x),
                 std::vector<int>(std::size_t(rows), cells.lo.x)};
  if (!exec.on_cpu()) return runs;
  const Faces faces(weights, diagonal);
  const Layout& layout = weights.layout();
  runs.weight = first_plain_weight(cells, layout, faces);
  if (runs.weight == 0) return runs;
#pragma omp parallel num_threads(exec.threads()) if (exec.shares(cells.count()))
  {
    std::vector<unsigned char> plain(std::size_t(n.x));
#pragma omp for schedule(static)
    for (int row = 0; row < rows; ++row) {
      const int start = layout.index(cells.lo.x, cells.lo.y + row % n.y, cells.lo.z + row / n.y);
      for (int x = 0; x < n.x; ++x) plain[std::size_t(x)] = faces.all(start + x, runs.weight);
      int longest = 0;
      for (int x = 0, length = 0; x < n.x; ++x) {
        length = plain[std::size_t(x)] ? length + 1 : 0;
        if (length <= longest) continue;
        longest = length;
        runs.end[std::size_t(row)] = cells.lo.x + x + 1;
        runs.begin[std::size_t(row)] = runs.end[std::size_t(row)] - length;
      }
    }
  }
  return runs;
}

}  // namespace silt
