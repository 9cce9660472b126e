#include "silt/render/sun_shade.h"

namespace silt {
namespace {

/// Planes of cells one after the other along the axis that the sun is closest to, the sunniest first.
struct Planes {
  int axis, across, along;  ///< x is `across` unless it is the axis
  Box cells;
  bool down;  ///< the sunniest has the largest index

  int count() const { return cells.size()[axis]; }
  Cell cell(int plane, int i, int j) const {
    Cell c;
    c[axis] = down ? cells.hi[axis] - 1 - plane : cells.lo[axis] + plane;
    c[across] = cells.lo[across] + i, c[along] = cells.lo[along] + j;
    return c;
  }
};

/// A place of one plane seen from another, the same for all cells: whole cells and the rest.
struct Shift {
  int i, j;
  float p, q;

  Shift(float across, float along)
      : i(int(std::floor(across))), j(int(std::floor(along))), p(across - float(i)), q(along - float(j)) {}
};

/// Adds to row j of `sum` what `values` holds in a plane at places shifted by so much; beyond its cells it holds 0.
void add_row(const Planes& planes, const Grid<float>& values, int plane, int j, const Shift& by, float share,
             std::vector<float>& sum) {
  const int n = planes.cells.size()[planes.across], rows = planes.cells.size()[planes.along];
  const std::ptrdiff_t step = planes.across == 0 ? 1 : planes.cells.size().x;
  for (int row = 0; row < 2; ++row) {
    const int at = j + by.j + row;
    const float w = share * (row ? by.q : 1 - by.q);
    if (at < 0 || at >= rows || w == 0) continue;
    const float* from = &values.at(planes.cell(plane, 0, at));
    for (int side = 0; side < 2; ++side) {
      const float weight = w * (side ? by.p : 1 - by.p);
      const int move = by.i + side, first = std::max(0, -move), last = std::min(n, n - move);
      if (weight == 0) continue;
      for (int i = first; i < last; ++i) sum[std::size_t(i)] += weight * from[(i + move) * step];
    }
  }
}

}  // namespace

/// The way to the sun is followed `hop` planes far, by the trapezoidal rule; what the smoke beyond takes is known there
/// already, and interpolated. (Plane by plane, interpolating each time, shadows would blur to nothing.)
SunShade::SunShade(const Grid<float>& extinction, const Vec3f& to_sun, const Exec& exec)
    : through_(extinction.cells()) {
  constexpr int hop = 8;
  const int axis = std::abs(to_sun.z) >= std::max(std::abs(to_sun.x), std::abs(to_sun.y)) ? 2
                   : std::abs(to_sun.y) >= std::abs(to_sun.x)                             ? 1
                                                                                          : 0;
  const Planes planes{axis, axis == 0 ? 1 : 0, axis == 2 ? 1 : 2, extinction.cells(), to_sun[axis] > 0};
  const float way = 1 / std::abs(to_sun[axis]);  // from a plane to the next
  const float across = to_sun[planes.across] * way, along = to_sun[planes.along] * way;
  Grid<float>& depth = through_;  // optical, until the end
  const int count = planes.count(), columns = planes.cells.size()[planes.across],
            rows = planes.cells.size()[planes.along];
  for (int group = 0; group < count; group += hop) {
    const int end = std::min(group + hop, count);
#pragma omp parallel num_threads(exec.threads())
    {
      std::vector<float> sum(static_cast<std::size_t>(columns));
#pragma omp for collapse(2) schedule(static)
      for (int plane = group; plane < end; ++plane)
        for (int j = 0; j < rows; ++j) {
          std::fill(sum.begin(), sum.end(), 0.0f);
          const int far = std::min(hop, plane);
          for (int k = 0; k <= far; ++k)
            add_row(planes, extinction, plane - k, j, {across * float(k), along * float(k)},
                    k == 0 || (k == far && far == hop) ? 0.5f * way : way, sum);
          if (far == hop) add_row(planes, depth, plane - hop, j, {across * hop, along * hop}, 1, sum);
          for (int i = 0; i < columns; ++i) depth.at(planes.cell(plane, i, j)) = sum[std::size_t(i)];
        }
    }
  }
  const Box& b = through_.cells();
#pragma omp parallel for num_threads(exec.threads()) schedule(static)
  for (int z = b.lo.z; z < b.hi.z; ++z)
    for (int y = b.lo.y; y < b.hi.y; ++y)
      for (int x = b.lo.x; x < b.hi.x; ++x) through_.at({x, y, z}) = std::exp(-through_.at({x, y, z}));
}

}  // namespace silt
