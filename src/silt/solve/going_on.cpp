#include "silt/solve/going_on.h"

#include <algorithm>
#include <vector>

namespace silt {
namespace {

Buffer<int> faces_with(const Cells& faces, const Field<float>& field) {
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
  Buffer<int> out(list.size());
  std::copy(list.begin(), list.end(), out.host());
  return out;
}

}  // namespace

void GoingOn::find(const Domain& domain, const MacField<float>& extended, const MacField<float>& lends) {
  std::size_t most = 0;
  for (int a = 0; a < 3; ++a) {
    extended_[a] = faces_with(domain.faces(a), extended[a]);
    lends_[a] = faces_with(domain.faces(a), lends[a]);
    most = std::max(most, lends_[a].size());
  }
  if (sums_.size() < most) sums_ = Buffer<double>(most);
}

}  // namespace silt
