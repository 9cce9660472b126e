#include "silt/physics/sand/bearing_cells.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "silt/core/loops.h"
#include "silt/fields/row_spans.h"

namespace silt {
namespace {

struct FindPressed {
  int dims;
  float within;
  View<const float> friction, cohesion, slack;
  MacView<const float> open;
  MacView<const double> u;
  View<unsigned char> out;
  SILT_HD void operator()(Cell c) const {
    double outflow = 0;
    for (int a = 0; a < dims; ++a) {
      const Cell up = c + unit(a);
      outflow += open[a](up) * u[a](up) - open[a](c) * u[a](c);
    }
    const bool bears = (-outflow - slack(c) > within) | (cohesion(c) > 0);
    out(c) = (unsigned char)(!(friction(c) > 0) ? Pressed::empty : bears ? Pressed::bears : Pressed::flies);
  }
};

struct BearingSpeed {
  int dims;
  double least, per_square;
  View<const double> pressure;
  MacView<const float> open, u;
  SILT_HD double operator()(Cell c) const {
    if (!(pressure(c) > least)) return 0;
    double squares = 0;
    for (int a = 0; a < dims; ++a) {
      const Cell up = c + unit(a);
      const double low = open[a](c) > 0 ? u[a](c) : 0.0f, high = open[a](up) > 0 ? u[a](up) : 0.0f;
      const double through = low * high > 0 ? (low * low < high * high ? low * low : high * high) : 0.0;
      squares += through;
    }
    return pressure(c) > per_square * squares ? std::sqrt(squares) : 0.0;
  }
};

/// Cells of grains side by side in a row.
struct Run {
  int begin, end;
  int clump;  ///< another run of the same clump, or itself
};

/// Which runs are of one clump: a forest whose roots stand for clumps.
class Clumps {
 public:
  std::vector<Run> runs;
  std::vector<char> bears;  ///< of each run; then of the clump, at its root

  int root(int n) {
    while (runs[std::size_t(n)].clump != n) {
      int& up = runs[std::size_t(n)].clump;
      up = runs[std::size_t(up)].clump;
      n = up;
    }
    return n;
  }
  void join(int a, int b) {
    a = root(a), b = root(b);
    runs[std::size_t(std::max(a, b))].clump = std::min(a, b);
    bears[std::size_t(std::min(a, b))] |= bears[std::size_t(std::max(a, b))];
  }
  /// Runs a0 to a1 of one row with b0 to b1 of a row beside it, both in order along x.
  void join_rows(int a0, int a1, int b0, int b1) {
    while (a0 < a1 && b0 < b1) {
      const Run &a = runs[std::size_t(a0)], &b = runs[std::size_t(b0)];
      if (a.begin <= b.end && b.begin <= a.end) join(a0, b0);
      a.end < b.end ? ++a0 : ++b0;
    }
  }
};

}  // namespace

void find_pressed(const Exec& exec, const Domain& domain, const GrainFields& fields, const MacField<double>& u,
                  double within, Field<unsigned char>& out) {
  for_each_cell(
      exec, "sand.pressed", domain.cells,
      FindPressed{domain.lattice.dims(), float(within), fields.friction.read(exec), fields.cohesion.read(exec),
                  fields.slack.read(exec), fields.open.read(exec), u.read(exec), out.update(exec)});
}

double bearing_speed(const Exec& exec, const Domain& domain, const Field<double>& pressure, double least, double kick,
                     const MacField<float>& open, const MacField<float>& velocity) {
  const BearingSpeed kernel{domain.lattice.dims(), least,           kick / domain.lattice.h,
                            pressure.read(exec),   open.read(exec), velocity.read(exec)};
  return std::max(0.0, reduce<Max>(exec, "sand.bearing_speed", domain.cells, kernel));  // of none: 0
}

RowSpans bearing_cells(const Cells& cells, Int3 active, const Field<unsigned char>& marks) {
  const int ny = cells.size().y, rows = cells.row_count();
  const unsigned char* values = marks.values().host();
  Clumps clumps;
  std::vector<int> first(std::size_t(rows) + 1, 0);  // run of each row
  for (int n = 0; n < rows; ++n) {
    const int y = cells.row_y(n), z = cells.row_z(n);
    cells.visit_row(y, z, [&](int x0, int x1) {
      const unsigned char* row = values + marks.layout().index(Cell{x0, y, z}) - x0;
      for (int x = x0; x < x1; ++x) {
        if (row[x] == int(Pressed::empty)) continue;
        char bears = 0;
        const int begin = x, number = int(clumps.runs.size());
        for (; x < x1 && row[x] != int(Pressed::empty); ++x) bears |= row[x] == int(Pressed::bears);
        clumps.runs.push_back({begin, x, number}), clumps.bears.push_back(bears);
      }
    });
    first[std::size_t(n) + 1] = int(clumps.runs.size());
    const auto join_with = [&](int other) {
      clumps.join_rows(first[std::size_t(n)], first[std::size_t(n) + 1], first[std::size_t(other)],
                       first[std::size_t(other) + 1]);
    };
    const int row = n % ny, plane = n - row;
    if (row > 0) join_with(n - 1);
    for (int next = std::max(row - 1, 0); plane > 0 && next <= std::min(row + 1, ny - 1); ++next)
      join_with(plane - ny + next);
  }
  RowMarks out(cells);
  for (int n = 0; n < rows; ++n)
    for (int r = first[std::size_t(n)]; r < first[std::size_t(n) + 1]; ++r)
      if (clumps.bears[std::size_t(clumps.root(r))])
        out.set(clumps.runs[std::size_t(r)].begin - 1, clumps.runs[std::size_t(r)].end, cells.row_y(n), cells.row_z(n));
  if (active.y) out.grow(1, 1);
  if (active.z) out.grow(2, 1);
  out.keep(RowMarks(*cells.rows));
  return out.spans();
}

}  // namespace silt
