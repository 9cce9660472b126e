#include "silt/sim/scene_shapes.h"

#include <algorithm>
#include <optional>
#include <set>

#include "silt/core/text.h"
#include "silt/sim/people.h"

namespace silt {
namespace {

constexpr double endless = 1e30;          // [m]; how far a box reaches along a flat axis
constexpr std::size_t most_nodes = 4096;  // of one shape's recipe: every cell walks it
constexpr std::size_t deepest = 100;      // shapes made of shapes made of ...
constexpr std::size_t most_looks = 20000;

class Builder {
 public:
  Builder(const SceneBlocks& scene, Diagnostics& report) : blocks_(scene), diagnostics_(report) {}

  std::map<std::string, Shape> run() {
    for (const ReadBlock<ShapeParams>& block : blocks_.shapes) build(block.name(), nullptr);
    return std::move(done_);
  }

 private:
  const ReadBlock<ShapeParams>* find(const std::string& name) const {
    for (const ReadBlock<ShapeParams>& block : blocks_.shapes)
      if (block.name() == name) return &block;
    return nullptr;
  }

  /// Puts the shape into done_ and answers it; nullptr when it has something wrong with it. `from` is who asks.
  const Shape* build(const std::string& name, const Location* from) {
    if (const auto at = done_.find(name); at != done_.end()) return &at->second;
    const ReadBlock<ShapeParams>* block = find(name);
    if (!block || failed_.count(name)) return nullptr;
    if (const auto at = std::find(path_.begin(), path_.end(), name); at != path_.end()) {
      report_cycle({at, path_.end()}, *from);
      return nullptr;
    }
    if (path_.size() >= deepest) {
      diagnostics_.error(*from, str("shapes are nested more than ", deepest, " deep"));
      failed_.insert(name);
      return nullptr;
    }
    path_.push_back(name);
    std::optional<Shape> shape;
    if (block->good) shape = make(*block);
    path_.pop_back();
    if (!shape) {
      failed_.insert(name);
      return nullptr;
    }
    return &done_.emplace(name, std::move(*shape)).first->second;
  }

  void report_cycle(const std::vector<std::string>& names, const Location& from) {
    std::string chain = "'" + names.front() + "'";
    for (std::size_t i = 1; i < names.size(); ++i) chain += " is made of '" + names[i] + "', which";
    chain += " is made of '" + names.front() + "'";
    diagnostics_.error(
        from, names.size() == 1 ? "shape '" + names[0] + "' is made of itself" : "shapes go in a circle: " + chain,
        "make one of them a box or a sphere");
  }

  std::optional<Shape> make(const ReadBlock<ShapeParams>& block) {
    const ShapeParams& p = block.values;
    if (p.sphere) return Shape::sphere(p.sphere->center, p.sphere->radius);
    if (p.box) return make_box(block);
    std::optional<Shape> shape = p.parts() ? combine(block) : std::nullopt;
    if (shape && is_empty(*shape)) {
      const std::string how = p.intersection ? "the shapes it is made of do not overlap"
                              : p.difference ? "what is taken away covers all of '" + p.difference->front() + "'"
                                             : "";
      diagnostics_.error(block.block.key_where(kind(p)), "shape '" + block.name() + "' is empty", how);
      return {};
    }
    return shape;
  }

  static std::string kind(const ShapeParams& p) {
    return p.unite ? "union" : p.intersection ? "intersection" : "difference";
  }

  std::optional<Shape> make_box(const ReadBlock<ShapeParams>& block) {
    const BoxParams& b = *block.values.box;
    const bool corners = b.min && b.max && !b.center && !b.size, extent = b.size && !b.min && !b.max;
    if (!corners && !extent) {
      diagnostics_.error(block.block.key_where("box"), "a box needs min and max, or center and size",
                         "for example box = { min = " + vector_text({0, 0, 0}, blocks_.dims) +
                             ", max = " + vector_text({1, 1, 1}, blocks_.dims) + " }");
      return {};
    }
    const Vec3d middle = b.center.value_or(Vec3d{});
    Vec3d low = corners ? *b.min : middle - *b.size * 0.5, high = corners ? *b.max : middle + *b.size * 0.5;
    for (int axis = 0; axis < blocks_.dims; ++axis)
      if (low[axis] >= high[axis]) {
        diagnostics_.error(block.where(corners ? "box.max" : "box.size"),
                           str("the box is empty: along ", "xyz"[axis], " it goes from ", short_text(low[axis]), " to ",
                               short_text(high[axis])),
                           corners ? "max must be above min" : "its size is lost in rounding so far out");
        return {};
      }
    for (int axis = blocks_.dims; axis < 3; ++axis) {
      low[axis] = -endless;
      high[axis] = endless;
    }
    return Shape::box(low, high);
  }

  std::optional<Shape> combine(const ReadBlock<ShapeParams>& block) {
    const ShapeParams& p = block.values;
    const std::vector<std::string>& names = *p.parts();
    const std::string list = kind(p);
    const std::size_t fewest = p.difference ? 2 : 1;
    if (names.size() < fewest) {
      diagnostics_.error(block.where(list),
                         "a " + list + " needs the names of at least " + (fewest == 2 ? "two shapes" : "one shape"),
                         p.difference ? "the first, and what is taken away from it" : "");
      return {};
    }
    std::optional<Shape> out;
    bool good = true;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Location& where = block.where(str(list, '.', i));
      const Shape* part = build(names[i], &where);
      good = good && part;
      if (!good) continue;
      if (out && out->nodes().size() + part->nodes().size() >= most_nodes) {
        diagnostics_.error(where, str("shape '", block.name(), "' is made of more than ", most_nodes / 2, " pieces"));
        return {};
      }
      try {
        out = !out             ? *part
              : p.unite        ? Shape::unite(*out, *part)
              : p.intersection ? Shape::intersect(*out, *part)
                               : Shape::subtract(*out, *part);
      } catch (const InputError& e) {
        diagnostics_.error(where, e.what());
        return {};
      }
    }
    return good ? out : std::nullopt;
  }

  bool is_empty(const Shape& shape) const {
    Shape::Bounds b = shape.bounds();
    for (int axis = 0; axis < 3; ++axis) {
      if (axis >= blocks_.dims) b.lowest[axis] = b.highest[axis] = 0;
      if (axis < blocks_.dims && b.lowest[axis] >= b.highest[axis]) return true;
    }
    return negative_somewhere([&](const Vec3d& x) { return shape.distance(x); }, b.lowest, b.highest) == Somewhere::no;
  }

  const SceneBlocks& blocks_;
  Diagnostics& diagnostics_;
  std::map<std::string, Shape> done_;
  std::set<std::string> failed_;
  std::vector<std::string> path_;  // from the shape first asked for down to the one being made
};

}  // namespace

std::map<std::string, Shape> build_shapes(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  return Builder(blocks, diagnostics).run();
}

Somewhere negative_somewhere(const std::function<double(const Vec3d&)>& f, const Vec3d& lowest, const Vec3d& highest) {
  // Boxes still open, largest first: one whose middle is farther from zero than its corners are from the middle is
  // done.
  struct Part {
    Vec3d middle, half;
  };
  std::vector<Part> open{{(lowest + highest) * 0.5, (highest - lowest) * 0.5}};
  for (std::size_t next = 0; next < open.size(); ++next) {
    const Part part = open[next];
    const double value = f(part.middle);
    if (value < 0) return Somewhere::yes;
    if (value >= length(part.half)) continue;
    if (open.size() > most_looks) return Somewhere::unknown;
    const int axis = part.half.x >= part.half.y && part.half.x >= part.half.z ? 0 : part.half.y >= part.half.z ? 1 : 2;
    for (const double to : {-0.5, 0.5}) {
      Part child = part;
      child.half[axis] *= 0.5;
      child.middle[axis] += to * part.half[axis];
      open.push_back(child);
    }
  }
  return Somewhere::no;
}

}  // namespace silt
