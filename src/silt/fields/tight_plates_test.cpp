#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "silt/core/random.h"
#include "silt/fields/cut_cells.h"

namespace silt {
namespace {

Domain unit_cells(int n, int dims) {
  Domain out;
  out.lattice.active = {1, 1, dims == 3};
  if (dims == 2) out.lattice.origin.z = -0.5;
  out.cells = {{0, 0, 0}, {n, n, dims == 3 ? n : 1}};
  return out;
}

/// Without ends, `thickness` cells thick.
Shape plate(const Vec3d& middle, const Vec3d& normal, double thickness) {
  const Vec3d half = normalized(normal) * (0.5 * thickness);
  return Shape::intersect(Shape::plane(middle + half, normal), Shape::plane(middle - half, -normal));
}

Vec3d random_vector(int n, int dims) {
  return {2 * random_unit(1, n, 0) - 1, 2 * random_unit(1, n, 1) - 1, dims == 3 ? 2 * random_unit(1, n, 2) - 1 : 0};
}

/// Whether fluid finds a way through faces from one side of a plate to the other.
bool leaks(const Domain& domain, const Vec3d& middle, const Vec3d& normal, double thickness) {
  const Exec serial(Device::cpu, 1);
  CutCells cut(make_layout(domain.cells, domain.lattice.active));
  cut_cells(serial, domain, {{plate(middle, normal, thickness), {}, false}}, cut);
  const MacView<const float> open = cut.open.read(serial);
  const double clear = 0.5 * thickness + 2;  // beyond it no face is closed in part
  const auto height = [&](Cell c) { return dot(domain.lattice.centre(c) - middle, normalized(normal)); };
  const Int3 n = domain.cells.size();
  std::vector<char> reached(std::size_t(domain.cells.count()), 0);
  std::vector<Cell> next;
  const auto reach = [&](Cell c) {
    char& there = reached[(std::size_t(c.z) * n.y + c.y) * n.x + c.x];
    if (!there) next.push_back(c);
    there = 1;
  };
  for (int k = 0; k < n.z; ++k)
    for (int j = 0; j < n.y; ++j)
      for (int i = 0; i < n.x; ++i)
        if (height({i, j, k}) < -clear) reach({i, j, k});
  while (!next.empty()) {
    const Cell c = next.back();
    next.pop_back();
    if (height(c) > clear) return true;
    for (int a = 0; a < 3; ++a) {
      if (!domain.lattice.active[a]) continue;
      if (c[a] + 1 < n[a] && open[a](c + unit(a)) > 0) reach(c + unit(a));
      if (c[a] > 0 && open[a](c) > 0) reach(c - unit(a));
    }
  }
  return false;
}

// A cell measures |nx| + |ny| + |nz| along n: of a plate as thick, no cell has corners on both sides. That is 1 along
// the axes, and never more than the diagonal of a cell.
TEST(TightPlates, APlateAsThickAsACellsDiagonalIsTight) {
  for (const int dims : {2, 3}) {
    const int n = dims == 2 ? 32 : 14;
    const Domain domain = unit_cells(n, dims);
    int thinner_leak = 0;
    for (int i = 0; i < 40; ++i) {
      const Vec3d normal = random_vector(i, dims);
      const Vec3d middle = Vec3d{0.5 * n, 0.5 * n, dims == 3 ? 0.5 * n : 0} + random_vector(i + 100, dims);
      EXPECT_FALSE(leaks(domain, middle, normal, std::sqrt(double(dims)))) << normal << middle;
      thinner_leak += leaks(domain, middle, normal, 1);
      EXPECT_FALSE(leaks(domain, middle, unit(i % dims).as<double>(), 1)) << middle;
    }
    EXPECT_EQ(thinner_leak, 0) << "a slanted plate one cell thick";
  }
}

}  // namespace
}  // namespace silt
