#pragma once

#include <vector>

#include "silt/fields/field.h"
#include "silt/solve/cone.h"

namespace silt {

/// Blocks (p, s) at cell centres: a pressure, positive in compression, and a stress deviator in an orthonormal basis,
/// so that |s| is its Frobenius norm. Or what is dual to them, rates of strain: (-div u, deviator of D).
///
///   s_1 = (xx - yy) / sqrt 2,   s_2 = (xx + yy - 2 zz) / sqrt 6   and   sqrt 2 yz, sqrt 2 zx, sqrt 2 xy
///
/// In a plane its two axes stand for x and y, s_2 falls away and one shear is left: 6 numbers a block in 3D, 3 in 2D, 1
/// in 1D.
struct StressAxes {
  int dims = 3;
  int axis[3] = {0, 1, 2};  ///< the axes that are not flat

  explicit StressAxes(Int3 active) : dims(0) {
    for (int a = 0; a < 3; ++a)
      if (active[a]) axis[dims++] = a;
  }
  /// Numbers a block has.
  SILT_HD int size() const { return dims * (dims + 1) / 2; }
  /// Where in a block the shear round an axis stands; 0: it has none.
  SILT_HD int shear(int round) const {
    if (dims == 3) return 3 + round;
    return dims == 2 && round != axis[0] && round != axis[1] ? 2 : 0;
  }

  /// What part k of a block adds to the stress across the n-th axis that is not flat; and, transposed, what the rate of
  /// strain along that axis adds to part k. 0 <= n, k < dims.
  SILT_HD double normal(int n, int k) const {
    constexpr double half = 0.70710678118654752, sixth = 0.40824829046386302;
    if (k == 0) return -1;
    if (k == 1) return n == 0 ? half : n == 1 ? -half : 0;
    return n == 2 ? -2 * sixth : sixth;
  }
};

/// A block in each cell, as one view: all its parts lie alike in memory.
template <class T>
struct StressView {
  T* part[6] = {};
  silt::View<T> place;  ///< of the first part

  SILT_HD int index(Cell c) const { return place.index(c.x, c.y, c.z); }
  SILT_HD operator StressView<const T>() const requires(!std::is_const_v<T>) {
    StressView<const T> out;
    for (int k = 0; k < 6; ++k) out.part[k] = part[k];
    out.place = place;
    return out;
  }
};

class StressField {
 public:
  StressField() = default;
  explicit StressField(const Layout& layout)
      : parts_(std::size_t(StressAxes(layout.active).size()), Field<double>(layout)) {}

  bool allocated() const { return !parts_.empty(); }
  int size() const { return int(parts_.size()); }
  const Layout& layout() const { return parts_[0].layout(); }
  Field<double>& operator[](int k) { return parts_[std::size_t(k)]; }
  const Field<double>& operator[](int k) const { return parts_[std::size_t(k)]; }

  StressView<const double> read(const Exec& exec) const {
    return view<const double>([&](const Field<double>& f) { return f.read(exec); }, parts_);
  }
  StressView<double> write(const Exec& exec) {
    return view<double>([&](Field<double>& f) { return f.write(exec); }, parts_);
  }
  StressView<double> update(const Exec& exec) {
    return view<double>([&](Field<double>& f) { return f.update(exec); }, parts_);
  }

 private:
  template <class T, class Get, class Parts>
  static StressView<T> view(const Get& get, Parts& parts) {
    StressView<T> out;
    out.place = get(parts[0]);
    for (std::size_t k = 0; k < parts.size(); ++k) out.part[k] = get(parts[k]).data;
    return out;
  }
  std::vector<Field<double>> parts_;
};

}  // namespace silt
