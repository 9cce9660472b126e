#pragma once

#include "silt/core/packed.h"
#include "silt/physics/common/lattice_steps.h"
#include "silt/physics/gas/inflow.h"
#include "silt/physics/gas/open_sides.h"

namespace silt::gas {

/// A face on an open side, by index: the cell inside, those beyond, and which way is out.
struct OpenFace {
  LatticeSteps at;
  int axis, end;
  Packed packed;
  const unsigned char* which;  ///< as SideInlets has them; none where nothing blows
  const InletNow* inlets;

  SILT_HD int face(Cell c) const { return at.index(c); }
  SILT_HD int step() const { return at.step[axis]; }
  SILT_HD int inside(Cell c) const { return end == 0 ? face(c) : face(c) - step(); }
  /// The k-th cell beyond, from 1 on.
  SILT_HD int beyond(Cell c, int k) const { return end == 0 ? face(c) - k * step() : face(c) + (k - 1) * step(); }
  SILT_HD float outwards(float u) const { return end == 0 ? -u : u; }
  /// What blows there; nullptr: nothing does.
  SILT_HD const InletNow* inlet(Cell c) const {
    const int k = which ? which[packed(c)] : 0;
    return k == SideInlets::none || k == SideInlets::wall ? nullptr : inlets + (k - 1);
  }
  SILT_HD bool closed(Cell c) const { return which && which[packed(c)] == SideInlets::wall; }
};

/// Of the i-th of open_sides().
inline OpenFace open_face(const StepFrame& frame, std::size_t i, const OpenSide& side, const Layout& layout) {
  const bool blown = frame.inlets && (*frame.inlets)[i].any();
  return {LatticeSteps(layout),
          side.axis,
          side.end,
          {side.faces},
          blown ? (*frame.inlets)[i].which.read(frame.exec) : nullptr,
          blown ? (*frame.inlets)[i].now.read(frame.exec) : nullptr};
}

}  // namespace silt::gas
