#pragma once

#include "silt/core/loops.h"
#include "silt/fields/field.h"
#include "silt/solve/going_on.h"

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
    if (extended[n] > 0) at(n);
  }
  SILT_HD void at(int n) const {
    T sum = 0;
    for (const int s : step)
      for (const int next : {n - s, n + s}) sum += mass[next] > 0 ? u.data[next] : T(0);
    u.data[n] = extended[n] * sum;
  }
};

/// The same for a list of the faces where it goes on.
template <class T>
struct ExtendListed {
  ExtendFaces<T> extend;
  const int* faces;
  SILT_HD void operator()(std::int64_t i) const { extend.at(faces[i]); }
};

/// Of component a, over the lists if there are any.
template <class T>
void extend_faces(const Exec& exec, const char* name, const Cells& faces, const GoingOn* lists, int a,
                  const ExtendFaces<T>& kernel) {
  if (!lists) return for_each_cell(exec, name, faces, kernel);
  const Buffer<int>& list = lists->faces(a).extended;
  for_each_index(exec, name, std::int64_t(list.size()), ExtendListed<T>{kernel, list.host()}, GoingOn::cells_each);
}

}  // namespace silt
