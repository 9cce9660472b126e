#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt {

/// Smoke carries red, green and blue times its density, so that where smokes mix each counts by its amount. Sharp
/// advection limits each field by itself, and their ratios would leave the colours there are; so colours are carried by
/// plain linear interpolation, of amount and coloured amount alike, and only their ratio is used: it is a mean of
/// colours, whatever happens to the density.

/// out = part / whole, within [0, 1]; `otherwise` where there is next to nothing of the whole.
void colour_share(const Exec& exec, const Domain& domain, const Field<float>& part, const Field<float>& whole,
                  double otherwise, Field<float>& out);
/// field *= by on every cell of the domain.
void multiply_cells(const Exec& exec, const Domain& domain, const Field<float>& by, Field<float>& field);

/// Colour of the smoke for a frame, three floats a cell; 0 where there is none.
void pack_colour(const Exec& exec, const Domain& domain, const Field<float>& density, const Field<float> (&coloured)[3],
                 Buffer<float>& out);

}  // namespace silt
