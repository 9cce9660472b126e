#include "silt/render/level_set.h"

namespace silt {
namespace {

/// c[0] + c[1] s + c[2] s^2 + c[3] s^3
struct Cubic {
  float c[4];
  float at(float s) const { return c[0] + s * (c[1] + s * (c[2] + s * c[3])); }
};

/// The trilinear function with the given corner values along a ray, from a place p in the unit cube with direction d.
/// Each axis raises the degree by one: f = a + (b - a) (p + d s).
Cubic along(const float v[8], const Vec3f& p, const Vec3f& d) {
  float row[4][2];
  for (int i = 0; i < 4; ++i) {
    const float step = v[2 * i + 1] - v[2 * i];
    row[i][0] = v[2 * i] + step * p.x, row[i][1] = step * d.x;
  }
  float plane[2][3];
  for (int i = 0; i < 2; ++i) {
    const float* a = row[2 * i];
    const float s0 = row[2 * i + 1][0] - a[0], s1 = row[2 * i + 1][1] - a[1];
    plane[i][0] = a[0] + s0 * p.y, plane[i][1] = a[1] + s0 * d.y + s1 * p.y, plane[i][2] = s1 * d.y;
  }
  const float s0 = plane[1][0] - plane[0][0], s1 = plane[1][1] - plane[0][1], s2 = plane[1][2] - plane[0][2];
  return {{plane[0][0] + s0 * p.z, plane[0][1] + s0 * d.z + s1 * p.z, plane[0][2] + s1 * d.z + s2 * p.z, s2 * d.z}};
}

/// The first zero in [0, end]: between the cubic's extrema it is monotone [Marmitt et al. 2004].
std::optional<float> first_zero(const Cubic& f, float end) {
  float stops[4] = {0, 0, 0, end};
  int n = 1;
  const float a = 3 * f.c[3], b = 2 * f.c[2], c = f.c[1], disc = b * b - 4 * a * c;
  if (disc > 0) {
    const float q = -0.5f * (b + std::copysign(std::sqrt(disc), b));
    float r0 = a != 0 ? q / a : end, r1 = q != 0 ? c / q : end;
    if (r0 > r1) std::swap(r0, r1);
    if (r0 > 0 && r0 < end) stops[n++] = r0;
    if (r1 > 0 && r1 < end) stops[n++] = r1;
  }
  stops[n] = end;
  for (int i = 0; i < n; ++i) {
    float lo = stops[i], hi = stops[i + 1];
    const float at_lo = f.at(lo), at_hi = f.at(hi);
    if ((at_lo < 0) == (at_hi < 0)) continue;
    float low = at_lo, high = at_hi;  // false position, its lazy end halved [Dowell & Jarratt 1971, "Illinois"]
    for (int k = 0; k < 12 && hi - lo > 1e-5f; ++k) {
      const float s = lo + (hi - lo) * low / (low - high), here = f.at(s);
      if ((here < 0) == (at_lo < 0))
        lo = s, low = here, high *= 0.5f;
      else
        hi = s, high = here, low *= 0.5f;
      if (std::abs(here) < 1e-6f) return s;
    }
    return 0.5f * (lo + hi);
  }
  return {};
}

Vec3f trilinear_gradient(const float v[8], const Vec3f& p) {
  return {along(v, p, {1, 0, 0}).c[1], along(v, p, {0, 1, 0}).c[1], along(v, p, {0, 0, 1}).c[1]};
}

const Vec3f half{0.5f, 0.5f, 0.5f};

}  // namespace

LevelSet::LevelSet(const Frame& frame, std::string_view name, const Cut& cut, const Exec& exec) : floor_(cut.floor) {
  const Volume* volume = frame.find(name);
  if (!volume || volume->values.empty()) return;
  phi_ = make_grid(*volume);
  Box inside;
  const float per_cell = float(1 / frame.domain.lattice.h);
  const Box& b = phi_.cells();
  for (int z = b.lo.z; z < b.hi.z; ++z)
    for (int y = b.lo.y; y < b.hi.y; ++y)
      for (int x = b.lo.x; x < b.hi.x; ++x) {
        float& phi = phi_.at({x, y, z});
        phi *= per_cell;
        if (phi < 0) inside = hull(inside, {{x, y, z}, {x + 1, y + 1, z + 1}});
      }
  if (inside.empty()) return;
  box_ = intersect(grow(inside, {2, 2, 2}), b);
  for (int a = 0; a < 3; ++a) {
    if (cut.sides[a][0]) box_.lo[a] = std::max(box_.lo[a], frame.domain.cells.lo[a]);
    if (cut.sides[a][1]) box_.hi[a] = std::min(box_.hi[a], frame.domain.cells.hi[a]);
  }
  if (any()) mark_cubes(exec);
}

void LevelSet::corners(Int3 low, float values[8]) const {
  const Box& b = phi_.cells();
  const Int3 last = b.hi - Int3{1, 1, 1};
  const bool within =
      low.x >= b.lo.x && low.y >= b.lo.y && low.z >= b.lo.z && low.x < last.x && low.y < last.y && low.z < last.z;
  if (within) {
    const std::size_t row = std::size_t(b.size().x), plane = row * std::size_t(b.size().y);
    const float* v = &phi_.at(low);
    for (int i = 0; i < 8; ++i) values[i] = v[std::size_t(i & 1) + (i & 2 ? row : 0) + (i & 4 ? plane : 0)];
    return;
  }
  for (int i = 0; i < 8; ++i) values[i] = phi_.at(max(min(low + Int3{i & 1, (i >> 1) & 1, i >> 2}, last), b.lo));
}

/// The cube whose low corner is the centre of cell c lies at c - low_.
void LevelSet::mark_cubes(const Exec& exec) {
  low_ = box_.lo - Int3{1, 1, 1};
  const Int3 n = box_.size() + Int3{1, 1, 1};
  blocks_ = (n + Int3{3, 3, 3}) / 4;
  marks_.assign(std::size_t(blocks_.x) * blocks_.y * blocks_.z, 0);
#pragma omp parallel for collapse(2) num_threads(exec.threads()) schedule(static)
  for (int k = 0; k < blocks_.z; ++k)
    for (int j = 0; j < blocks_.y; ++j)
      for (int i = 0; i < blocks_.x; ++i)
        for (int bit = 0; bit < 64; ++bit) {
          const Int3 cube = Int3{i, j, k} * 4 + Int3{bit & 3, (bit >> 2) & 3, bit >> 4};
          if (cube.x < n.x && cube.y < n.y && cube.z < n.z && has_surface(cube))
            marks_[index({i, j, k})] |= std::uint64_t(1) << bit;
        }
  measure_clear_room();
}

/// Chessboard distances, one axis after the other: what is d away along one and e along another is max(d, e) away.
void LevelSet::measure_clear_room() {
  constexpr int most = 16;  // rays need not know more
  clear_.resize(marks_.size());
  for (std::size_t i = 0; i < marks_.size(); ++i) clear_[i] = marks_[i] ? 0 : most;
  std::vector<std::uint8_t> before;
  for (int axis = 0; axis < 3; ++axis) {
    before = clear_;
    for (int k = 0; k < blocks_.z; ++k)
      for (int j = 0; j < blocks_.y; ++j)
        for (int i = 0; i < blocks_.x; ++i) {
          const Int3 b{i, j, k};
          Int3 other = b;
          int least = before[index(b)];
          for (int s = 1; s < least; ++s)
            for (const int at : {b[axis] - s, b[axis] + s})
              if (at >= 0 && at < blocks_[axis]) {
                other[axis] = at;
                least = std::min(least, std::max<int>(s, before[index(other)]));
              }
          clear_[index(b)] = std::uint8_t(least);
        }
  }
}

bool LevelSet::has_surface(Int3 cube) const {
  float v[8];
  corners(low_ + cube, v);
  bool in = false, out = false;
  for (const float value : v) (value < 0 ? in : out) = true;
  return in && out;
}

/// Where a ray comes into the box, or leaves it, the side closes what lies there.
std::optional<LevelSet::Crossing> LevelSet::cross_side(const Vec3f& x, float t, const Vec3f& direction,
                                                       bool entering) const {
  int axis = 0;
  float least = 1e30f;
  Vec3f out{};
  for (int a = 0; a < 3; ++a) {
    if (direction[a] == 0) continue;
    const bool high = (direction[a] > 0) != entering;
    const float off = std::abs(x[a] - float(high ? box_.hi[a] : box_.lo[a]));
    if (off < least) least = off, axis = a, out = {}, out[a] = high ? 1.0f : -1.0f;
  }
  if (axis == 2 && out.z < 0 && !floor_) return {};
  if (!(at(x) < 0)) return {};
  return Crossing{t, out, true};
}

/// A ray's way from block to block of the lattice of cubes, in cubes from the first one. Axes are numbers here, so
/// three numbers are arrays.
struct LevelSet::Walk {
  float origin[3], direction[3], pace[3];  ///< pace: 1 / |direction|
  int cube[3], step[3];
  float next[3];  ///< where along the ray each axis gets to its next cube
  float t = 0;

  Walk(const Vec3f& from, const Vec3f& way, Int3 count) {
    for (int a = 0; a < 3; ++a) {
      origin[a] = from[a], direction[a] = way[a];
      step[a] = way[a] < 0 ? -1 : 1;
      pace[a] = way[a] == 0 ? 1e30f : 1 / std::abs(way[a]);
      cube[a] = std::clamp(int(from[a]), 0, count[a] - 1);
    }
    look_ahead();
  }
  Int3 where() const { return {cube[0], cube[1], cube[2]}; }
  void look_ahead() {
    for (int a = 0; a < 3; ++a)
      next[a] = (step[a] < 0 ? origin[a] - float(cube[a]) : float(cube[a] + 1) - origin[a]) * pace[a];
  }
  void leave_cube() {
    const int axis = least_of(next);
    t = std::max(t, next[axis]);
    next[axis] += pace[axis], cube[axis] += step[axis];
  }
  /// To the end of the block that it is in, and of so many others round it.
  void leave_block(int others) {
    int first[3];
    float until[3];
    const int side = 4 * (2 * others + 1);
    for (int a = 0; a < 3; ++a) {
      first[a] = (cube[a] & -4) - 4 * others;
      until[a] = (step[a] < 0 ? origin[a] - float(first[a]) : float(first[a] + side) - origin[a]) * pace[a];
    }
    const int axis = least_of(until);
    t = std::max(t, until[axis]);
    for (int a = 0; a < 3; ++a)
      cube[a] = std::clamp(int(std::floor(origin[a] + direction[a] * t)), first[a], first[a] + side - 1);
    cube[axis] = step[axis] < 0 ? first[axis] - 1 : first[axis] + side;
    look_ahead();
  }
};

std::optional<LevelSet::Crossing> LevelSet::first_crossing(const Vec3f& origin, const Vec3f& direction,
                                                           float t_max) const {
  const Span span = clip(box_, origin, direction);
  const float way = std::min(span.t1, t_max) - span.t0;
  if (!(way > 0)) return {};
  const Vec3f start = origin + direction * span.t0;
  if (span.t0 > 0)
    if (const auto side = cross_side(start, span.t0, direction, true)) return side;

  // Counted from where the ray comes in: from a camera far away, the cubes would be lost in rounding.
  const Int3 n = box_.size() + Int3{1, 1, 1};
  const Vec3f in_cubes = start - low_.as<float>() - half;
  Walk walk(in_cubes, direction, n);
  std::optional<bool> in;  // whether the last cube was left in the water
  while (walk.t < way) {
    const Int3 c = walk.where();
    if (unsigned(c.x) >= unsigned(n.x) || unsigned(c.y) >= unsigned(n.y) || unsigned(c.z) >= unsigned(n.z)) break;
    const std::size_t block = index({c.x >> 2, c.y >> 2, c.z >> 2});
    if (const int clear = clear_[block]) {
      walk.leave_block(clear - 1), in.reset();
      continue;
    }
    const float from = walk.t;
    walk.leave_cube();
    if (!(marks_[block] >> ((c.x & 3) + 4 * (c.y & 3) + 16 * (c.z & 3)) & 1)) {
      in.reset();
      continue;
    }
    float v[8];
    corners(low_ + c, v);
    const Vec3f local = in_cubes + direction * from - c.as<float>();
    const Cubic f = along(v, local, direction);
    const float until = std::min(walk.t, way) - from;
    // What rounding hides between two cubes is a crossing all the same.
    const auto zero = in && *in != (f.c[0] < 0) ? std::optional(0.0f) : first_zero(f, until);
    if (zero) return Crossing{span.t0 + from + *zero, trilinear_gradient(v, local + direction * *zero), false};
    in = f.at(until) < 0;
  }
  if (span.t1 > t_max) return {};
  return cross_side(start + direction * (span.t1 - span.t0), span.t1, direction, false);
}

}  // namespace silt
