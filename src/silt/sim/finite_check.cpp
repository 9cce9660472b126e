#include "silt/sim/finite_check.h"

#include <type_traits>
#include <utility>

#include "silt/core/loops.h"
#include "silt/core/text.h"

namespace silt {
namespace {

template <class T>
SILT_HD_INLINE bool is_finite(T v) {
  return v - v == 0;
}

/// 1 where a value is infinite or not a number.
template <class T>
struct NotFinite {
  View<const T> values;
  SILT_HD double operator()(Cell c) const { return is_finite(values(c)) ? 0 : 1; }
};

/// Of an array as the rows of a table, so that threads share the rows.
template <class T>
struct NotFiniteInRow {
  static constexpr int length = 4096;
  const T* values;
  SILT_HD double operator()(Cell c) const { return is_finite(values[std::int64_t(c.y) * length + c.x]) ? 0.0 : 1.0; }
};

template <class T>
bool all_finite(const Exec& exec, const Buffer<T>& values, std::size_t count) {
  using Row = NotFiniteInRow<T>;
  if (count == 0) return true;
  const int rows = int(count / Row::length), rest = int(count % Row::length);
  const Row kernel{values.read(exec)};
  return !(reduce<Sum>(exec, "finite check", Box{{0, 0, 0}, {Row::length, rows, 1}}, kernel) > 0) &&
         !(reduce<Sum>(exec, "finite check", Box{{0, rows, 0}, {rest, rows + 1, 1}}, kernel) > 0);
}

template <class T>
std::size_t first_not_finite(const Buffer<T>& values, std::size_t count) {
  std::size_t i = 0;
  while (i < count && is_finite(values.host()[i])) ++i;
  return i;
}

template <class T>
Cell first_not_finite(const Field<T>& field, const Box& box) {
  const NotFinite<T> bad{field.read(Exec{Device::cpu, 1})};
  for (int z = box.lo.z; z < box.hi.z; ++z)
    for (int y = box.lo.y; y < box.hi.y; ++y)
      for (int x = box.lo.x; x < box.hi.x; ++x)
        if (bad(Cell{x, y, z}) > 0) return {x, y, z};
  return box.lo;
}

struct FiniteCheck : StateVisitor {
  const Exec& exec;
  std::string problem;

  explicit FiniteCheck(const Exec& e) : exec(e) {}
  void operator()(std::string_view name, Field<float>& field, const Box& box) override { check(name, field, box); }
  void operator()(std::string_view name, Field<double>& field, const Box& box) override { check(name, field, box); }
  void operator()(std::string_view name, Particles& particles) override {
    visit(particles, [&]<class T>(const std::string& column, const Buffer<T>& values) {
      if constexpr (std::is_floating_point_v<T>) {
        if (!problem.empty() || all_finite(exec, values, particles.count)) return;
        const std::size_t i = first_not_finite(values, particles.count);
        problem = str(name, ": ", column, " of particle id ", std::as_const(particles.id).host()[i], " is not finite");
      }
    });
  }
  void operator()(std::string_view name, Buffer<float>& values) override { check(name, values); }
  void operator()(std::string_view name, Buffer<double>& values) override { check(name, values); }
  void operator()(std::string_view, Buffer<std::int64_t>&) override {}

  template <class T>
  void check(std::string_view name, const Buffer<T>& values) {
    if (problem.empty() && !all_finite(exec, values, values.size()))
      problem = str(name, "[", first_not_finite(values, values.size()), "] is not finite");
  }
  template <class T>
  void check(std::string_view name, const Field<T>& field, const Box& box) {
    if (!problem.empty() || box.empty()) return;
    if (reduce<Sum>(exec, "finite check", box, NotFinite<T>{field.read(exec)}) > 0)
      problem = str(name, " is not finite at cell ", first_not_finite(field, box));
  }
};

}  // namespace

std::string first_bad_value(const Exec& exec, Model& model) {
  FiniteCheck check{exec};
  model.visit(check);
  return check.problem;
}

}  // namespace silt
