#pragma once

#include <vector>

#include "silt/render/grid.h"
#include "silt/render/image.h"
#include "silt/render/params.h"

namespace silt {

/// Light of a body at a temperature: a rough black body, dark red at 800 K to yellow-white at 2000 K, in units of a
/// white wall's brightness. Far less steep than the real one, which spans five powers of ten between the two.
Colour black_body(float kelvin);

/// Smoke and flame below this do not glow visibly [K].
inline constexpr float glow_from = 750;

/// What leaves through an open side thins out over the last cells before it, instead of being cut by the domain's end.
float fade_at_open_sides(const Domain& domain, Cell c);

/// The flames of a frame (its volume "flame", fuel burnt a second) as light. Positions and lengths in cells.
class Fire {
 public:
  Fire(const Frame& frame, const LookParams& look);

  bool any() const { return !lamps_.empty(); }
  /// Radiance that a ray gains per cell of way at x.
  Colour emission(const Vec3f& x) const { return emission_.smooth(x); }
  float brightness(Cell c) const { return emission_.at(c).x; }

  /// Light that arrives at a surface at x with normal n, and at smoke at x, from all flames. Nothing shades it.
  Colour on_surface(const Vec3f& x, const Vec3f& n) const;
  Colour in_smoke(const Vec3f& x) const;

 private:
  /// A slab of the flames, as light from one place.
  struct Lamp {
    Vec3f position;
    float size2 = 1;  ///< mean square extent [cells^2]
    Colour power;     ///< integral of the emission
  };
  void gather_lamps();

  Grid<Colour> emission_;
  std::vector<Lamp> lamps_;
};

}  // namespace silt
