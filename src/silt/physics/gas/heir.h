#pragma once

#include "silt/fields/one_side.h"
#include "silt/physics/gas/gas_state.h"
#include "silt/physics/gas/step_frame.h"

namespace silt::gas {

/// Who gets what a cell held: of the neighbours that are on the same side of plates, the one with most room. Codes of
/// cells that a solid fills up, and of those that a plate passes over, so that they are on its other side: see
/// SidesInStep.
namespace heir {
inline constexpr int none = 0;  ///< else 1 + 2 axis + (1 where it is the higher one)
inline constexpr int goes_over = 8;

SILT_HD inline constexpr int towards(int axis, int end) {
  return 1 + 2 * axis + end;
}
/// The neighbour of n along an axis has n for its heir.
SILT_HD inline bool is_of(const unsigned char* codes, int n, int step, int axis, int end) {
  return (codes[end ? n + step : n - step] & 7) == towards(axis, 1 - end);
}
}  // namespace heir

/// The sides of cells while solids go from where distances were `before` to where they are `now`.
SidesInStep sides_in_step(const Exec& exec, const Domain& domain, const Field<float>& before, const Field<float>& now);

/// Rooms before a step in which solids move, as hand_over_sides changes them: by distances, how far V is off that, V.
struct RoomsBefore {
  Field<float>&by_distance, &off, &room;
};

/// Fills `codes`, with halos, once `open` is that of the mean of the step; `now` is V after it by distances. Whether
/// any cell goes over.
bool find_heirs(const StepFrame& frame, const SidesInStep& sides, const Field<float>& before, const Field<float>& now,
                Field<unsigned char>& codes);
/// Cells that go over give what they hold, and the room that it has, to their heirs, and have no room before the step.
void hand_over_sides(const StepFrame& frame, const Field<unsigned char>& codes, const RoomsBefore& rooms,
                     GasState& state, Field<float>& scratch, Field<float>& room_scratch);

}  // namespace silt::gas
