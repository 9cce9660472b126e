#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "silt/render/bricks.h"

namespace silt {

/// The surface of what a level set of a frame is negative in, for rays: trilinear between cell centres, cut off by a
/// box as by glass. Positions and lengths in cells.
///
/// Rays step through the cubes between eight cell centres. Those that the surface passes are marked by bits, a block of
/// 4^3 of them in a word; each block knows how far it is to the next one with any, so that rays step over what lies
/// between.
class LevelSet {
 public:
  struct Cut {
    bool sides[3][2] = {};  ///< which of the domain's sides close it; beyond the others it goes on
    bool floor = true;      ///< whether the low z side has a surface of its own, or stands on the ground
  };
  LevelSet(const Frame& frame, std::string_view name, const Cut& cut, const Exec& exec);

  /// Whether there is anything within it.
  bool any() const { return !box_.empty(); }

  struct Crossing {
    float t;
    Vec3f gradient;  ///< out of what it encloses, of any length
    bool flat;       ///< by a cut side
  };
  /// The first crossing of the surface by a ray before t_max. The direction has length 1.
  std::optional<Crossing> first_crossing(const Vec3f& origin, const Vec3f& direction, float t_max) const;
  /// Signed distance, negative inside.
  float at(const Vec3f& x) const { return phi_.linear(x); }
  /// Of length 1, without the creases of trilinear patches.
  Vec3f smooth_normal(const Vec3f& x) const { return normalized(phi_.smooth_gradient(x)); }

  std::size_t bytes() const { return 4 * std::size_t(phi_.cells().count()) + 9 * marks_.size(); }

 private:
  struct Walk;
  void mark_cubes(const Exec& exec);
  void measure_clear_room();
  std::size_t index(Int3 block) const { return (std::size_t(block.z) * blocks_.y + block.y) * blocks_.x + block.x; }
  bool has_surface(Int3 cube) const;
  void corners(Int3 low, float values[8]) const;
  std::optional<Crossing> cross_side(const Vec3f& x, float t, const Vec3f& direction, bool entering) const;

  Grid<float> phi_;
  Box box_;
  bool floor_ = true;
  Int3 low_, blocks_;                 // of the cubes: the first; how many blocks there are of them
  std::vector<std::uint64_t> marks_;  // of the cubes of each block
  std::vector<std::uint8_t> clear_;   // so many blocks on, along any axis, is the first with a mark; 0: this one
};

}  // namespace silt
