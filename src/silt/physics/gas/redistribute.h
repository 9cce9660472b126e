#pragma once

#include "silt/physics/gas/step_frame.h"

namespace silt::gas {

/// What flows through the faces of a cell of which a solid leaves little is too much for it. Such a cell and the one
/// beside it, away from the solid, share what they hold: state redistribution [BG21]. With N the number of groups that
/// a cell is in, its own and those of small cells beside it,
///   Q of a group = sum V U / N over sum V / N of its cells;   U = mean of Q over the groups of a cell.
/// Sums of V U are kept, and so is whatever is constant.
///   [BG21] Berger & Giuliani 2021, A state redistribution algorithm for finite volume schemes on cut cell meshes
class Redistribution {
 public:
  Redistribution() = default;
  /// Groups of the cells that `openings` leave less than half of, now or before the step.
  Redistribution(const Exec& exec, const Domain& domain, const Openings& openings);

  /// The same groups, by other rooms.
  void weigh(const Exec& exec, const Domain& domain, const Field<float>& room);
  /// 0: none; else 1 + 2 axis + (1 where it is the higher one). With halos.
  const Field<unsigned char>& partners() const { return partner_; }

  /// Of values by volume. Halos must be filled.
  void run(const Exec& exec, const Domain& domain, Field<float>& values);

 private:
  Field<unsigned char> partner_;
  Field<float> share_;  ///< V / N
  Field<float> group_;  ///< Q of the group of each cell
};

}  // namespace silt::gas
