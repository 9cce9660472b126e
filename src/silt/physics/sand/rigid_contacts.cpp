#include "silt/physics/sand/rigid_contacts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "silt/physics/sand/solid_area.h"

namespace silt {
namespace {

/// Cells of a group that lie against one thing.
struct Touching {
  Box cells;                      ///< round all of them
  std::array<Cell, 6> outermost;  ///< the first that has each side of the box: 2 axis + end
  bool any = false;
  double push = 0;
  Vec3d moment{};  ///< sum of push and place

  void press(double by, Cell c) { push += by, moment += c.as<double>() * by; }
  void add(const Box& box) {
    for (int a = 0; a < 3; ++a) {
      if (!any || box.lo[a] < cells.lo[a]) outermost[2 * a] = box.lo;
      if (!any || box.hi[a] > cells.hi[a]) outermost[2 * a + 1] = box.hi - Int3{1, 1, 1};
    }
    cells = any ? hull(cells, box) : box;
    any = true;
  }
};

class Finding {
 public:
  Finding(const Domain& domain, const CutCells& cut, const RigidGroups& groups, const Field<float>& pressed,
          bool solids)
      : domain_(domain),
        cut_(cut),
        groups_(groups),
        pressed_(pressed),
        area_(solid_area(host_, domain, cut)),
        walls_(std::size_t(groups.count())),
        solids_(std::size_t(solids ? groups.count() : 0)) {}

  std::vector<RigidContacts> run() {
    std::vector<Cell> origins(walls_.size());
    std::vector<RigidContacts> out(walls_.size());
    for (std::size_t i = 0; i < groups_.run_count; ++i) {
      const RigidRun& run = groups_.runs.host()[i];
      origins[std::size_t(run.group)] = run.origin;
      for (int x = run.begin; x < run.end; ++x) out[std::size_t(run.group)].pressed += pressed_({x, run.y, run.z});
      look_at_walls(run);
      if (!solids_.empty()) look_at_solids(run);
    }
    for (std::size_t g = 0; g < out.size(); ++g) {
      for (int side = 0; side < 6; ++side)
        if (walls_[g][side].any) put_wall(side, walls_[g][side], origins[g], out[g]);
      if (!solids_.empty() && solids_[g].any) put_solid(solids_[g], origins[g], out[g]);
    }
    return out;
  }

 private:
  void look_at_walls(const RigidRun& run) {
    const Box all{{run.begin, run.y, run.z}, {run.end, run.y + 1, run.z + 1}};
    for (int a = 0; a < area_.dims; ++a)
      for (int end = 0; end < 2; ++end) {
        if (!area_.walls.is_wall[a][end]) continue;
        Box there = all;
        (end == 0 ? there.hi : there.lo)[a] = end == 0 ? area_.walls.cells.lo[a] + 1 : area_.walls.cells.hi[a] - 1;
        there = intersect(all, there);
        if (there.empty()) continue;
        Touching& wall = walls_[std::size_t(run.group)][2 * a + end];
        wall.add(there);
        for (int x = there.lo.x; x < there.hi.x; ++x) wall.press(pressed_({x, run.y, run.z}), {x, run.y, run.z});
      }
  }
  void look_at_solids(const RigidRun& run) {
    constexpr float least = 1e-3f;  // of a face's area
    for (int x = run.begin; x < run.end; ++x) {
      const Cell c{x, run.y, run.z};
      if (!(length(area_(c)) > least)) continue;
      solids_[std::size_t(run.group)].add({c, c + Int3{1, 1, 1}});
      solids_[std::size_t(run.group)].press(pressed_(c), c);
    }
  }
  /// The corners of the box round all cells that lie against a wall, with as much of the push each as has its centre
  /// where it is.
  void put_wall(int side, const Touching& wall, Cell origin, RigidContacts& out) const {
    const int axis = side / 2, end = side % 2, b = (axis + 1) % 3, c = (axis + 2) % 3;
    const Int3 active = domain_.lattice.active;
    const auto share = [&](int along, int upper) {
      const double low = wall.cells.lo[along], high = wall.cells.hi[along] - 1;
      const double centre = wall.push > 0 ? wall.moment[along] / wall.push : low;
      const double part = high > low ? (centre - low) / (high - low) : 0.5 * active[along];
      return upper ? part : 1 - part;
    };
    for (int i = 0; i <= active[b]; ++i)
      for (int j = 0; j <= active[c]; ++j) {
        RigidContacts::Point point{(wall.cells.lo - origin).as<double>(), {}};
        if (i) point.at[b] = wall.cells.hi[b] - 1 - origin[b];
        if (j) point.at[c] = wall.cells.hi[c] - 1 - origin[c];
        point.at[axis] += end - 0.5, point.normal[axis] = 1 - 2 * end;
        point.push = wall.push * share(b, i) * share(c, j);
        out.points.push_back(point);
      }
  }
  void put_solid(const Touching& touching, Cell origin, RigidContacts& out) const {
    for (int n = 0; n < 2 * area_.dims; ++n) {
      const Cell c = touching.outermost[n];
      RigidContacts::Point point{(c - origin).as<double>(), normalized(area_(c).as<double>())};
      for (int a = 0; a < area_.dims; ++a) {
        const Field<float>& solid = cut_.solid_velocity[a];
        point.speed += 0.5 * point.normal[a] * (double(solid(c)) + solid(c + unit(a)));
      }
      point.push = touching.push / (2 * area_.dims);
      point.cell = c, point.solid = true;
      out.points.push_back(point);
    }
  }

  const Exec host_{Device::cpu, 1};
  const Domain& domain_;
  const CutCells& cut_;
  const RigidGroups& groups_;
  const Field<float>& pressed_;
  const SolidArea area_;
  std::vector<std::array<Touching, 6>> walls_;
  std::vector<Touching> solids_;
};

/// One of a group's contacts, while they are balanced.
struct Acting {
  RigidPush push;      ///< by 1
  RigidMotion change;  ///< that gives
  double own, speed, least, sum = 0, before = 0;
};

RigidPush operator*(const RigidPush& p, double by) {
  return {p.force * by, p.torque * by};
}
RigidPush& operator+=(RigidPush& p, const RigidPush& q) {
  p.force += q.force, p.torque += q.torque;
  return p;
}
double dot(const RigidPush& p, const RigidPush& q) {
  return dot(p.force, q.force) + dot(p.torque, q.torque);
}

/// How fast solids close on a group, `drift` being what the last sweep over its contacts has added to their pushes. If
/// there is a motion v that keeps it out, v . n >= speed, no drift >= 0 that moves nothing has sum drift speed > 0: for
/// that is at most sum drift v . n = 0. If there is none, sweeps end in such a drift (Farkas' lemma); those that still
/// let go of the group, by less than says anything, do not hide it.
double closing_speed(const std::vector<Acting>& acting, const RigidMotion& motion) {
  constexpr double rounding = 1e-7, clearly = 0.5;
  double most = 0, lets_go = 0, pushes = 0, fastest = 0, closing = 0, gross = 0;
  RigidPush net;
  for (const Acting& a : acting) {
    const double drift = a.sum - a.before;
    most = std::max(most, drift), lets_go += std::max(0.0, -drift), pushes = std::max(pushes, std::abs(a.sum));
    closing += drift * a.speed, gross += std::abs(drift * a.speed), fastest = std::max(fastest, std::abs(a.speed));
    net += a.push * drift;
  }
  const double other = std::abs(dot(net, motion)) + clearly * gross + 4 * lets_go * fastest;
  return most > rounding * pushes && closing > other ? closing : 0;
}

/// The smallest pushes, in the mean square, that move the group as those found do, none below its least: the others
/// are s_i = n_i . y, and y comes by conjugate gradients from a system of six. That is singular where pushes lie in a
/// line or a plane, and has no solution where some are at their least: then the turns end, or what is found is no
/// smaller, and the pushes stay as they are.
void leave_least(std::vector<Acting>& acting) {
  constexpr int turns = 24;
  constexpr double flat = 1e-8;  // of the steepest direction
  std::vector<char> at_least(acting.size(), 0);
  RigidPush all;
  for (const Acting& a : acting) all += a.push * a.sum;
  std::vector<double> found(acting.size());
  for (std::size_t round = 0; round <= acting.size(); ++round) {
    RigidPush left = all, y;
    for (std::size_t i = 0; i < acting.size(); ++i)
      if (at_least[i]) left += acting[i].push * -acting[i].least;
    const double wanted = dot(left, left);
    RigidPush along = left;
    double size = wanted, steepest = 0;
    for (int turn = 0; turn < turns && size > 1e-20 * wanted; ++turn) {
      RigidPush product;
      for (std::size_t i = 0; i < acting.size(); ++i)
        if (!at_least[i]) product += acting[i].push * dot(acting[i].push, along);
      const double slope = dot(along, product), steepness = slope / dot(along, along);
      steepest = std::max(steepest, steepness);
      if (!(steepness > flat * steepest)) break;
      y += along * (size / slope), left += product * (-size / slope);
      const double next = dot(left, left);
      RigidPush turned = left;
      turned += along * (next / size);
      along = turned, size = next;
    }
    bool again = false;
    for (std::size_t i = 0; i < acting.size(); ++i) {
      found[i] = at_least[i] ? acting[i].least : dot(acting[i].push, y);
      if (found[i] < acting[i].least) at_least[i] = again = true;
    }
    if (!again) break;
  }
  double before = 0, after = 0;
  for (std::size_t i = 0; i < acting.size(); ++i) before += acting[i].sum * acting[i].sum, after += found[i] * found[i];
  if (!(after <= before)) return;
  for (std::size_t i = 0; i < acting.size(); ++i) acting[i].sum = std::max(found[i], acting[i].least);
}

}  // namespace

std::vector<RigidContacts> find_rigid_contacts(const Domain& domain, const CutCells& cut, const RigidGroups& groups,
                                               const Field<float>& pressed, bool solids) {
  return Finding(domain, cut, groups, pressed, solids).run();
}

double keep_out(const RigidMotions& motions, int group, RigidContacts& contacts, RigidMotion& motion) {
  constexpr int sweeps = 30;
  std::vector<Acting> acting;
  for (const RigidContacts::Point& point : contacts.points) {
    const RigidPush push{point.normal, cross(point.at, point.normal)};
    const RigidMotion change = motions.motion(group, push);
    acting.push_back({push, change, dot(push, change), point.speed, -point.push});
  }
  double more = 0;
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (Acting& a : acting) {
      a.before = a.sum;
      if (!(a.own > 0)) continue;
      const double by = std::max(a.least - a.sum, (a.speed - dot(a.push, motion)) / a.own);
      a.sum += by, more += by;
      motion.velocity += a.change.velocity * by, motion.spin += a.change.spin * by;
    }
  contacts.closing = closing_speed(acting, motion);
  if (contacts.closing > 0) {
    for (std::size_t i = 0; i < acting.size(); ++i)
      contacts.points[i].against = std::max(0.0, acting[i].sum - acting[i].before);
    leave_least(acting);
  }
  for (std::size_t i = 0; i < acting.size(); ++i) contacts.points[i].more = acting[i].sum;
  return contacts.pressed > 0 ? std::max(0.0, 1 + more / contacts.pressed) : 1;
}

}  // namespace silt
