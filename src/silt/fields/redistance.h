#pragma once

#include "silt/fields/level_set.h"

namespace silt {

/// Makes a level set the signed distance to its own surface, which stays where it is [m].
///
/// A cell that the surface passes, that is, whose sign is not all its neighbours', finds the nearest point of the
/// surface as the level set to second order about the cell has it. Other cells take over their neighbours' points, the
/// nearest of them, round by round, and in the end look for their own near the one they have. So distances are as
/// accurate far out as beside the surface, O(h^3) where it is smooth, and derivatives of them may be taken. Where the
/// second-order form has no such point (a drop or a gap of a cell) the plane through the crossings of the cell's edges
/// stands for it. Signs never change.
///
/// The same bits for any number of threads.
class Redistance {
 public:
  Redistance() = default;
  explicit Redistance(const Layout& layout);

  /// `phi` at cell centres; its halo is filled, before and after. Beyond `band` cells it is +-band h.
  void run(const Exec& exec, const Domain& domain, int band, Field<float>& phi);

 private:
  void find_feet(const Exec& exec, const Domain& domain, int rounds, const Region& near);

  MacField<float> foot_, next_;  ///< from a cell's centre to the surface [cells], by component
  Field<float> out_;
};

}  // namespace silt
