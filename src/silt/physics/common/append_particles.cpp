#include "silt/physics/common/append_particles.h"

#include <string>
#include <vector>

#include "silt/core/loops.h"
#include "silt/fields/copy_column.h"

namespace silt {
void append_particles(const Exec& exec, const Particles& from, std::size_t first, std::size_t count, Particles& to) {
  const std::size_t at = append(exec, to, count);
  std::vector<const void*> columns;
  visit(from, [&](const std::string&, const auto& column) { columns.push_back(column.read(exec) + first); });
  std::size_t next = 0;
  visit(to, [&]<class T>(const std::string&, Buffer<T>& column) {
    for_each_index(exec, "particles.append", std::int64_t(count),
                   CopyColumn<T>{static_cast<const T*>(columns[next++]), column.update(exec) + at});
  });
}

}  // namespace silt
