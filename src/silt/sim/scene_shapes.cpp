#include "silt/sim/scene_shapes.h"

#include <algorithm>
#include <optional>
#include <set>

#include "silt/core/text.h"
#include "silt/scene/utf8.h"
#include "silt/sim/people.h"
#include "silt/sim/shape_files.h"

namespace silt {
namespace {

constexpr double endless = 1e30;          // [m]; how far a box reaches along a flat axis
constexpr std::size_t most_nodes = 4096;  // of one shape's recipe: every cell walks it
constexpr std::size_t deepest = 100;      // shapes made of shapes made of ...
constexpr std::size_t most_looks = 20000, most_looks_of_grains = 200000;

class Builder {
 public:
  Builder(SceneBlocks& scene, Files how, Diagnostics& report) : blocks_(scene), files_(how), diagnostics_(report) {
    for (ReadBlock<ShapeParams>& block : blocks_.shapes) by_name_.emplace(block.name(), &block);
  }

  std::map<std::string, Shape> run() {
    for (const ReadBlock<ShapeParams>& block : blocks_.shapes) build(block.name(), nullptr);
    return std::move(done_);
  }

 private:
  ReadBlock<ShapeParams>* find(const std::string& name) {
    const auto at = by_name_.find(name);
    return at == by_name_.end() ? nullptr : at->second;
  }

  /// Puts the shape into done_ and answers it; nullptr when it has something wrong with it. `from` is who asks.
  const Shape* build(const std::string& name, const Location* from) {
    if (const auto at = done_.find(name); at != done_.end()) return &at->second;
    ReadBlock<ShapeParams>* block = find(name);
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
    if (block->good && check_transform(*block)) shape = make(*block);
    if (shape) shape = placed(*shape, block->values);
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

  static Shape placed(const Shape& shape, const ShapeParams& p) {
    const Similarity how{euler_xyz(p.rotate), p.move, p.scale};
    return how == Similarity{} ? shape : shape.transformed(how);
  }

  bool check_transform(const ReadBlock<ShapeParams>& block) {
    const ShapeParams& p = block.values;
    const bool turns_out = blocks_.dims < 3 && (p.rotate.x != 0 || p.rotate.y != 0);
    if (turns_out || (blocks_.dims == 1 && p.rotate.z != 0)) {
      diagnostics_.error(
          block.where("rotate"),
          str("the scene is ", blocks_.dims, "D, so a shape cannot be turned ", turns_out ? "about x or y" : "at all"),
          blocks_.dims == 2 ? "only the third number may differ from 0" : "");
      return false;
    }
    if (p.thickness && p.mesh.empty()) return refuse(block, "thickness", "'thickness' belongs to a mesh");
    if (p.sequence && (p.mesh.empty() || p.mesh.written.find('#') == std::string::npos))
      return refuse(block, "sequence", "'sequence' belongs to a mesh that moves",
                    "name its files with '#' where the numbers stand: mesh = \"foot.####.obj\"");
    if (p.digest && !p.file()) return refuse(block, "digest", "'digest' belongs to a shape that comes from a file");
    return true;
  }

  bool refuse(const ReadBlock<ShapeParams>& block, const std::string& parameter, const std::string& message,
              const std::string& hint = "") {
    diagnostics_.error(block.block.key_where(parameter), message, hint);
    return false;
  }

  std::optional<Shape> make(ReadBlock<ShapeParams>& block) {
    const ShapeParams& p = block.values;
    if (p.sphere) return Shape::sphere(p.sphere->center, p.sphere->radius);
    if (p.box) return make_box(block);
    if (p.file()) return make_from_file(block);
    if (p.copy) {
      const Shape* other = build(*p.copy, &block.where("copy"));
      return other ? std::optional<Shape>(*other) : std::nullopt;
    }
    if (!p.parts()) return make_primitive(block);
    std::optional<Shape> shape = combine(block);
    if (shape && is_empty(*shape)) {
      const std::string how = p.intersection ? "the shapes it is made of do not overlap"
                              : p.difference ? "what is taken away covers all of '" + p.difference->front() + "'"
                                             : "";
      diagnostics_.error(block.block.key_where(kind(p)), "shape '" + block.name() + "' is empty", how);
      return {};
    }
    return shape;
  }

  /// Whether two points are apart enough for an axis.
  bool has_length(const ReadBlock<ShapeParams>& block, const std::string& name, const Vec3d& from, const Vec3d& to) {
    if (length(to - from) > 1e-9 * (length(from) + length(to))) return true;
    return refuse(block, name, "the " + name + " has no length: from and to are the same place");
  }

  std::optional<Shape> make_primitive(const ReadBlock<ShapeParams>& block) {
    const ShapeParams& p = block.values;
    if (p.cylinder && has_length(block, "cylinder", p.cylinder->from, p.cylinder->to))
      return Shape::cylinder(p.cylinder->from, p.cylinder->to, p.cylinder->radius);
    if (p.capsule) {
      if (p.capsule->from == p.capsule->to) return Shape::sphere(p.capsule->from, p.capsule->radius);
      return Shape::capsule(p.capsule->from, p.capsule->to, p.capsule->radius);
    }
    if (p.cone && has_length(block, "cone", p.cone->from, p.cone->to)) {
      if (p.cone->radius > 0 || p.cone->end_radius > 0)
        return Shape::cone(p.cone->from, p.cone->to, p.cone->radius, p.cone->end_radius);
      refuse(block, "cone", "the cone is empty: both its radii are 0");
    }
    if (p.plane) {
      if (p.plane->normal != Vec3d{}) return Shape::plane(p.plane->point, p.plane->normal);
      diagnostics_.error(block.where("plane.normal"), "the plane's normal is zero", "it points out of the shape");
    }
    if (p.torus) return make_torus(block);
    return {};
  }

  std::optional<Shape> make_torus(const ReadBlock<ShapeParams>& block) {
    const TorusParams& t = *block.values.torus;
    if (t.tube > t.radius)
      diagnostics_.error(
          block.where("torus.tube"),
          str("the tube's radius ", short_text(t.tube), " is larger than the ring's, ", short_text(t.radius)),
          "the ring would have no hole");
    else if (t.axis == Vec3d{})
      diagnostics_.error(block.where("torus.axis"), "the ring's axis is zero");
    else
      return Shape::torus(t.center, t.axis, t.radius, t.tube);
    return {};
  }

  std::optional<Shape> make_from_file(ReadBlock<ShapeParams>& block) {
    ShapeParams& p = block.values;
    if (p.height_field && !check_height_field(block)) return {};
    if (files_ == Files::leave) return Shape::sphere({}, 1);
    const std::string parameter = p.height_field ? "height_field.file" : "mesh";
    try {
      FileShape out =
          p.height_field ? load_height_field(*p.height_field, blocks_.dims) : load_mesh(p, blocks_.run.values.fps);
      if (p.digest && *p.digest != out.digest) {
        diagnostics_.error(block.where("digest"),
                           "'" + p.file()->resolved.string() + "' is not what it was when this scene ran",
                           "its digest is " + out.digest + " now; leave digest out to take it as it is");
        return {};
      }
      p.digest = out.digest;
      if (!out.warning.empty()) diagnostics_.warning(block.where(parameter), out.warning);
      if (!p.mesh.empty() && !check_in_plane(block, out.shape)) return {};
      return out.shape;
    } catch (const OpenSheetError& e) {
      diagnostics_.error(block.where(parameter), "mesh '" + printable(p.mesh.written) + "' " + e.what(),
                         "close it, or give it a thickness, for example thickness = 0.01");
    } catch (const Error& e) {
      diagnostics_.error(block.where(parameter), printable(e.what()), file_hint(*p.file()));
    }
    return {};
  }

  /// A mesh is made in space, and a flat scene sees only what its plane cuts.
  bool check_in_plane(const ReadBlock<ShapeParams>& block, const Shape& shape) {
    const Shape::Bounds b = shape.bounds();
    std::string reaches;
    for (int axis = blocks_.dims; axis < 3; ++axis)
      if (b.lowest[axis] >= 0 || b.highest[axis] <= 0)
        reaches = str(": along ", "xyz"[axis], " it reaches from ", short_text(b.lowest[axis]), " to ",
                      short_text(b.highest[axis]));
    if (reaches.empty() && (blocks_.dims == 3 || shape.deforms() || !is_empty(shape))) return true;
    diagnostics_.error(block.where("mesh"),
                       str("the scene is ", blocks_.dims, "D, and mesh '", printable(block.values.mesh.written),
                           "' misses the ", blocks_.dims == 1 ? "line y = z = 0" : "plane z = 0", reaches),
                       "move it there in the file, or give domain.size three numbers");
    return false;
  }

  bool check_height_field(const ReadBlock<ShapeParams>& block) {
    const HeightFieldParams& f = *block.values.height_field;
    if (blocks_.dims == 1) return refuse(block, "height_field", "the scene is 1D, and a height field needs a width");
    for (int axis = 0; axis < blocks_.dims; ++axis)
      if (f.min[axis] >= f.max[axis]) {
        diagnostics_.error(block.where("height_field.max"),
                           str("the height field is empty: along ", "xyz"[axis], " it goes from ",
                               short_text(f.min[axis]), " to ", short_text(f.max[axis])),
                           "max must be above min");
        return false;
      }
    return true;
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
                         (list == "intersection" ? "an " : "a ") + list + " needs the names of at least " +
                             (fewest == 2 ? "two shapes" : "one shape"),
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

  SceneBlocks& blocks_;
  Files files_;
  Diagnostics& diagnostics_;
  std::map<std::string, ReadBlock<ShapeParams>*> by_name_;
  std::map<std::string, Shape> done_;
  std::set<std::string> failed_;
  std::vector<std::string> path_;  // from the shape first asked for down to the one being made
};

}  // namespace

std::map<std::string, Shape> build_shapes(SceneBlocks& blocks, Files files, Diagnostics& diagnostics) {
  return Builder(blocks, files, diagnostics).run();
}

Somewhere negative_somewhere(const std::function<double(const Vec3d&)>& f, const Vec3d& lowest, const Vec3d& highest,
                             double grain) {
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
    const int axis = part.half.x >= part.half.y && part.half.x >= part.half.z ? 0 : part.half.y >= part.half.z ? 1 : 2;
    if (2 * part.half[axis] <= grain) continue;
    if (open.size() > (grain > 0 ? most_looks_of_grains : most_looks)) return Somewhere::unknown;
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
