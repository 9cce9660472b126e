#include "silt/sim/particle_arrays.h"

#include <algorithm>
#include <utility>

#include "silt/core/error.h"
#include "silt/core/text.h"

namespace silt {
namespace {

std::uint64_t count_in(const Checkpoint& checkpoint, const std::string& name) {
  std::uint64_t value = 0;
  if (list_of(checkpoint, name, Dtype::u64).count() != 1)
    throw IoError(str("the checkpoint's array '", name, "' is not one number"));
  checkpoint.copy(name, &value, 1);
  return value;
}

/// Arrays lie aligned in checkpoints that silt wrote, and anywhere in others.
template <class T>
std::vector<T> values_of(const Checkpoint& checkpoint, const std::string& name, std::size_t count) {
  std::vector<T> values(count);
  checkpoint.copy(name, values.data(), count);
  return values;
}

}  // namespace

const Checkpoint::Array& array_of(const Checkpoint& checkpoint, std::string_view name) {
  const Checkpoint::Array* array = checkpoint.find(name);
  if (!array) throw IoError(str("the checkpoint has no array '", name, "'"));
  return *array;
}

const Checkpoint::Array& list_of(const Checkpoint& checkpoint, std::string_view name, Dtype dtype) {
  const Checkpoint::Array& array = array_of(checkpoint, name);
  if (array.dtype != dtype || array.shape.size() != 1)
    throw IoError(str("the checkpoint's array '", name, "' is not a list of values of type ", name_of(dtype)));
  return array;
}

void add_particles(CheckpointWriter& writer, std::string_view name, Particles& particles) {
  visit(particles, [&](const std::string& column, const auto& values) {
    writer.add(str(name, '.', column), values.host(), particles.count);
  });
  writer.add(str(name, ".born"), &particles.born, 1);
  writer.add(str(name, ".died"), &particles.died, 1);
}

std::vector<std::string> check_particles(const Checkpoint& checkpoint, std::string_view name, Particles& like) {
  const std::string id_name = str(name, ".id"), born_name = str(name, ".born"), died_name = str(name, ".died");
  const std::size_t count = std::size_t(list_of(checkpoint, id_name, Dtype::u64).count());
  std::vector<std::string> names = {born_name, died_name};
  visit(like, [&]<class T>(const std::string& column, const Buffer<T>&) {
    const std::string& array = names.emplace_back(str(name, '.', column));
    if (const std::size_t n = std::size_t(list_of(checkpoint, array, dtype_of<T>()).count()); n != count)
      throw IoError(str("the checkpoint's array '", array, "' has ", n, " values, and '", id_name, "' has ", count));
    if constexpr (std::is_same_v<T, float>)
      if (column.starts_with("offset")) {
        const std::vector<float> offsets = values_of<float>(checkpoint, array, count);
        if (!std::all_of(offsets.begin(), offsets.end(), [](float x) { return x >= 0 && x <= 1; }))
          throw IoError(str("the checkpoint's array '", array, "' has a value that is not between 0 and 1"));
      }
  });
  const std::uint64_t born = count_in(checkpoint, born_name), died = count_in(checkpoint, died_name);
  if (died > born || count > born - died)
    throw IoError(str("the checkpoint has ", count, " particles in '", id_name, "', but says that ", born,
                      " were born and ", died, " died"));
  const std::vector<std::uint64_t> ids = values_of<std::uint64_t>(checkpoint, id_name, count);
  if (!std::all_of(ids.begin(), ids.end(), [&](std::uint64_t id) { return id < born; }))
    throw IoError(str("the checkpoint's array '", id_name, "' has an id that was never given"));
  return names;
}

void unpack_particles(const Checkpoint& checkpoint, std::string_view name, Particles& particles) {
  const std::string id_name = str(name, ".id");
  const std::size_t count = std::size_t(array_of(checkpoint, id_name).count());
  reserve(Exec{Device::cpu, 1}, particles, count);
  visit(particles, [&](const std::string& column, auto& values) {
    checkpoint.copy(str(name, '.', column), values.host(), count);
  });
  particles.count = count;
  particles.born = count_in(checkpoint, str(name, ".born"));
  particles.died = count_in(checkpoint, str(name, ".died"));
}

}  // namespace silt
