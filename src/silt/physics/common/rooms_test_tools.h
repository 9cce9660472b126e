#pragma once

// Shared by the tests of what plates hold back.

#include <vector>

#include "silt/fields/cut_cells.h"
#include "silt/fields/test_tools.h"
#include "silt/physics/common/setting.h"

namespace silt::test {

/// A vessel without a hole, with walls of so many cells.
inline Obstacle closed_box(const Vec3d& lowest, const Vec3d& highest, double walls, double h) {
  const Vec3d thick{walls * h, walls * h, walls * h};
  Obstacle out;
  out.name = "vessel";
  out.shape = Shape::subtract(Shape::box(lowest - thick, highest + thick), Shape::box(lowest, highest));
  return out;
}

/// Without ends, so many cells thick.
inline Obstacle endless_plate(const Vec3d& middle, const Vec3d& normal, double thickness, double h) {
  const Vec3d half = normalized(normal) * (0.5 * thickness * h);
  Obstacle out;
  out.name = "plate";
  out.shape = Shape::intersect(Shape::plane(middle + half, normal), Shape::plane(middle - half, -normal));
  return out;
}

/// 1 in the cells that fluid can get to from the one at x through open faces, else 0; of a setting's solids at a time.
inline Field<float> room_round(const Setting& setting, double time, const Vec3d& x) {
  const Domain& domain = setting.domain;
  const Exec serial(Device::cpu, 1);
  const Layout layout = make_layout(domain.cells, domain.lattice.active);
  CutCells cut(layout);
  cut_cells(serial, domain, place(setting.obstacles, time), cut);
  Field<float> out(layout);
  const Vec3d at = domain.lattice.to_cells(x);
  std::vector<Cell> next{{int(std::floor(at.x)), int(std::floor(at.y)), domain.lattice.active.z ? int(at.z) : 0}};
  out.at(next[0]) = 1;
  const auto reach = [&](Cell c) {
    if (domain.cells.contains(c) && out(c) == 0) out.at(c) = 1, next.push_back(c);
  };
  while (!next.empty()) {
    const Cell c = next.back();
    next.pop_back();
    for (int a = 0; a < 3; ++a) {
      if (!domain.lattice.active[a]) continue;
      if (std::as_const(cut).open[a](c + unit(a)) > 0) reach(c + unit(a));
      if (std::as_const(cut).open[a](c) > 0) reach(c - unit(a));
    }
  }
  return out;
}

}  // namespace silt::test
