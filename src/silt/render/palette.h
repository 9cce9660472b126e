#pragma once

#include "silt/render/image.h"

namespace silt {

/// The colour of t in [0, 1] for pictures of a scalar on a dark page: near-black blue through violet, rose and apricot
/// to cream. Its lightness (OKLab's L) grows evenly with t, so equal steps of the value look equal, in grey print too.
Colour smoke_palette(float t);

/// The colour of t in [0, 1] for values of both signs: blues below the middle, dark as the page in it, ambers above.
/// Its lightness grows evenly to both ends.
Colour signed_palette(float t);

/// Perceived lightness of a colour: OKLab's L, 0 black to 1 white.
float lightness(Colour c);

}  // namespace silt
