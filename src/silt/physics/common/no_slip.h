#pragma once

#include "silt/fields/cut_cells.h"
#include "silt/fields/extension.h"

namespace silt {

/// The flow carried on into solids, so that what is interpolated beside them is right:
///   free slip  each value the mean of its neighbours nearer the fluid
///   no slip    the same, mirrored through the surface: zero there, relative to the solid, as the fluid's velocity is.
///              With E the extension and d the distance of a face, u = u_solid + (d / E[d]) (E[u] - u_solid), which is
///              exact where the velocity is linear; never further from the solid's velocity than the fluid is.
/// The plan depends on geometry alone.
class FlowInSolids {
 public:
  FlowInSolids() = default;
  /// `layers`: how many cells deep.
  FlowInSolids(const Exec& exec, const Domain& domain, const CutCells& cut, int layers);

  /// Faces that are closed get values from those that are not.
  void run(const Exec& exec, const Domain& domain, const CutCells& cut, MacField<float>& velocity) const;

 private:
  Extension faces_[3];
  MacField<float> mirror_;  ///< d / E[d] on closed faces that fluid sticks to, else 1; none when fluid sticks nowhere
};

}  // namespace silt
