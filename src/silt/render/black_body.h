#pragma once

#include "silt/render/image.h"

namespace silt {

/// The hue of a black body, linear sRGB whose largest part is 1: Planck's law over the visible, seen by the eye. What
/// no screen can show is left out.
Colour planck_hue(double kelvin);

/// The light of what glows in a picture, in units of a white wall's brightness: as a film for tungsten light has it,
/// for which 3200 K is white, with layers that see a little of each other's light. How bright it is rises far less than
/// the real light, which spans five powers of ten from embers to flames.
Colour black_body(float kelvin);

}  // namespace silt
