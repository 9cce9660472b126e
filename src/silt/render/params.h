#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "silt/core/vec.h"

namespace silt {

/// From where a camera looks that nobody has placed.
enum class Viewpoint { corner, front, side, top };

/// Where the picture is taken from. What is not given is chosen so that the whole domain is seen.
struct CameraParams {
  Viewpoint view = Viewpoint::corner;   ///< where it has no position
  std::optional<Vec3d> position;        ///< [m]
  std::optional<Vec3d> target;          ///< looked at [m]
  std::optional<Vec3d> up{};            ///< in the picture, of any length; absent: z
  std::optional<double> field_of_view;  ///< from the picture's bottom to its top [degrees]
  std::optional<int> width, height;     ///< of the picture [pixels]; made even, since film needs that
  double shutter = 0.5;                 ///< share of the time from a frame to the next that it is open
};

/// What 2D pictures are drawn on.
enum class Page { dark, paper };

/// The colours of numbers. `usual`: ember; where values have a sign, both.
enum class ColourMap { usual, ember, sea, grey, both };

/// How things look. Colours are linear RGB; light is in units of a white wall's brightness.
struct LookParams {
  std::optional<double> density_scale;     ///< extinction of smoke of density 1 [1/m]
  Vec3d smoke_colour{0.98, 0.98, 0.98};    ///< share of light that survives a scattering
  std::optional<double> flame_scale;       ///< light of a flame that burns a unit of fuel a second [1/m]
  Vec3d sun_direction{-0.45, -0.42, 1.0};  ///< towards the sun
  Vec3d sun_colour{1.34, 1.19, 1.00};
  Vec3d sky_colour{0.125, 0.170, 0.245};
  Vec3d background_top{0.008, 0.011, 0.016};
  Vec3d background_bottom{0.040, 0.051, 0.066};
  Vec3d ground_colour{0.155, 0.165, 0.180};
  Vec3d solid_colour{0.62, 0.23, 0.09};
  Vec3d water_colour{0.25, 0.68, 0.80};  ///< share of light left after a way of `water_depth` through water
  std::optional<double> water_depth;     ///< [m]
  Vec3d grain_colour{0.58, 0.44, 0.27};  ///< of grains that have none of their own
  std::optional<int> grains;             ///< balls drawn for each particle
  double exposure = 1;
  std::string quantity = "density";            ///< the volume that a 2D picture shows
  std::optional<double> range_min, range_max;  ///< of a 2D picture's colours, in the quantity's unit
  Page page = Page::dark;
  ColourMap colours = ColourMap::usual;
  int contours = 0;        ///< lines of equal value in a 2D picture's range
  bool arrows = false;     ///< of the velocity, in 2D pictures
  bool particles = false;  ///< as dots over what a 2D picture shows
};

/// How much work a 3D picture is.
struct Effort {
  int samples = 64;        ///< paths of light a pixel, at most: where little changes fewer are followed
  std::uint64_t seed = 1;  ///< of the random numbers: the same picture for the same seed
  bool denoise = true;
  bool careful = true;  ///< light is followed far, and what rays look things up in is built for many of them

  /// For a look while a run goes on.
  static Effort quick() { return {.samples = 4, .careful = false}; }
};

struct RenderParams {
  CameraParams camera;
  LookParams look;
  double seconds_per_frame = 0;  ///< 0: not known, so that nothing is blurred by motion
  Effort effort{};
};

struct PictureSize {
  int width = 0, height = 0;
  friend bool operator==(const PictureSize&, const PictureSize&) = default;
};

}  // namespace silt
