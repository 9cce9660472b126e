#include "silt/sim/state_hash.h"

#include <cstdint>

#include "silt/cache/file_ops.h"
#include "silt/sim/rows.h"

namespace silt {
namespace {

struct HashVisitor : StateVisitor {
  Hasher hasher;

  void operator()(std::string_view name, Field<float>& field, const Box& box) override { add(name, field, box); }
  void operator()(std::string_view name, Field<double>& field, const Box& box) override { add(name, field, box); }
  void operator()(std::string_view name, Particles& particles) override {
    const std::uint64_t counts[] = {particles.count, particles.born, particles.died};
    add(name, counts, sizeof counts);
    visit(particles, [&]<class T>(const std::string& column, const Buffer<T>& values) {
      add(column, values.host(), particles.count * sizeof(T));
    });
  }
  void operator()(std::string_view name, Buffer<float>& values) override { add(name, values); }
  void operator()(std::string_view name, Buffer<double>& values) override { add(name, values); }
  void operator()(std::string_view name, Buffer<std::int64_t>& values) override { add(name, values); }

  template <class T>
  void add(std::string_view name, const Field<T>& field, const Box& box) {
    hasher.add(name.data(), name.size());
    hasher.add(&box, sizeof box);
    for_each_row(field, box, [&](const T* row, std::size_t n) { hasher.add(row, n * sizeof(T)); });
  }
  template <class T>
  void add(std::string_view name, const Buffer<T>& values) {
    const std::uint64_t count = values.size();
    hasher.add(&count, sizeof count);
    add(name, values.host(), values.bytes());
  }
  void add(std::string_view name, const void* values, std::size_t bytes) {
    hasher.add(name.data(), name.size());
    if (bytes > 0) hasher.add(values, bytes);
  }
};

std::string hexadecimal(std::uint64_t value) {
  std::string text(16, '0');
  for (int i = 15; i >= 0; --i, value >>= 4) text[std::size_t(i)] = "0123456789abcdef"[value & 15];
  return text;
}

}  // namespace

std::string state_hash(Model& model, double time) {
  HashVisitor visitor;
  visitor.hasher.add(&time, sizeof time);
  model.visit(visitor);
  return hexadecimal(visitor.hasher.stamp().xxh3);
}

}  // namespace silt
