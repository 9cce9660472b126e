#pragma once

#include "silt/fields/domain.h"
#include "silt/render/params.h"

namespace silt {

/// A pinhole camera. A pixel's ray goes from `position` along forward + u right + v up.
struct Camera {
  Vec3d position, right, up, forward;
  double tan_x = 1, tan_y = 1;  ///< half the picture's extent at distance 1
  PictureSize size;

  /// Of the ray through pixel coordinates (0, 0) top left to (width, height); not of length 1: its forward part is 1.
  Vec3d direction(double px, double py) const {
    return forward + right * (tan_x * (2 * px / size.width - 1)) + up * (tan_y * (1 - 2 * py / size.height));
  }
  /// Pixel coordinates of a point in front of the camera, and its distance along `forward` as z.
  Vec3d project(const Vec3d& x) const;
};

/// The picture's size: as asked for, or half a megapixel in a shape that suits the domain, between 4:5 and 16:9. Even
/// numbers.
PictureSize picture_size(const Domain& domain, const CameraParams& params);

/// A camera as asked for; what is not given frames the domain: a three-quarter view from slightly above, every corner
/// of the domain inside the picture with a margin.
Camera make_camera(const Domain& domain, const CameraParams& params);

}  // namespace silt
