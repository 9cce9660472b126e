#pragma once

#include "silt/core/exec.h"
#include "silt/render/bricks.h"
#include "silt/render/image.h"
#include "silt/render/params.h"
#include "silt/render/sampler.h"
#include "silt/render/sun_shade.h"

namespace silt {

/// The smoke and the flames of a frame: "density" stops light, and scatters a share of it; "flame" and what is hot
/// ("temperature" in K) shine. Positions and lengths in cells.
class Medium {
 public:
  static constexpr float forward = 0.35f;  ///< how much light is scattered on rather than back [Henyey-Greenstein's g]

  Medium() = default;
  /// `shutter`: how long the picture is exposed [s]; smoke with a volume "velocity" is blurred by it. 0: not at all.
  Medium(const Frame& frame, const LookParams& look, double shutter, const Exec& exec);

  bool any() const { return looks_.any(); }
  bool shines() const { return !emission_.empty(); }

  /// Where a ray of unit length is scattered before t_max, if it is.
  struct Event {
    float t = 0;
    bool scattered = false;
    Colour albedo;   ///< share of light that survives it
    Colour emitted;  ///< light that came from the way there
  };
  /// Light that comes from beyond `shines_until` is left out.
  Event track(const Vec3f& origin, const Vec3f& direction, float t_max, float shines_until, float time,
              Sampler& sampler) const;
  /// Share of light that comes through: an estimate whose mean is right.
  float through(const Vec3f& origin, const Vec3f& direction, float t_max, float time, Sampler& sampler) const;
  /// The same of the sun's light, that comes from a direction in its disc: known beforehand.
  float sun_through(const Vec3f& x, const Vec3f& direction) const { return sun_shade_.at(x, direction); }

  /// A place in the flames, chosen by how much light they send out there, and that light over the density of the
  /// choice.
  struct Lamp {
    Vec3f position;
    Colour power;
  };
  Lamp lamp(Sampler& sampler) const;

 private:
  void gather_lamps();
  void read_emission(const Frame& frame, const LookParams& look);
  void read_velocity(const Frame& frame, double shutter);
  template <class Visit>
  void walk(const Bricks& bricks, const Vec3f& origin, const Vec3f& direction, float t_max, float time,
            Sampler& sampler, const Visit& visit) const;

  Grid<float> extinction_;  // [1/cell]
  Grid<Colour> colour_;     // empty: all smoke is plain
  Grid<Colour> emission_;   // [1/cell]; empty: nothing shines
  Grid<Vec3f> motion_;      // way within the exposure [cells]; empty: no blur
  Colour plain_;
  Bricks stops_, looks_;  // of the extinction; of what rays look for, flames too
  SunShade sun_shade_;
  std::vector<Cell> lamps_;    // cells that shine
  std::vector<double> power_;  // of them and all before them
};

}  // namespace silt
