#pragma once

#include <vector>

#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt {

/// Carries values from where they are known a few layers into where they are not (fluid into solid), each new value the
/// mean of its known neighbours one layer nearer, across periodic sides too. The plan depends on geometry alone and is
/// reused while that stands.
class Extension {
 public:
  Extension() = default;
  /// `known(index)` over `box`, the part of `all` the domain's cells or faces to look at; `layers` is how far to go.
  /// Built on the host.
  template <class Known>
  Extension(const Domain& domain, const Layout& layout, const Box& all, const Box& box, int layers, const Known& known);

  bool empty() const { return targets_.size() == 0; }
  /// Halos are overwritten where a side is periodic.
  void run(const Exec& exec, Field<float>& field) const;

 private:
  void grow_layers(const Layout& layout, int layers, std::vector<std::uint8_t>& layer);
  void wrap(const Layout& layout, std::vector<std::uint8_t>& layer) const;

  Domain domain_;
  Box all_, box_;
  Buffer<int> targets_;              ///< storage indices, layer by layer
  std::vector<std::int64_t> begin_;  ///< where each layer starts in targets_; one more at the end
  Buffer<std::uint8_t> layer_;       ///< of each storage index: 0 known, 255 beyond reach or outside the box
};

/// Faces of one axis that are closed, from faces that are open. Faces on the domain's boundary keep what is prescribed.
Extension extend_faces(const Domain& domain, int axis, const MacField<float>& open, int layers);
/// Cells all of whose faces are closed, from the others.
Extension extend_cells(const Domain& domain, const MacField<float>& open, int layers);

}  // namespace silt
