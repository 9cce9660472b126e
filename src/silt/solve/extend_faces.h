#pragma once

#include "silt/fields/field.h"

namespace silt {

/// u of a component on faces where it goes on from those next to them: the mean of what has mass there, each with the
/// share `extended`, which is 0 on all others.
template <class T>
struct ExtendFaces {
  int step[3];
  const float *extended, *mass;
  View<T> u;
  SILT_HD void operator()(Cell c) const {
    const int n = u.index(c.x, c.y, c.z);
    if (!(extended[n] > 0)) return;
    T sum = 0;
    for (const int s : step)
      for (const int next : {n - s, n + s}) sum += mass[next] > 0 ? u.data[next] : T(0);
    u.data[n] = extended[n] * sum;
  }
};

}  // namespace silt
