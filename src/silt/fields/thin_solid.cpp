#include "silt/fields/thin_solid.h"

#include <algorithm>
#include <cmath>

namespace silt {
namespace {

constexpr int block_side = 4;          // cells
constexpr double most_work = 1 << 17;  // distances of primitives, for the cells that are sampled
constexpr double mesh_work = 32;       // a mesh's distance in those of primitives
constexpr double parallel = 0.986;     // cosine of 9.6 degrees: two sides that meet so are thin over six cells

// In cells.
constexpr double on_surface = 1e-4, gap = 1e-3, lead = 0.05, whole = 1 - 1e-3;

void thin_out(std::vector<Box>& boxes, std::size_t most) {
  if (boxes.size() <= most) return;
  for (std::size_t i = 0; i < most; ++i) boxes[i] = boxes[i * boxes.size() / most];
  boxes.resize(most);
}

class Gauge {
 public:
  Gauge(const Shape& solid, const Domain& domain, const Around& around)
      : solid_(solid), domain_(domain), around_(around), h_(domain.lattice.h) {
    for (const Shape& shape : around.others) others_.push_back({&shape, shape.bounds(), {}});
  }

  std::optional<ThinPlace> run() {
    const std::vector<Shape> parts = solid_.united_parts();
    for (const Shape& part : parts) {
      const double work = most_work / (double(parts.size()) * work_of(part));
      const std::size_t most = std::size_t(std::max(200.0, work));
      part_cursor_ = {};
      sample_cells(part, most);
      sample_small(part);
      if (domain_.lattice.dims() == 3) sample_triangles(part, most);
    }
    if (thinnest_.thickness >= whole * h_) return std::nullopt;
    return thinnest_;
  }

 private:
  double work_of(const Shape& part) const {
    double sum = 0;
    for (const ShapeNode& n : part.nodes()) sum += n.op == ShapeNode::Op::mesh ? mesh_work : 1;
    return sum * double(solid_.nodes().size()) / double(part.nodes().size());
  }

  double own(const Vec3d& x) { return solid_.view().distance(x, cursor_); }

  /// One that lies beside it. There may be thousands, so that most are told from their boxes.
  struct Other {
    const Shape* shape;
    Shape::Bounds bounds;
    ShapeCursor cursor;

    bool is_farther(const Vec3d& x, double than) const {
      return length(max(max(bounds.lowest - x, x - bounds.highest), Vec3d{})) > than;
    }
    double distance(const Vec3d& x) { return shape->view().distance(x, cursor); }
  };

  /// With the other solids and the domain's walls.
  double distance(const Vec3d& x) {
    double d = std::min(own(x), distance_of_walls(x));
    for (Other& other : others_)
      if (!other.is_farther(x, d)) d = std::min(d, other.distance(x));
    return d;
  }

  /// Whether that is at most this. What covers one place covers the next, mostly, and is asked first.
  bool is_covered(const Vec3d& x, double within) {
    if (own(x) <= within || distance_of_walls(x) <= within) return true;
    const auto covers = [&](Other& other) { return !other.is_farther(x, within) && other.distance(x) <= within; };
    const auto by = std::find_if(others_.begin(), others_.end(), covers);
    if (by == others_.end()) return false;
    std::swap(*by, others_.front());
    return true;
  }

  double distance_of_walls(const Vec3d& x) const {
    double d = 1e30;
    const Vec3d low = domain_.lower(), high = domain_.upper();
    for (int a = 0; a < 3; ++a) {
      if (!domain_.lattice.active[a] || around_.moves) continue;
      if (domain_.side(a, 0) == Side::wall) d = std::min(d, x[a] - low[a]);
      if (domain_.side(a, 1) == Side::wall) d = std::min(d, high[a] - x[a]);
    }
    return d;
  }

  /// Unit vector along the gradient of `f` at x, from differences over `reach` [m].
  template <class F>
  Vec3d direction(const F& f, const Vec3d& x, double reach) {
    Vec3d slope{};
    for (int a = 0; a < 3; ++a)
      if (domain_.lattice.active[a]) {
        const Vec3d step = unit(a).as<double>() * reach;
        slope[a] = f(x + step) - f(x - step);
      }
    const double size = length(slope);
    return size > 0 ? slope * (1 / size) : Vec3d{};
  }

  /// The cells that samples are taken in.
  Box cells_of(const Shape& part) const { return cells_round(part, domain_, around_.moves); }

  /// Of what is smaller than some cells, these do not meet every side: a finer grid does.
  void sample_small(const Shape& part) {
    constexpr int per_axis = 8;
    const Int3 on = domain_.lattice.active, n = Int3{1, 1, 1} + on * (per_axis - 1);
    const Shape::Bounds b = part.bounds();
    const Vec3d size = (b.highest - b.lowest) * on.as<double>();
    if (!(std::max({size.x, size.y, size.z}) < block_side * h_)) return;
    for (int k = 0; k < n.z; ++k)
      for (int j = 0; j < n.y; ++j)
        for (int i = 0; i < n.x; ++i) {
          const Vec3d share = (Vec3d{double(i), double(j), double(k)} + Vec3d{0.51, 0.53, 0.47}) * (1.0 / per_axis);
          const Vec3d x = (b.lowest + size * share) * on.as<double>();
          if (cells_of(part).contains(cell_of(x))) sample_near(part, x);
        }
  }

  Cell cell_of(const Vec3d& x) const {
    const Vec3d c = domain_.lattice.to_cells(x);
    return {int(std::floor(c.x)), int(std::floor(c.y)), int(std::floor(c.z))};
  }

  void sample_cells(const Shape& part, std::size_t most) {
    std::vector<Box> blocks = blocks_on_surface(part, domain_, cells_of(part), most);
    thin_out(blocks, std::max<std::size_t>(1, most / (block_side * block_side)));
    for (const Box& box : blocks)
      for (int k = box.lo.z; k < box.hi.z; ++k)
        for (int j = box.lo.y; j < box.hi.y; ++j)
          for (int i = box.lo.x; i < box.hi.x; ++i) {
            // Off the middle: half-way between two sides there is no direction to go.
            const Vec3d off = Vec3d{0.011, 0.013, 0.017} * domain_.lattice.active.as<double>() * h_;
            sample_near(part, domain_.lattice.centre({i, j, k}) + off);
          }
  }

  /// From a point within a cell of a part down to its surface, which of combined shapes takes several steps.
  void sample_near(const Shape& part, Vec3d x) {
    constexpr int most_steps = 8;
    const auto f = [&](const Vec3d& y) { return part.view().distance(y, part_cursor_); };
    Vec3d n{};
    double d = f(x);
    if (std::abs(d) > 0.5 * std::sqrt(double(domain_.lattice.dims())) * h_) return;
    for (int step = 0; step < most_steps && std::abs(d) > on_surface * h_; ++step) {
      n = direction(f, x, std::min(gap * h_, 0.5 * std::abs(d)));
      x -= n * d;
      d = f(x);
    }
    // From outside: differences over more than the thickness say nothing.
    if (n != Vec3d{} && std::abs(d) <= on_surface * h_) measure(x, direction(f, x + n * (lead * h_), gap * h_));
  }

  void sample_triangles(const Shape& part, std::size_t most) {
    const Box within = cells_of(part);
    std::size_t mesh = 0;
    for (const ShapeNode& n : part.nodes()) {
      if (n.op != ShapeNode::Op::mesh) continue;
      const std::size_t count = part.meshes()[mesh++].data->order().size(), wanted = std::min(count, most);
      for (std::size_t i = 0; i < wanted; ++i) {
        const MeshTriangle& t = n.mesh.triangles[i * count / wanted];
        const Vec3d across = cross(t.ab, t.ac);
        if (!(length(across) > 0)) continue;
        const Vec3d up = transpose(n.turn) * normalized(across);
        const Vec3d middle = transpose(n.turn) * ((t.a + (t.ab + t.ac) * (1.0 / 3)) * n.scale) + n.place;
        if (!within.contains(cell_of(middle))) continue;
        const double half = 0.5 * n.mesh.thickness * n.scale;
        for (const double side : {1.0, -1.0}) measure(middle + up * (side * half), up * side);
      }
    }
  }

  /// Straight through the solid from a point of its surface, n pointing out of it.
  void measure(const Vec3d& surface, const Vec3d& n) {
    if (is_covered(surface + n * (lead * h_), 0.5 * lead * h_)) return;  // or in a cleft
    const Vec3d x = surface - n * own(surface);
    const auto at = [&](double s) { return distance(x - n * s); };
    if (at(0.5 * h_) <= -0.5 * whole * h_) return;  // a ball as wide as a cell fits in
    double s = gap * h_, d = at(s);
    while (d <= gap * h_) {
      if (s >= h_) return;
      s += std::max(std::abs(d), std::clamp(0.5 * s, gap * h_, 0.02 * h_));
      d = at(s);
    }
    const double thickness = std::max(0.0, s - d);  // it has gone d too far
    if (thickness >= thinnest_.thickness) return;
    const double reach = std::clamp(0.1 * thickness, 1e-5 * h_, 0.02 * h_);
    const Vec3d other = x - n * (thickness + 2 * reach);
    if (dot(direction([&](const Vec3d& y) { return distance(y); }, other, reach), n) > -parallel) return;
    if (beside_thick(x - n * (0.5 * thickness))) return;
    thinnest_ = {thickness, x};
  }

  /// Whether it is a detail of something thick: within a cell a ball as wide as a cell fits in.
  bool beside_thick(const Vec3d& x) {
    const Int3 on = domain_.lattice.active;
    for (int k = -on.z; k <= on.z; ++k)
      for (int j = -on.y; j <= on.y; ++j)
        for (int i = -on.x; i <= on.x; ++i)
          if ((i || j || k) && own(x + normalized(Vec3d{double(i), double(j), double(k)}) * h_) <= -0.5 * h_)
            return true;
    return false;
  }

  const Shape& solid_;
  const Domain& domain_;
  const Around& around_;
  double h_;
  ShapeCursor cursor_, part_cursor_;
  std::vector<Other> others_;
  ThinPlace thinnest_{1e30, {}};
};

}  // namespace

Box cells_round(const Shape& solid, const Domain& domain, bool beyond) {
  const Lattice& l = domain.lattice;
  const Shape::Bounds b = solid.bounds();
  Box out = domain.cells;
  for (int a = 0; a < 3; ++a) {
    if (!l.active[a]) continue;
    constexpr double endless = 1e9;  // cells
    const double first = std::floor((b.lowest[a] - l.origin[a]) / l.h);
    const double last = std::floor((b.highest[a] - l.origin[a]) / l.h) + 1;
    const int low = out.lo[a], high = out.hi[a];
    if (beyond ? first > -endless : first > low) out.lo[a] = int(std::min(first, endless));
    if (beyond ? last < endless : last < high) out.hi[a] = int(std::max(last, -endless));
  }
  return out;
}

/// Halves boxes until they are small.
std::vector<Box> blocks_on_surface(const Shape& solid, const Domain& domain, const Box& within, std::size_t most) {
  const double h = domain.lattice.h;
  std::vector<Box> level{within}, next, out;
  ShapeCursor cursor;
  while (!level.empty()) {
    next.clear();
    for (const Box& box : level) {
      if (box.empty()) continue;
      const Int3 n = box.size();
      const Vec3d half = (n * domain.lattice.active).as<double>() * (0.5 * h);
      if (std::abs(solid.view().distance(domain.lattice.corner(box.lo) + half, cursor)) > length(half)) continue;
      const int axis = n.x >= n.y && n.x >= n.z ? 0 : n.y >= n.z ? 1 : 2;
      if (n[axis] <= block_side) {
        out.push_back(box);
        continue;
      }
      Box low = box, high = box;
      low.hi[axis] = high.lo[axis] = box.lo[axis] + n[axis] / 2;
      next.push_back(low);
      next.push_back(high);
    }
    thin_out(next, most);
    level.swap(next);
  }
  return out;
}

std::optional<ThinPlace> find_thin(const Shape& solid, const Domain& domain, const Around& around) {
  return Gauge(solid, domain, around).run();
}

}  // namespace silt
