#include "silt/solve/damped_steps.h"

#include "silt/core/loops.h"

namespace silt {

namespace {

/// One over the roots of Chebyshev's polynomial of degree 2 on [0.3, 2]: 1.15 +- 0.85 cos(pi/4). No eigenvalue of
/// D^-1 A is above 2; one below 0.3 is served too, only less well.
constexpr double lengths[] = {1 / (1.15 + 0.85 * 0.70710678), 1 / (1.15 - 0.85 * 0.70710678)};

/// 1 / a_cc on the face, 0 off it.
struct FaceInverse {
  View<const float> diagonal;
  View<const unsigned char> fixed;
  SILT_HD double operator()(Cell c) const {
    const double d = diagonal(c), on = d > 0 ? 1 - int(fixed(c)) : 0;
    return on / (d > 0 ? d : 1);
  }
};

/// z = w D^-1 r
struct FirstStep {
  double length;
  FaceInverse inverse;
  View<const double> r;
  View<float> z;
  SILT_HD void operator()(Cell c) const { z(c) = float(length * inverse(c) * r(c)); }
};

/// z += w D^-1 (r - A z)
struct NextStep {
  double length;
  FaceInverse inverse;
  View<const double> r, az;
  View<float> z;
  SILT_HD void operator()(Cell c) const { z(c) += float(length * inverse(c) * (r(c) - az(c))); }
};

}  // namespace

void DampedSteps::apply(const Exec& exec, const PoissonOperator& op, const Field<unsigned char>& fixed,
                        const Field<double>& r, Field<float>& z) {
  const Box& cells = op.domain().cells;
  if (az_.layout() != op.layout()) az_ = Field<double>(op.layout());
  const FaceInverse inverse{op.diagonal().read(exec), fixed.read(exec)};
  for_each_cell(exec, "steps.first", cells, FirstStep{lengths[0], inverse, r.read(exec), z.write(exec)});
  for (int n = 1; n < int(std::size(lengths)); ++n) {
    op.apply(exec, z, az_);
    for_each_cell(exec, "steps.next", cells,
                  NextStep{lengths[n], inverse, r.read(exec), az_.read(exec), z.update(exec)});
  }
}

}  // namespace silt
