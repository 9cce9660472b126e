#pragma once

#include "silt/render/image.h"
#include "silt/render/params.h"

namespace silt {

/// The colour of t in [0, 1] for pictures of a scalar on a dark page: near-black blue through violet, rose and apricot
/// to cream. Its lightness (OKLab's L) grows evenly with t, so equal steps of the value look equal, in grey print too.
Colour smoke_palette(float t);

/// The same from near-black blue through teal and green to pale yellow; and from black to white.
Colour sea_palette(float t);
Colour grey_palette(float t);

/// The colour of t in [0, 1] for values of both signs: blues below the middle, dark as the page in it, ambers above.
/// Its lightness grows evenly to both ends.
Colour signed_palette(float t);
/// The same for white paper: white in the middle, darker to both ends.
Colour paper_signed_palette(float t);

using Palette = Colour (*)(float);
/// `has_sign`: of values that have one, for who asks for the usual.
Palette palette_of(ColourMap map, bool has_sign, Page page = Page::dark);

/// Black or white, whichever is seen on a colour.
Colour contrasting(Colour under);

/// Perceived lightness of a colour: OKLab's L, 0 black to 1 white.
float lightness(Colour c);

}  // namespace silt
