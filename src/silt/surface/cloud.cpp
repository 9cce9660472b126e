#include "silt/surface/cloud.h"

#include <cmath>

namespace silt {
namespace {

struct Piece {
  Vec3d at;  ///< [m]
  Vec3f velocity;
  std::uint32_t number;
};

/// Of what lies within `reach` of an obstacle, its image within it: as deep as it is high. Where the obstacle is
/// thinner than that there is none, or liquid would show on its other side.
void add_images_in(const Solid& solid, double reach, std::vector<Piece>& pieces) {
  if (solid.none()) return;
  const std::size_t count = pieces.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Piece p = pieces[i];
    const double d = solid.distance(p.at);
    if (!(d < reach) || d <= 0) continue;
    const Vec3d n = solid.normal(p.at), image = p.at - n * (2 * d);
    if (n == Vec3d{} || solid.distance(image) > -0.7 * d) continue;
    pieces.push_back({image, p.velocity - n.as<float>() * (2 * dot(n.as<float>(), p.velocity)), p.number});
  }
}

bool is_somewhere(const Piece& p) {
  return std::isfinite(p.at.x) && std::isfinite(p.at.y) && std::isfinite(p.at.z);
}

/// Beyond the two sides of an axis: mirrored, or, where it is periodic, those of the other end. What has left through
/// an open side has no image: it would lie within.
void add_images_beyond(const Domain& domain, int axis, double depth, std::vector<Piece>& pieces) {
  const double lo = domain.lower()[axis], hi = domain.upper()[axis];
  const bool periodic = domain.periodic(axis);
  const std::size_t count = pieces.size();
  for (std::size_t i = 0; i < count; ++i)
    for (const bool upper : {false, true}) {
      Piece p = pieces[i];
      const double from_low = p.at[axis] - lo, from_high = hi - p.at[axis];
      if ((upper != periodic ? from_high : from_low) >= depth) continue;
      if (!periodic && (from_low < 0 || from_high < 0)) continue;
      if (periodic) {
        p.at[axis] += upper ? hi - lo : lo - hi;
      } else {
        p.at[axis] = 2 * (upper ? hi : lo) - p.at[axis];
        p.velocity[axis] = -p.velocity[axis];
      }
      pieces.push_back(p);
    }
}

}  // namespace

Cloud make_cloud(const Frame& frame, std::string_view material, const Lattice& voxels, double depth, double reach,
                 const Solid& solid) {
  std::vector<Piece> pieces;
  for (const Points& points : frame.points) {
    if (points.material != material) continue;
    for (std::size_t i = 0; i < points.count(); ++i)
      pieces.push_back({points.positions[i], points.velocities.empty() ? Vec3f{} : points.velocities[i],
                        std::uint32_t(pieces.size())});
  }
  std::erase_if(pieces, [](const Piece& p) { return !is_somewhere(p); });
  const std::size_t images_from = pieces.size();
  add_images_in(solid, reach, pieces);
  for (int axis = 0; axis < 3; ++axis) add_images_beyond(frame.domain, axis, depth, pieces);
  Cloud out;
  const std::size_t n = pieces.size();
  for (std::vector<float>* column : {&out.x, &out.y, &out.z, &out.u, &out.v, &out.w}) column->resize(n);
  out.from.resize(n), out.image.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3d at = voxels.to_cells(pieces[i].at);
    const Vec3f velocity = pieces[i].velocity;
    out.x[i] = float(at.x), out.y[i] = float(at.y), out.z[i] = float(at.z);
    out.u[i] = velocity.x, out.v[i] = velocity.y, out.w[i] = velocity.z;
    out.from[i] = pieces[i].number, out.image[i] = i >= images_from;
  }
  return out;
}

}  // namespace silt
