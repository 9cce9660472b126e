#pragma once

#include "silt/fields/one_side.h"
#include "silt/physics/gas/step_frame.h"

namespace silt::gas {

/// Of faces that gas passes, `open` becomes the open fraction on the mean of a step in which distances go from
/// those before to those now in a straight line: what passes them then fits what the cells beside them gain and lose,
/// also in the step in which a solid uncovers a whole face at once.
void mean_opening(const Exec& exec, const Domain& domain, const SidesInStep& sides, MacField<float>& open);

/// What swept_room works with, and out.
struct SweptRooms {
  const Field<float>&before, &now;  ///< V by distances
  Field<float>&off, &room;          ///< how far off V is, and V
  Field<float>& swept;
  MacField<float>& slip;
  Field<float>& left;  ///< scratch
};

/// V after a step in which solids move, such that air which moves along with them stays as it is. Distances at corners
/// round off what is between them, and more or less so as it passes: V of them and what flows through faces that are as
/// open as they are on the mean of the step do not fit to rounding, and a ten thousandth of a cell is ten pascals. So
/// what a solid sweeps is taken from the same faces,
///   V = V_before + swept - dt div(slip),   swept = dt div((1 - A) u_solid),
/// which fits whatever A is: together with the flow's A u_solid it is nothing. The sum of all V is then kept, too, as a
/// solid's volume is. What V is off by, from that of distances, small cells hand to the one that they share with, and
/// others even out among them: so much room, `slip` by area [m/s], goes from cell to cell, with what is in it.
/// Openings must be those of the mean of the step, `partner` as Redistribution has them, `heirs` as find_heirs does.
void swept_room(const StepFrame& frame, const Field<unsigned char>& partner, const Field<unsigned char>& heirs,
                const SweptRooms& rooms);
/// V where `now` is that by distances, and V is so far off it.
void add_rooms(const Exec& exec, const Domain& domain, const Field<float>& now, const Field<float>& off,
               Field<float>& room);

}  // namespace silt::gas
