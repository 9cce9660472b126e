#pragma once

#include "silt/render/directions.h"
#include "silt/render/image.h"

namespace silt {

/// A matt body under a film of water or varnish: dry when the film is 0. Looks of everything that is not clear water:
/// ground, obstacles, grains dry and wet, meshes.
struct Coated {
  Colour albedo{1, 1, 1};  ///< of the body
  float film = 0;          ///< share of the surface that the film covers
  float roughness = 0.3f;  ///< of the film: the slope of its facets, 0.02 glossy to 1 dull
};

/// A direction light is taken from, the share f cos / density of it that goes on, and the density it was chosen with.
struct Scattered {
  Vec3f direction;
  Colour weight;
  float density = 0;  ///< per solid angle
};

/// How such a surface scatters light, all directions away from the surface, z its normal.
///   f = film F D G / (4 cos_i cos_o) + albedo / pi (1 - film E(i)) (1 - film E(o)) / (1 - film mean(E))
/// The first part are mirrors of distribution GGX [Walter et al. 2007] with Fresnel's reflectance F; E is what they
/// send back in all of light from one direction, so that the body gets and passes the rest [Kelemen & Szirmay-Kalos
/// 2001]: with albedo 1 nothing is lost, with less nothing is won.
class CoatedLook {
 public:
  CoatedLook();

  Colour value(const Coated& surface, const Vec3f& to_viewer, const Vec3f& to_light) const;  ///< f cos(to_light)
  float density(const Coated& surface, const Vec3f& to_viewer, const Vec3f& to_light) const;
  Scattered sample(const Coated& surface, const Vec3f& to_viewer, Pair u, float choice) const;
  /// E: the share that the film's mirrors send back.
  float mirrored(float cosine, float roughness) const;

 private:
  float mean_mirrored(float roughness) const;
  float share_of_film(const Coated& surface, float cosine) const;

  static constexpr int n = 32, roughs = 16;
  float mirrored_[roughs][n], mean_[roughs];
};

}  // namespace silt
