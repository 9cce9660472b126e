#include "silt/solve/going_on.h"

#include <algorithm>
#include <vector>

namespace silt {
namespace {

template <class T>
Buffer<T> buffer_of(const std::vector<T>& values) {
  Buffer<T> out(values.size());
  std::copy(values.begin(), values.end(), out.host());
  return out;
}

std::vector<int> faces_with(const Cells& faces, const Field<float>& field) {
  std::vector<int> list;
  const float* values = field.values().host();
  for (int n = 0; n < faces.row_count(); ++n) {
    const int y = faces.row_y(n), z = faces.row_z(n);
    faces.visit_row(y, z, [&](int begin, int end) {
      int at = field.layout().index(Cell{begin, y, z});
      for (int x = begin; x < end; ++x, ++at)
        if (values[at] > 0) list.push_back(at);
    });
  }
  return list;
}

}  // namespace

void GoingOn::find(const Domain& domain, const MacField<float>& extended, const MacField<float>& lends) {
  for (int a = 0; a < 3; ++a) {
    const Layout& layout = extended[a].layout();
    const float* values = extended[a].values().host();
    const std::vector<int> from = faces_with(domain.faces(a), lends[a]);
    std::vector<int> first{0}, beside;
    for (const int n : from) {
      for (const int s : {1, layout.stride_y, layout.stride_z})
        for (const int next : {n - s, n + s})
          if (values[next] > 0) beside.push_back(next);
      first.push_back(int(beside.size()));
    }
    std::vector<int> acting = beside;
    std::sort(acting.begin(), acting.end());
    acting.erase(std::unique(acting.begin(), acting.end()), acting.end());
    for (int& n : beside) n = int(std::lower_bound(acting.begin(), acting.end(), n) - acting.begin());
    Faces& out = faces_[std::size_t(a)];
    out.extended = buffer_of(faces_with(domain.faces(a), extended[a])), out.lends = buffer_of(from);
    out.acting = buffer_of(acting), out.first = buffer_of(first), out.beside = buffer_of(beside);
    out.acts = Buffer<float>(acting.size()), out.sums = Buffer<double>(2 * from.size());
  }
}

}  // namespace silt
