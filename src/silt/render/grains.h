#pragma once

#include "silt/fields/frame.h"
#include "silt/render/coated.h"
#include "silt/render/params.h"

namespace silt {

/// Particles as balls: one each, or a heap of smaller grains seeded in its place. Colour by particle, shade by grain;
/// where they are wet ("wetness", 0 to 1) darker and glossier. A particle with an id has the same grains in every
/// frame, whatever its place in the list.
class GrainBalls {
 public:
  GrainBalls(const Points& points, const LookParams& look, int each);

  int each() const { return each_; }
  /// From the particle's centre, and the radius; both in radii of the particle.
  Vec3f offset(std::size_t particle, int grain) const;
  float radius(std::size_t particle, int grain) const;
  Coated surface(std::size_t ball) const;
  std::size_t bytes() const {
    return colours_.capacity() * sizeof(Colour) + 8 * ids_.capacity() + 4 * wetness_.capacity();
  }

 private:
  std::uint64_t id_of(std::size_t particle) const { return ids_.empty() ? particle : ids_[particle]; }

  int each_;
  Colour plain_;
  std::vector<Colour> colours_;     // of particles; may be empty
  std::vector<std::uint64_t> ids_;  // of particles; may be empty
  std::vector<float> wetness_;      // of particles; may be empty
};

/// What water does to a surface: it fills the pores, where light then stays longer, and lies over them as a film.
Coated wetted(Coated dry, float wetness);

}  // namespace silt
