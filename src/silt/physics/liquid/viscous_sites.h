#pragma once

#include "silt/fields/site_plane.h"
#include "silt/physics/common/face_sites.h"

namespace silt {

/// The difference of one velocity component from a face to the next,  scale (x_upper - x_lower) + known,  where x is
/// zero on faces that are not free.
struct Difference {
  bool exists = false;  ///< false: no stress crosses here
  double scale = 1;
  double known = 0;  ///< [m/s]
  double share = 1;  ///< part of the way between the two that lies in the fluid
};

/// One component's faces as a viscous liquid has them: they move freely; or are held by what the liquid sticks to, at
/// the place between two faces where its surface is; or no stress reaches them.
struct ViscousFaces {
  FaceSites sites;
  float clear;                 ///< so far from solids [m] a corner's faces, and those next to them, move
  bool sticks[3][2];           ///< which sides of the domain are walls that the liquid sticks to
  double wall_velocity[3][2];  ///< of this component [m/s]

  SILT_HD bool held(Cell n) const { return sites.on_boundary(n) || sites.sticks(n); }

  /// From face c - b to face c, along axis b.
  SILT_HD Difference between(Cell c, int b) const {
    const Cell lower = c - unit(b);
    const bool inside = sites.exists(lower) && sites.exists(c) && !sites.on_boundary(lower) && !sites.on_boundary(c);
    if (inside && sites.distance(c) > clear) return {.exists = true};
    const bool lower_moves = sites.moves(lower), upper_moves = sites.moves(c);
    if (lower_moves && upper_moves) return {.exists = true};
    if (upper_moves) return towards(c, lower, b, 0);
    if (lower_moves) return towards(lower, c, b, 1);
    const bool both = sites.exists(lower) && sites.exists(c) && held(lower) && held(c);
    return {.exists = both, .known = both ? double(sites.solid_velocity(c)) - sites.solid_velocity(lower) : 0};
  }

 private:
  /// From the free face c to what lies at its lower (end 0) or upper (end 1) side.
  SILT_HD Difference towards(Cell c, Cell n, int b, int end) const {
    double theta = 1, value = 0;
    if (!sites.exists(n)) {
      if (b == sites.axis || !sticks[b][end]) return {};
      theta = 0.5, value = wall_velocity[b][end];
    } else if (sites.on_boundary(n)) {
      value = sites.solid_velocity(n);
    } else if (sites.sticks(n)) {
      theta = sites.way_to_solid(c, n);
      value = sites.surface_velocity(c, n, theta);
    } else {
      return {};
    }
    return {.exists = true, .scale = 1 / theta, .known = (end == 0 ? -value : value) / theta, .share = theta};
  }
};

}  // namespace silt
