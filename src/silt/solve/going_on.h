#pragma once

#include <array>

#include "silt/core/buffer.h"
#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt {

/// Faces where velocities go on into solids (GrainParts::extended), and those that they go on from, as lists: there are
/// few of them, and every turn of a solver looks at them several times. On the host alone.
class GoingOn {
 public:
  /// Of a domain's faces: where each field is over 0.
  void find(const Domain& domain, const MacField<float>& extended, const MacField<float>& lends);

  const Buffer<int>& extended(int a) const { return extended_[a]; }  ///< indices in the fields' layout
  const Buffer<int>& lends(int a) const { return lends_[a]; }
  Buffer<double>& sums() const { return sums_; }  ///< scratch: a number for each that lends, of any axis

 private:
  std::array<Buffer<int>, 3> extended_, lends_;
  mutable Buffer<double> sums_;
};

}  // namespace silt
