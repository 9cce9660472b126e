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
  /// Of the faces across one axis. A face is its index in the fields' layout.
  struct Faces {
    Buffer<int> extended, lends;
    Buffer<int> acting;         ///< those where velocities go on that lie beside one that lends, halos included
    Buffer<int> first, beside;  ///< of the i-th that lends: `beside` from first[i] to first[i + 1], in that list
    Buffer<float> acts;         ///< scratch: what acts on each of that list
    Buffer<double> sums;        ///< scratch: two for each that lends
  };

  /// Of a domain's faces: where each field is over 0.
  void find(const Domain& domain, const MacField<float>& extended, const MacField<float>& lends);

  /// What loops share among threads: a face of these lists is as much work as so many cells.
  static constexpr int cells_each = 8;

  Faces& faces(int a) const { return faces_[std::size_t(a)]; }

 private:
  mutable std::array<Faces, 3> faces_;
};

}  // namespace silt
