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

LevelSet::LevelSet(const Frame& frame, std::string_view name, const Cut& cut) {
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
  find_pieces(cut);
}

void LevelSet::corners(Int3 low, float values[8]) const {
  const Box& b = phi_.cells();
  const Int3 last = b.hi - Int3{1, 1, 1};
  for (int i = 0; i < 8; ++i) values[i] = phi_.at(max(min(low + Int3{i & 1, (i >> 1) & 1, i >> 2}, last), b.lo));
}

void LevelSet::find_pieces(const Cut& cut) {
  float v[8];
  for (int z = box_.lo.z - 1; z < box_.hi.z; ++z)
    for (int y = box_.lo.y - 1; y < box_.hi.y; ++y)
      for (int x = box_.lo.x - 1; x < box_.hi.x; ++x) {
        corners({x, y, z}, v);
        bool in = false, out = false;
        for (const float value : v) (value < 0 ? in : out) = true;
        if (in && out) pieces_.push_back({{x, y, z}});
      }
  for (int axis = 0; axis < 3; ++axis)
    for (int end = 0; end < 2; ++end) {
      if (axis == 2 && end == 0 && !cut.floor) continue;
      Box side = box_;  // the cells behind it
      (end ? side.lo[axis] : side.hi[axis]) = end ? box_.hi[axis] - 1 : box_.lo[axis] + 1;
      for (int z = side.lo.z; z < side.hi.z; ++z)
        for (int y = side.lo.y; y < side.hi.y; ++y)
          for (int x = side.lo.x; x < side.hi.x; ++x) {
            bool in = false;
            for (int i = 0; i < 4 && !in; ++i) {
              Vec3f corner = Vec3f{float(x), float(y), float(z)};
              corner[axis] += float(end);
              corner[(axis + 1) % 3] += float(i & 1), corner[(axis + 2) % 3] += float(i >> 1);
              in = at(corner) < 0;
            }
            if (in || at(Vec3f{float(x), float(y), float(z)} + half) < 0) pieces_.push_back({{x, y, z}, axis, end});
          }
    }
}

LevelSet::Bounds LevelSet::bounds(std::size_t piece) const {
  const Piece& p = pieces_[piece];
  Vec3f lo = p.low.as<float>(), hi = lo + Vec3f{1, 1, 1};
  if (p.axis >= 0) {
    (p.end ? lo[p.axis] : hi[p.axis]) = float(p.end ? p.low[p.axis] + 1 : p.low[p.axis]);
    return {lo, hi};
  }
  return {max(lo + half, box_.lo.as<float>()), min(hi + half, box_.hi.as<float>())};
}

std::optional<LevelSet::Crossing> LevelSet::cross_piece(std::size_t piece, const Vec3f& origin, const Vec3f& direction,
                                                        float t0, float t1) const {
  const Bounds b = bounds(piece);
  const Piece& p = pieces_[piece];
  if (p.axis >= 0) {
    if (direction[p.axis] == 0) return {};
    const float t = (b.lo[p.axis] - origin[p.axis]) / direction[p.axis];
    if (!(t >= t0 && t <= t1)) return {};
    const Vec3f x = origin + direction * t;
    for (int a = 0; a < 3; ++a)
      if (a != p.axis && (x[a] < b.lo[a] || x[a] >= b.hi[a])) return {};
    if (!(at(x) < 0)) return {};
    Vec3f out{};
    out[p.axis] = p.end ? 1.0f : -1.0f;
    return Crossing{t, out};
  }
  for (int a = 0; a < 3; ++a) {
    const float inv = 1 / direction[a], s = (b.lo[a] - origin[a]) * inv, e = (b.hi[a] - origin[a]) * inv;
    if (std::isnan(s) || std::isnan(e)) continue;
    t0 = std::max(t0, std::min(s, e)), t1 = std::min(t1, std::max(s, e));
  }
  if (!(t0 < t1)) return {};
  float v[8];
  corners(p.low, v);
  const Vec3f local = origin + direction * t0 - p.low.as<float>() - half;
  const auto zero = first_zero(along(v, local, direction), t1 - t0);
  if (!zero) return {};
  return Crossing{t0 + *zero, trilinear_gradient(v, local + direction * *zero)};
}

}  // namespace silt
