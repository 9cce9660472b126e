#pragma once

#include <cmath>

#include "silt/fields/field.h"

namespace silt {

/// A level set about the centre of one cell, to second order, in units of cells: value, slopes and second differences
/// of the 19 cells on and round it. Flat axes drop out.
struct LocalSurface {
  double value;
  Vec3d slope, bend, twist;  ///< bend: xx, yy, zz; twist: yz, zx, xy

  SILT_HD static LocalSurface at(const View<const float>& phi, double inv_h, Cell c) {
    LocalSurface out;
    const double here = phi(c);
    out.value = here * inv_h;
    for (int a = 0; a < 3; ++a) {
      const Int3 s = unit((a + 1) % 3), t = unit((a + 2) % 3);
      const double above = phi(c + unit(a)), below = phi(c - unit(a));
      out.slope[a] = 0.5 * inv_h * (above - below);
      out.bend[a] = inv_h * ((above - here) - (here - below));
      out.twist[a] =
          0.25 * inv_h * ((double(phi(c + s + t)) - phi(c + s - t)) - (double(phi(c - s + t)) - phi(c - s - t)));
    }
    return out;
  }

  SILT_HD Vec3d gradient(const Vec3d& x) const {
    return {slope.x + bend.x * x.x + twist.z * x.y + twist.y * x.z,
            slope.y + bend.y * x.y + twist.x * x.z + twist.z * x.x,
            slope.z + bend.z * x.z + twist.y * x.x + twist.x * x.y};
  }
  SILT_HD double operator()(const Vec3d& x) const { return value + 0.5 * dot(slope + gradient(x), x); }

  enum class Search { found, left, none };

  /// Looks for the point of the surface nearest to `from`, starting at `x`, which moves: it is found; or the way leads
  /// more than a cell off, where this form no longer holds; or there is none. Each step goes onto the surface along the
  /// gradient, and along the surface towards `from`: by 1 / (1 + d k) of what a plane would ask for, d away from a
  /// surface of curvature k.
  ///   [CHO01] Chopp 2001, Some improvements of the fast marching method
  SILT_HD Search nearest(const Vec3d& from, Vec3d& x) const {
    constexpr int most_steps = 10;
    constexpr double near_enough = 1e-4, reach = 1, longest = 1;  // cells
    for (int step = 0; step < most_steps; ++step) {
      const Vec3d g = gradient(x);
      const double steepness = dot(g, g);
      if (!(steepness > 1e-6)) return Search::none;
      const double off = dot(from - x, g) / steepness;
      const Vec3d along = from - x - g * off;
      const double way = dot(along, along);
      const double curved = 1 + (way > 0 ? off * dot(gradient(along) - slope, along) / way : 0);
      Vec3d move = along * (1 / (curved > 0.3 ? curved : 0.3)) - g * ((*this)(x) / steepness);
      const double moved = length(move);
      if (moved > longest) move = move * (longest / moved);
      x += move;
      if (moved < near_enough) return Search::found;
      if (!(std::abs(x.x) < reach && std::abs(x.y) < reach && std::abs(x.z) < reach)) return Search::left;
    }
    return Search::none;
  }
};

}  // namespace silt
