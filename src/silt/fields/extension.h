#pragma once

#include <vector>

#include "silt/fields/domain.h"
#include "silt/fields/field.h"
#include "silt/fields/used_rows.h"

namespace silt {

/// Carries values from where they are known a few layers into where they are not, fluid into solid or liquid into air,
/// across periodic sides too. Each new value is the mean of its known neighbours one layer nearer; or, where the
/// distance to the known is given, constant along its gradient. The plan depends on geometry alone and is reused while
/// that stands; one that is found again, for other geometry on the same box, uses the memory it has. The same bits for
/// any number of threads.
class Extension {
 public:
  /// `known(index)`, a kernel, over `box`, the part of `all` the domain's cells or faces to look at; `layers` is how
  /// far to go. `axis` is that of the faces; -1 for cells.
  template <class Known>
  void find(const Exec& exec, const Domain& domain, const Layout& layout, int axis, const Cells& all, const Cells& box,
            int layers, const Known& known);

  bool empty() const { return targets_.size() == 0; }
  /// Halos are overwritten where a side is periodic. Only the first `layers` of them, where there are more.
  void run(const Exec& exec, Field<float>& field, int layers = 255) const;
  /// Solves grad u . grad phi = 0 by upwind differences where phi, at cell centres, rises from the known: a level set,
  /// with a layer of halo beyond that of the field. First order; where phi has no slope, as `run`.
  void run_along(const Exec& exec, const Field<float>& phi, Field<float>& field) const;

 private:
  void list_targets(const Exec& exec, int layers);
  bool wraps() const;

  Domain domain_;
  int axis_ = -1;
  Cells all_, box_;
  Buffer<int> targets_;              ///< storage indices, layer by layer
  std::vector<std::int64_t> begin_;  ///< where each layer starts in targets_; one more at the end
  Field<unsigned char> layer_;       ///< 255 known, one less for each layer; 0 beyond reach or outside the box
  Field<unsigned char> next_;        ///< scratch of the same kind
  UsedRows used_;                    ///< of the two
};

/// Faces of one axis that are closed, from faces that are open: where `open` is zero, from where it is not. With the
/// weights of a liquid's pressure (fields/hodge_star.h) these are the faces in the air. Faces on the domain's boundary
/// keep what is prescribed.
Extension extend_faces(const Exec& exec, const Domain& domain, int axis, const MacField<float>& open, int layers);
void extend_faces(const Exec& exec, const Domain& domain, int axis, const MacField<float>& open, int layers,
                  Extension& out);
/// Cells all of whose faces are closed, from the others.
Extension extend_cells(const Exec& exec, const Domain& domain, const MacField<float>& open, int layers);

}  // namespace silt
