#include <algorithm>
#include <cmath>

#include "silt/core/text.h"
#include "silt/fields/thin_solid.h"
#include "silt/sim/people.h"
#include "silt/sim/scene_checks.h"
#include "silt/sim/scene_shapes.h"

namespace silt {
namespace {

using Shapes = std::map<std::string, Shape>;

constexpr int most_instants = 5;           // of a mesh that deforms, at which its thickness is measured
constexpr std::size_t most_near = 100000;  // pairs of obstacles
constexpr int most_looks = 48;             // along an axis, when every cell of a large domain need not be looked at

/// The shape of that name, if it was made without a mistake.
const Shape* find_shape(const Shapes& shapes, const std::string& name) {
  const auto at = shapes.find(name);
  return at == shapes.end() ? nullptr : &at->second;
}

class Places {
 public:
  Places(const SceneBlocks& scene, const Domain& where, const Shapes& all, Diagnostics& report)
      : blocks_(scene), domain_(where), shapes_(all), diagnostics_(report) {
    for (const auto& b : blocks_.obstacles)
      if (std::optional<Placed> one = placed(b)) solids_.push_back({&b, std::move(*one), {}, {}});
    for (Solid& solid : solids_) solid.bounds = solid.put.shape.bounds();
  }

  Growth run() {
    const std::size_t errors = diagnostics_.errors();
    const bool room = check_room_left();
    const auto sound = [&] { return room && diagnostics_.errors() == errors; };  // else where things are says nothing
    if (!find_neighbours()) return growth_;
    for (const auto& b : blocks_.obstacles) check_inside("obstacle", b);
    for (const Solid& solid : solids_) check_thick_enough(solid);
    for (const auto& b : blocks_.sources) {
      if (check_inside("source", b) && sound()) check_buried(b);
    }
    for (const auto& b : blocks_.sinks)
      if (check_inside("sink", b) && sound()) check_buried(b);
    for (const auto& b : blocks_.fills) {
      if (b.values.shape) {
        if (check_inside("fill", b) && sound()) check_buried(b);
      }
      check_fill_repeats(b, domain_, diagnostics_);
    }
    for (const auto& b : blocks_.inflows) check_inflow(b);
    for (const auto& b : blocks_.forces) {
      if (b.values.shape) check_inside("force", b);
      check_swirls(b);
    }
    for (const auto& b : blocks_.walls) check_wall(b);
    check_outlet();
    return growth_;
  }

 private:
  /// The domain as a box whose flat axes have no thickness.
  Vec3d flat(Vec3d v) const {
    for (int axis = blocks_.dims; axis < 3; ++axis) v[axis] = 0;
    return v;
  }
  std::string domain_text() const {
    return "the domain goes from " + vector_text(domain_.lower(), blocks_.dims) + " to " +
           vector_text(domain_.upper(), blocks_.dims);
  }
  std::string bounds_text(const Shape::Bounds& b) const {
    return vector_text(b.lowest, blocks_.dims) + " to " + vector_text(b.highest, blocks_.dims);
  }

  /// All the places that a moving shape reaches, and a little more.
  Shape::Bounds reach(const Shape& shape, const Motion& motion) const {
    Shape::Bounds still = shape.transformed(motion.at(0).place).bounds();
    if (motion.turns()) {  // within a ball about its pivot
      const Shape::Bounds made = shape.bounds();
      const double radius = length(max(made.highest - motion.pivot, motion.pivot - made.lowest));
      const Vec3d middle = motion.pivot + motion.position(0), r{radius, radius, radius};
      still = {middle - r, middle + r};
    }
    const auto& keys = motion.position.keys();
    Vec3d low = keys.front().second, high = low;
    for (const auto& key : keys) {
      low = min(low, key.second);
      high = max(high, key.second);
    }
    const double swing = motion.position.between() == Between::smooth ? 1 : 0;  // a smooth path overshoots its keys
    const Vec3d more = (high - low) * swing, start = motion.position(0);
    return {still.lowest + (low - start) - more, still.highest + (high - start) + more};
  }

  /// A turned axis must stay in the plane of a 2D scene.
  void check_turns(const std::string& path, const MotionParams& motion, const Location& where) {
    if (motion.spin_axis == Vec3d{})
      diagnostics_.error(where, "the spin_axis of '" + path + "' has no direction", "z is [0, 0, 1]");
    if (blocks_.dims == 3) return;
    bool leaves = motion.spin_axis.x != 0 || motion.spin_axis.y != 0;
    for (const auto& key : motion.rotation.keys()) leaves = leaves || key.second.x != 0 || key.second.y != 0;
    if (leaves)
      diagnostics_.error(
          where, "'" + path + "' turns out of the plane of this scene",
          str("in ", blocks_.dims, "D things turn about z: rotation = [0, 0, 45], spin_axis = [0, 0, 1]"));
  }

  /// Of what cannot move: none.
  template <class S>
  static MotionParams motion_params(const S& values) {
    if constexpr (requires { values.motion; })
      return values.motion;
    else
      return {};
  }

  /// The shape where a block has it at t = 0, and whether it stays there.
  struct Placed {
    Shape shape;
    bool still;
  };
  /// An obstacle that was made without a mistake.
  struct Solid {
    const ReadBlock<ObstacleParams>* block;
    Placed put;
    Shape::Bounds bounds;
    std::vector<const Solid*> near;  ///< the others within a cell, moving ones too
  };
  template <class S>
  std::optional<Placed> placed(const ReadBlock<S>& b) const {
    const Shape* shape = find_shape(shapes_, name_of(b.values.shape));
    if (!shape) return std::nullopt;
    const Motion motion = motion_of(b, *shape);
    return Placed{shape->transformed(motion.at(0).place), motion.still() && !shape->deforms()};
  }
  template <class S>
  static Motion motion_of(const ReadBlock<S>& b, const Shape& shape) {
    const Shape::Bounds made = shape.bounds();
    return make_motion(motion_params(b.values), &made);
  }

  static const std::string& name_of(const std::string& shape) { return shape; }
  static const std::string& name_of(const std::optional<std::string>& shape) { return *shape; }

  /// Whether there is a shape, and it reaches into the domain.
  template <class S>
  bool check_inside(const std::string& kind, const ReadBlock<S>& b) {
    if (!b.good) return false;
    check_turns(b.block.path(), motion_params(b.values), b.where("motion"));
    const Shape* shape = find_shape(shapes_, name_of(b.values.shape));
    if (!shape) return false;
    const Motion motion = motion_of(b, *shape);
    const Shape::Bounds bounds = reach(*shape, motion);
    bool outside = false;
    for (int axis = 0; axis < blocks_.dims; ++axis)
      outside =
          outside || bounds.highest[axis] <= domain_.lower()[axis] || bounds.lowest[axis] >= domain_.upper()[axis];
    const bool still = motion.still() && !shape->deforms();
    const Shape there = shape->transformed(motion.at(0).place);
    if (still && !outside)
      outside = negative_somewhere([&](const Vec3d& x) { return there.distance(x); }, flat(domain_.lower()),
                                   flat(domain_.upper())) == Somewhere::no;
    if (outside) {
      diagnostics_.error(b.where("shape"),
                         "'" + b.block.path() + "' lies outside the domain: it reaches from " + bounds_text(bounds),
                         domain_text());
    } else if (still && kind != "obstacle" && covers_no_centre(there)) {
      diagnostics_.warning(b.where("shape"),
                           "'" + b.block.path() + "' holds no cell's centre, so the " + kind + " may do nothing",
                           "make it larger, or the cells (" + short_text(domain_.lattice.h) + " m) smaller");
    }
    return !outside;
  }

  /// Whether the boxes of two come within a cell of each other.
  bool are_near(const Shape::Bounds& a, const Shape::Bounds& b) const {
    const Vec3d apart = max(a.lowest - b.highest, b.lowest - a.highest);
    return std::max({apart.x, apart.y, apart.z}) < domain_.lattice.h;
  }

  /// How thick a solid is, is measured with all those beside it, which takes its time for every pair of them.
  bool find_neighbours() {
    std::vector<Solid*> along_x;
    for (Solid& solid : solids_) along_x.push_back(&solid);
    std::stable_sort(along_x.begin(), along_x.end(),
                     [](const Solid* a, const Solid* b) { return a->bounds.lowest.x < b->bounds.lowest.x; });
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < along_x.size() && pairs <= most_near; ++i)
      for (std::size_t j = i + 1; j < along_x.size() && pairs <= most_near; ++j) {
        Solid &a = *along_x[i], &b = *along_x[j];
        if (b.bounds.lowest.x - a.bounds.highest.x >= domain_.lattice.h) break;
        if (!are_near(a.bounds, b.bounds)) continue;
        a.near.push_back(&b), b.near.push_back(&a);
        ++pairs;
      }
    if (pairs <= most_near) return true;
    diagnostics_.error(solids_.front().block->where("shape"),
                       str("more than ", most_near, " pairs of obstacles lie within a cell of each other"),
                       "make one shape of those that lie together: union = [...], or a mesh");
    return false;
  }

  /// The thinnest place of a solid at any time, if it is thinner than a cell.
  std::optional<ThinPlace> thinnest(const Solid& solid) const {
    if (!solid.block->good) return std::nullopt;
    std::optional<ThinPlace> thin;
    const Shape& shape = solid.put.shape;
    const int instants = shape.deforms() ? most_instants : 1;
    const double end = (blocks_.run.values.frames - 1) / blocks_.run.values.fps;
    for (int i = 0; i < instants; ++i) {
      const Shape there = instants > 1 ? shape.at(end * i / (instants - 1)) : shape;
      const std::optional<ThinPlace> now = find_thin(there, domain_, around(solid));
      if (now && (!thin || now->thickness < thin->thickness)) thin = now;
    }
    return thin;
  }

  /// From a cell on solids are tight. What is thinner is told of, and grows until it is a cell thick.
  void check_thick_enough(const Solid& solid) {
    const std::optional<ThinPlace> thin = thinnest(solid);
    if (!thin) return;
    const ReadBlock<ObstacleParams>& b = *solid.block;
    const double h = domain_.lattice.h;
    growth_[b.name()] = 0.5 * (h - thin->thickness);
    diagnostics_.warning(b.where("shape"),
                         "'" + b.block.path() + "' is " + short_text(thin->thickness) + " m thick at " +
                             vector_text(rounded(thin->place), blocks_.dims) +
                             ", thinner than a cell: all of it is taken as " + short_text(growth_[b.name()]) +
                             " m thicker on every side, or " + blocks_.material + " would pass through it",
                         "make it " + short_text(h) + " m thick (a sheet by its thickness)" +
                             (thin->thickness > 1e-3 * h ? ", or cells " + short_text(rounded_down(thin->thickness)) +
                                                               " m instead of " + short_text(h) + " m"
                                                         : std::string()));
  }

  /// The solids that stay where they are beside one that does.
  Around around(const Solid& solid) const {
    Around out;
    out.moves = !solid.put.still;
    for (const Solid* other : solid.near)
      if (solid.put.still && other->put.still) out.others.push_back(other->put.shape);
    return out;
  }

  /// A place as people would name it: to a tenth of a cell.
  Vec3d rounded(Vec3d x) const {
    const double step = std::pow(10, std::floor(std::log10(0.1 * domain_.lattice.h)));
    for (int a = 0; a < 3; ++a) x[a] = std::round(x[a] / step) * step + 0.0;
    return x;
  }
  /// To three digits.
  static double rounded_down(double x) {
    const double step = std::pow(10, std::floor(std::log10(x)) - 2);
    return std::floor(x / step + 1e-6) * step;
  }

  /// What solids hold of a source, a sink or a fill does nothing. All of it, at the start: that is said.
  template <class S>
  void check_buried(const ReadBlock<S>& b) {
    constexpr bool begins = std::is_same_v<S, FillParams>;
    const std::optional<Placed> put = placed(b);
    if (!b.good || !put) return;
    const Shape::Bounds bounds = put->shape.bounds();
    const Vec3d low = max(flat(bounds.lowest), flat(domain_.lower()));
    const Vec3d high = min(flat(bounds.highest), flat(domain_.upper()));
    if (!(max(low, high) == high)) return;  // outside at the start
    // Its surface may be the solid's, so an eighth of a cell is the least to look for; and rounding is not free.
    const double grain = 0.125 * domain_.lattice.h, rounding = 1e-3 * grain;
    const auto buried = [&](const std::vector<const Solid*>& solids) {
      const auto free = [&](const Vec3d& x) {
        double d = put->shape.distance(x);
        for (const Solid* solid : solids) d = std::max(d, -solid->put.shape.distance(x));
        return d + rounding;
      };
      return !solids.empty() && negative_somewhere(free, low, high, grain) == Somewhere::no;
    };
    std::vector<const Solid*> near;
    std::string by;  // the one that holds all of it
    bool still = put->still;
    for (const Solid& solid : solids_) {
      if (!are_near(solid.bounds, {low, high})) continue;
      const bool stays = solid.put.still;
      if (buried({&solid}) && (by.empty() || stays)) by = solid.block->block.path(), still = put->still && stays;
      near.push_back(&solid);
    }
    if (by.empty() && !buried(near)) return;
    if (by.empty())
      still = put->still && std::all_of(near.begin(), near.end(), [](const Solid* solid) { return solid->put.still; });
    const bool for_good = begins || still;
    const std::string nothing = std::is_same_v<S, SinkParams> ? "nothing gets into it" : "nothing comes out of it";
    diagnostics_.warning(b.where("shape"), "'" + b.block.path() + "' lies inside " +
                                               (by.empty() ? "the obstacles" : "'" + by + "'") +
                                               (for_good ? "" : " at the start") + ", so " +
                                               (begins     ? "there is nothing of it"
                                                : for_good ? nothing
                                                           : nothing + " until one of them has moved"));
  }

  /// The grid has nothing smaller than two cells.
  void check_swirls(const ReadBlock<ForceParams>& b) {
    const double smallest = 2 * domain_.lattice.h;
    if (!b.good || !b.values.turbulence || b.values.turbulence->scale >= smallest) return;
    diagnostics_.warning(b.where("turbulence.scale"),
                         "swirls of " + short_text(b.values.turbulence->scale) + " m are smaller than two cells, and " +
                             "are made " + short_text(smallest) + " m large",
                         "make the cells smaller, or the scale larger");
  }

  /// True only when it is certain.
  bool covers_no_centre(const Shape& shape) const {
    const Shape::Bounds b = shape.bounds();
    const Lattice& lattice = domain_.lattice;
    Box box = domain_.cells;
    for (int axis = 0; axis < blocks_.dims; ++axis) {
      const auto index = [&](double x) { return (x - lattice.origin[axis]) / lattice.h; };
      box.lo[axis] = int(std::max(double(box.lo[axis]), std::floor(index(b.lowest[axis]))));
      box.hi[axis] = int(std::min(double(box.hi[axis]), std::ceil(index(b.highest[axis])) + 1));
      if (box.hi[axis] - box.lo[axis] > most_looks) return false;
    }
    return !any_centre(box, 1, [&](const Vec3d& x) { return shape.distance(x) <= 0; });
  }

  template <class F>
  bool any_centre(const Box& box, int stride, const F& test) const {
    for (int k = box.lo.z; k < box.hi.z; k += stride)
      for (int j = box.lo.y; j < box.hi.y; j += stride)
        for (int i = box.lo.x; i < box.hi.x; i += stride)
          if (test(domain_.lattice.centre({i, j, k}))) return true;
    return false;
  }

  /// At the start, some cell must be free.
  bool check_room_left() {
    if (solids_.empty()) return true;
    const Int3 n = domain_.cells.size();
    const int stride = std::max(1, std::max({n.x, n.y, n.z}) / most_looks);
    const bool free = any_centre(domain_.cells, stride, [&](const Vec3d& x) {
      return std::none_of(solids_.begin(), solids_.end(), [&](const Solid& s) {
        return are_near(s.bounds, {x, x}) && s.put.shape.distance(x) <= 0;
      });
    });
    if (free) return true;
    const auto& first = blocks_.obstacles.front();
    diagnostics_.error(first.where("shape"),
                       solids_.size() == 1 ? "'" + first.block.path() + "' fills the whole domain"
                                           : "the obstacles fill the whole domain",
                       "no room is left for " + blocks_.material + ": " + domain_text());
    return false;
  }

  /// Whether the scene has that side at all; a side that is no wall is reported too.
  template <class S>
  bool check_is_wall(const ReadBlock<S>& b, const std::string& wanted) {
    const int axis = int(b.values.side) / 2, end = int(b.values.side) % 2;
    const std::string& side = to_text(b.values.side);
    if (axis >= blocks_.dims) {
      diagnostics_.error(b.where("side"), str("the scene is ", blocks_.dims, "D, so it has no side ", side));
      return false;
    }
    if (const Side kind = domain_.side(axis, end); kind != Side::wall)
      diagnostics_.error(b.where("side"),
                         "side " + side + (kind == Side::open ? " is open" : " is periodic") + ", and " + wanted,
                         kind == Side::open ? "leave " + side + " out of sides in [domain]: it is then a wall"
                                            : "choose another side, or make both sides of that axis walls");
    return true;
  }

  void check_wall(const ReadBlock<WallParams>& b) {
    if (!b.good || !check_is_wall(b, "only a wall can hold what is beside it, or move")) return;
    const int axis = int(b.values.side) / 2;
    const std::string& side = to_text(b.values.side);
    for (const auto& other : blocks_.walls)
      if (other.name() < b.name() && other.values.side == b.values.side)
        diagnostics_.error(b.where("side"), "'" + other.block.path() + "' says already what " + side + " is like",
                           "a side has one [wall.NAME]");
    bool moves = false;
    for (const auto& key : b.values.velocity.keys()) {
      moves = moves || length(key.second) > 0;
      if (key.second[axis] == 0) continue;
      diagnostics_.error(b.where("velocity"),
                         "the wall's velocity " + vector_text(key.second, blocks_.dims) + " has a part along " +
                             "xyz"[axis] + ", and a wall moves only along itself",
                         str("make that part 0; an [obstacle.NAME] can move in any direction"));
      return;
    }
    const bool sand = blocks_.material == "sand";
    const double friction = b.values.friction.value_or(blocks_.sand.values.wall_friction);
    const bool slides = sand && !b.values.slip ? friction == 0 : !sticks(b.values);
    if (moves && slides)
      diagnostics_.warning(
          b.where("velocity"),
          (sand ? "sand" : "fluid") + (" slides along '" + b.block.path()) + "', so its motion does nothing",
          sand ? "give it friction, and the wall drags the sand" : "slip = \"none\" lets the wall drag the fluid");
  }

  void check_inflow(const ReadBlock<InflowParams>& b) {
    if (!b.good || !check_is_wall(b, "an inflow blows through a wall")) return;
    const int axis = int(b.values.side) / 2, end = int(b.values.side) % 2;
    check_inward(b, axis, end);
    if (b.values.shape) check_reaches_side(b, axis, end);
  }

  void check_inward(const ReadBlock<InflowParams>& b, int axis, int end) {
    const double inward = end ? -1 : 1;
    const std::string into = str("into the domain is ", end ? "-" : "+", "xyz"[axis]);
    bool any = false;
    for (const auto& key : b.values.velocity.keys()) {
      const double speed = inward * key.second[axis];
      any = any || speed > 0;
      if (speed < 0) {
        diagnostics_.error(
            b.where("velocity"),
            "the inflow's velocity " + vector_text(key.second, blocks_.dims) + " points out of the domain",
            into + "; an open side lets fluid out");
        return;
      }
    }
    if (!any)
      diagnostics_.error(b.where("velocity"), "the inflow's velocity brings nothing through " + to_text(b.values.side),
                         into);
  }

  void check_reaches_side(const ReadBlock<InflowParams>& b, int axis, int end) {
    const Shape* shape = find_shape(shapes_, *b.values.shape);
    if (!shape) return;
    Vec3d low = flat(domain_.lower()), high = flat(domain_.upper());
    (end ? low : high)[axis] = end ? high[axis] : low[axis];
    const auto f = [&](const Vec3d& x) { return shape->distance(x); };
    if (negative_somewhere(f, low, high) == Somewhere::no)
      diagnostics_.error(b.where("shape"),
                         "shape '" + *b.values.shape + "' does not reach side " + to_text(b.values.side) +
                             ": it goes from " + bounds_text(shape->bounds()),
                         str("the side lies at ", "xyz"[axis], " = ", short_text(low[axis])));
    else if (covers_no_face(*shape, axis, end))
      diagnostics_.warning(b.where("shape"),
                           "'" + b.block.path() + "' holds no middle of a cell's face on " + to_text(b.values.side) +
                               ", so nothing comes in",
                           "make it larger, or the cells (" + short_text(domain_.lattice.h) + " m) smaller");
  }
  bool covers_no_face(const Shape& shape, int axis, int end) const {
    Box faces = domain_.faces(axis);
    (end ? faces.lo : faces.hi)[axis] = end ? faces.hi[axis] - 1 : faces.lo[axis] + 1;
    for (int k = faces.lo.z; k < faces.hi.z; ++k)
      for (int j = faces.lo.y; j < faces.hi.y; ++j)
        for (int i = faces.lo.x; i < faces.hi.x; ++i)
          if (shape.distance(domain_.lattice.face_centre(axis, {i, j, k})) <= 0) return false;
    return true;
  }

  void check_outlet() {
    if (blocks_.inflows.empty() || blocks_.material != "smoke") return;  // gas can be squeezed; others have none
    for (const auto& b : blocks_.inflows)
      if (int(b.values.side) / 2 >= blocks_.dims) return;
    for (int axis = 0; axis < blocks_.dims; ++axis)
      for (int end = 0; end < 2; ++end)
        if (domain_.side(axis, end) == Side::open) return;
    diagnostics_.error(blocks_.inflows.front().block.where(),
                       "fluid comes in through '" + blocks_.inflows.front().block.path() + "' and cannot leave",
                       "open a side in [domain], for example sides = { " +
                           std::string(blocks_.dims == 1   ? "x_max"
                                       : blocks_.dims == 2 ? "y_max"
                                                           : "z_max") +
                           " = \"open\" }");
  }

  const SceneBlocks& blocks_;
  const Domain& domain_;
  const Shapes& shapes_;
  Diagnostics& diagnostics_;
  std::vector<Solid> solids_;
  Growth growth_;
};

}  // namespace

Growth check_places(const SceneBlocks& blocks, const Domain& domain, const Shapes& shapes, Diagnostics& diagnostics) {
  return Places(blocks, domain, shapes, diagnostics).run();
}

}  // namespace silt
