#pragma once

#include "silt/fields/frame.h"
#include "silt/render/draw.h"
#include "silt/render/grid.h"
#include "silt/render/palette.h"
#include "silt/render/plot_page.h"

namespace silt {

/// From places in the scene to pixels of a map.
struct MapView {
  Rect map;
  Vec3d lower;  ///< its lower left corner [m]
  double pixels_a_metre = 1;

  Spot at(const Vec3d& x) const {
    return {map.x + (x.x - lower.x) * pixels_a_metre, map.y + map.height - (x.y - lower.y) * pixels_a_metre};
  }
  Vec3d place(const Spot& s) const {
    return {lower.x + (s.x - map.x) / pixels_a_metre, lower.y + (map.y + map.height - s.y) / pixels_a_metre, 0};
  }
};

/// How much of a pixel the nearest of so many lines of equal value in a range covers: by the distance to it, which the
/// gradient tells. `gradient` is per pixel, `width` in pixels.
float contour_cover(float value, float gradient, const Range& range, int lines, float width);

/// Arrows of a volume of velocities, a pace apart, the longest of which is as long as that; where it is solid there are
/// none. Returns the speed of the longest [m/s].
double draw_arrows(Image& image, const MapView& view, const Frame& frame, const Volume& velocity, double pace,
                   double width);

/// Every particle of a frame as a small dot.
void draw_particles(Image& image, const MapView& view, const Frame& frame);
/// The same coloured by their speed [m/s].
void draw_particle_speeds(Image& image, const MapView& view, const Frame& frame, const Range& range, Palette palette);

/// Particles of water that are spray, as discs of as much water as each is: those that outside(place, radius) says so
/// of.
template <class Outside>
void draw_drops(Image& image, const MapView& view, const Frame& frame, const Colour& colour, const Outside& outside) {
  constexpr double of_radius = 0.56;  // a quarter of a cell, where the radius is half a cell
  for (const Points& points : frame.points)
    for (const Vec3d& x : points.positions)
      if (points.material == "water" && outside(x, double(points.radius)))
        draw_dot(image, view.map, view.at(x), of_radius * points.radius * view.pixels_a_metre, colour);
}

/// Of a frame's particles [m/s].
double fastest_particle(const Frame& frame);

}  // namespace silt
