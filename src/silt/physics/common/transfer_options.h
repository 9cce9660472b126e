#pragma once

#include <string_view>

#include "silt/fields/particles.h"

namespace silt {

/// How velocities go from particles to faces and back. docs/physics/particles.md has the formulas and what each loses.
enum class Transfer {
  pic,      ///< particles take the faces' velocity: stable, and as thick as honey [HAR63]
  flip,     ///< they take the change of it: hardly any loss, and noise that nothing damps [BR86]
  blend,    ///< the two mixed
  apic,     ///< they keep its gradient too [JSS15]
  polypic,  ///< and all that the weights' faces can tell: mixed derivatives, and with quadratic ones curvatures [FGG17]
};

/// How faces are weighed along the axes that they do not lie across; along their own it is always linear.
enum class Across {
  linear,  ///< trilinear in all: the two nearest; PIC's diffusion is h^2/6 a round trip [ZB05, corrected]
  smooth,  ///< quadratic B-splines: the three nearest. Angular momentum is then exact with APIC and PolyPIC
};

struct TransferOptions {
  Transfer scheme = Transfer::apic;
  Across across = Across::smooth;
  double flip_part = 0.97;  ///< of a blend, between 0 (PIC) and 1 (FLIP)

  /// What particles must carry for it.
  Modes modes() const {
    return scheme == Transfer::polypic ? across == Across::smooth ? Modes::biquadratic : Modes::multilinear
           : scheme == Transfer::apic  ? Modes::affine
                                       : Modes::constant;
  }
  /// How much of the difference between a particle's velocity and the faces' it keeps.
  double kept() const { return scheme == Transfer::flip ? 1 : scheme == Transfer::blend ? flip_part : 0; }
};

/// As scenes and tables call it.
constexpr std::string_view name_of(Transfer scheme) {
  constexpr std::string_view names[] = {"pic", "flip", "blend", "apic", "polypic"};
  return names[int(scheme)];
}

}  // namespace silt
