#include "silt/fields/lost_surface.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "silt/fields/cut_cells.h"

namespace silt {
namespace {

constexpr int block_side = 4;                // cells
constexpr std::size_t most_blocks = 400;     // that are looked at cell by cell
constexpr std::size_t most_boxes = 1 << 20;  // that are looked at to find those

class Looker {
 public:
  Looker(const Shape& solid, const Domain& domain) : shape_(solid.view()), domain_(domain), bounds_(solid.bounds()) {}

  LostSurface run() {
    const std::vector<Box> blocks = blocks_on_surface();
    const std::size_t stride = (blocks.size() + most_blocks - 1) / most_blocks;
    for (std::size_t i = 0; i < blocks.size(); i += stride) look_at_cells(blocks[i]);
    if (lost_ == 0) return {};
    const double all = lost_ + kept_;
    return {lost_ / all, apart_ / all, place_};
  }

 private:
  double distance(const Vec3d& x) { return shape_.distance(x, cursor_); }

  /// The solid's cells within the domain.
  Box reach() const {
    const Lattice& l = domain_.lattice;
    Box out = domain_.cells;
    for (int a = 0; a < 3; ++a) {
      if (!l.active[a]) continue;
      const auto index = [&](double x) {
        return int(std::clamp(std::floor((x - l.origin[a]) / l.h), double(out.lo[a] - 1), double(out.hi[a])));
      };
      const int first = index(bounds_.lowest[a]), last = index(bounds_.highest[a]);
      out.lo[a] = std::max(out.lo[a], first), out.hi[a] = std::min(out.hi[a], last + 1);
    }
    return out;
  }

  /// Boxes of cells that the surface may pass through, halved until they are small.
  std::vector<Box> blocks_on_surface() {
    std::vector<Box> open{reach()}, out;
    for (std::size_t next = 0; next < open.size() && open.size() < most_boxes; ++next) {
      const Box box = open[next];
      if (box.empty()) continue;
      const Int3 n = box.size();
      const Vec3d half = (n * domain_.lattice.active).as<double>() * (0.5 * domain_.lattice.h);
      const Vec3d middle = domain_.lattice.corner(box.lo) + half;
      if (std::abs(distance(middle)) > length(half)) continue;
      const int axis = n.x >= n.y && n.x >= n.z ? 0 : n.y >= n.z ? 1 : 2;
      if (n[axis] <= block_side) {
        out.push_back(box);
        continue;
      }
      Box low = box, high = box;
      low.hi[axis] = high.lo[axis] = box.lo[axis] + n[axis] / 2;
      open.push_back(low);
      open.push_back(high);
    }
    return out;
  }

  void look_at_cells(const Box& box) {
    for (int k = box.lo.z; k < box.hi.z; ++k)
      for (int j = box.lo.y; j < box.hi.y; ++j)
        for (int i = box.lo.x; i < box.hi.x; ++i) look_at({i, j, k});
  }

  /// Counts a cell whose middle has the nearest point of the surface in that same cell.
  void look_at(Cell c) {
    const Lattice& l = domain_.lattice;
    const Vec3d middle = l.centre(c);
    const double d = distance(middle);
    if (std::abs(d) > 0.5 * std::sqrt(double(l.dims())) * l.h) return;
    const bool seen = holds_a_corner(c, 0);
    if (!(d < 0 && !seen) && !surface_within(middle, d)) return;
    const bool apart = !seen && !holds_a_corner(c, 1);
    if (!seen && (lost_ == 0 || (apart && apart_ == 0))) place_ = middle;
    lost_ += !seen, kept_ += seen, apart_ += apart;
  }

  /// Whether the solid holds a corner of a cell, or of its neighbours as far as `around`.
  bool holds_a_corner(Cell c, int around) {
    const Lattice& l = domain_.lattice;
    const Box cells = grow({c, c + Int3{1, 1, 1}}, l.active * around);
    const Int3 last = cells.hi - Int3{1, 1, 1} + l.active;
    for (int k = cells.lo.z; k <= last.z; ++k)
      for (int j = cells.lo.y; j <= last.y; ++j)
        for (int i = cells.lo.x; i <= last.x; ++i)
          if (distance(l.corner({i, j, k})) < solid_margin * l.h) return true;
    return false;
  }

  /// Walks down the distance, which of combined shapes may be too short to get there at once.
  bool surface_within(const Vec3d& middle, double d) {
    constexpr int most_steps = 4;
    const Lattice& l = domain_.lattice;
    const double near = 0.02 * l.h;
    Vec3d x = middle;
    for (int step = 0; step < most_steps && std::abs(d) > near; ++step) {
      Vec3d slope{};
      for (int a = 0; a < 3; ++a)
        if (l.active[a]) slope[a] = distance(x + unit(a).as<double>() * (0.01 * l.h)) - d;
      x -= normalized(slope) * d;
      d = distance(x);
    }
    const Vec3d off = x - middle;
    return std::abs(d) <= near && std::max({std::abs(off.x), std::abs(off.y), std::abs(off.z)}) <= 0.5 * l.h + near;
  }

  ShapeView shape_;
  ShapeCursor cursor_;
  const Domain& domain_;
  Shape::Bounds bounds_;
  int lost_ = 0, kept_ = 0, apart_ = 0;  // cells
  Vec3d place_{};
};

}  // namespace

LostSurface lost_surface(const Shape& solid, const Domain& domain) {
  return Looker(solid, domain).run();
}

}  // namespace silt
