#pragma once

#include "silt/render/exposure.h"

namespace silt {

/// The picture's light with its noise smoothed away, edges kept: a pixel is mixed with others round it that differ by
/// no more than noise would, and that show a surface of like colour, slope and distance. Repeated with wider and wider
/// gaps between them [Dammertz et al. 2010, a-trous], each time by what noise is left [Schied et al. 2017].
Image denoised(const Exposure& picture, const Exec& exec);

}  // namespace silt
