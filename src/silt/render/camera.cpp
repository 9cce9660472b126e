#include "silt/render/camera.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace silt {

namespace {

constexpr double default_view_angle = 28;   // [degrees]
constexpr double margin = 0.06;             // of the half picture, left free on every side
constexpr double default_area = 960 * 540;  // [pixels]

/// From the camera to the domain's centre.
Vec3d direction_of(Viewpoint view) {
  switch (view) {
    case Viewpoint::front:
      return {0, 1, -0.12};
    case Viewpoint::side:
      return {-1, 0, -0.12};
    case Viewpoint::top:
      return {0, 1e-3, -1};
    case Viewpoint::corner:
      break;
  }
  return {-0.42, 0.88, -0.21};
}

std::array<Vec3d, 8> corners(const Domain& domain) {
  const Vec3d a = domain.lower(), b = domain.upper();
  std::array<Vec3d, 8> points;
  for (int i = 0; i < 8; ++i) points[i] = {i & 1 ? b.x : a.x, i & 2 ? b.y : a.y, i & 4 ? b.z : a.z};
  return points;
}

void look_along(Camera& camera, const Vec3d& forward, const Vec3d& up) {
  camera.forward = normalized(length(forward) > 0 ? forward : direction_of(Viewpoint::corner));
  camera.right = cross(camera.forward, length(up) > 0 ? normalized(up) : Vec3d{0, 0, 1});
  if (length(camera.right) < 1e-6) camera.right = {1, 0, 0};  // straight up or down
  camera.right = normalized(camera.right);
  camera.up = cross(camera.right, camera.forward);
}

/// How far back along -forward the camera must stand from `target` to see every point: with a, b, c the point's offset
/// to the right, up and forward, |a| <= (1 - margin) tan_x (distance + c), and the same for b.
double fitting_distance(const Camera& camera, const Vec3d& target, const std::array<Vec3d, 8>& points) {
  double distance = 0;
  for (const Vec3d& p : points) {
    const Vec3d d = p - target;
    const double a = std::abs(dot(d, camera.right)) / camera.tan_x, b = std::abs(dot(d, camera.up)) / camera.tan_y;
    distance = std::max(distance, std::max(a, b) / (1 - margin) - dot(d, camera.forward));
  }
  return distance;
}

int even(double x) {
  return std::max(2, 2 * int(std::lround(x / 2)));
}

}  // namespace

Vec3d Camera::project(const Vec3d& x) const {
  const Vec3d d = x - position;
  const double depth = dot(d, forward);
  return {size.width * 0.5 * (1 + dot(d, right) / (depth * tan_x)),
          size.height * 0.5 * (1 - dot(d, up) / (depth * tan_y)), depth};
}

PictureSize picture_size(const Domain& domain, const CameraParams& params) {
  const Vec3d extent = domain.upper() - domain.lower();
  const bool flat = !domain.lattice.active.z;
  const double across = flat ? extent.x : std::hypot(extent.x, extent.y), high = flat ? extent.y : extent.z;
  const double aspect = std::clamp(1.1 * across / high, 4.0 / 5, 16.0 / 9);
  if (params.width && params.height) return {even(*params.width), even(*params.height)};
  if (params.width) return {even(*params.width), even(*params.width / aspect)};
  if (params.height) return {even(*params.height * aspect), even(*params.height)};
  return {even(std::sqrt(default_area * aspect)), even(std::sqrt(default_area / aspect))};
}

Camera make_camera(const Domain& domain, const CameraParams& params) {
  Camera camera;
  camera.size = picture_size(domain, params);
  camera.tan_y = std::tan(params.field_of_view.value_or(default_view_angle) * std::numbers::pi / 360);
  camera.tan_x = camera.tan_y * camera.size.width / camera.size.height;

  const std::array<Vec3d, 8> points = corners(domain);
  Vec3d target = params.target.value_or(0.5 * (domain.lower() + domain.upper()));
  const Vec3d up = params.up.value_or(Vec3d{0, 0, 1});
  if (params.position) {
    camera.position = *params.position;
    look_along(camera, target - camera.position, up);
    return camera;
  }
  look_along(camera, direction_of(params.view), up);
  camera.position = target - camera.forward * fitting_distance(camera, target, points);
  if (params.target) return camera;

  // Perspective makes near corners reach further out: move up and sideways until the free margins are equal.
  for (int round = 0; round < 8; ++round) {
    double left = 1e30, right = -1e30, top = 1e30, bottom = -1e30;
    for (const Vec3d& p : points) {
      const Vec3d q = camera.project(p);
      left = std::min(left, q.x), right = std::max(right, q.x), top = std::min(top, q.y),
      bottom = std::max(bottom, q.y);
    }
    const double distance = dot(target - camera.position, camera.forward);
    const double dx = (left + right) / camera.size.width - 1, dy = 1 - (top + bottom) / camera.size.height;
    target += camera.right * (dx * camera.tan_x * distance) + camera.up * (dy * camera.tan_y * distance);
    camera.position = target - camera.forward * fitting_distance(camera, target, points);
  }
  return camera;
}

}  // namespace silt
