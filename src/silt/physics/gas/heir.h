#pragma once

#include "silt/physics/common/lattice_steps.h"

namespace silt::gas {

/// Who gets what is left in a cell that a solid fills up: the neighbour with most room; itself where none has any.
SILT_HD inline int heir(const LatticeSteps& at, CellData room, int n) {
  int best = n;
  float most = 0;
  for (int a = 0; a < 3; ++a) {
    const int s = at.step[a];
    if (s == 0) continue;
    if (room[n - s] > most) most = room[n - s], best = n - s;
    if (room[n + s] > most) most = room[n + s], best = n + s;
  }
  return best;
}

}  // namespace silt::gas
