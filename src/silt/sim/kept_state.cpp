#include "silt/sim/kept_state.h"

#include "silt/core/loops.h"
#include "silt/core/text.h"

namespace silt {
namespace {

template <class T>
struct CopyValue {
  const T* from;
  T* to;
  SILT_HD void operator()(std::int64_t i) const { to[i] = from[i]; }
};

template <class T>
void copy_field(const Exec& exec, const Field<T>& from, Field<T>& to) {
  if (!(to.layout() == from.layout()) || to.allocated() != from.allocated()) to = Field<T>(from.layout());
  for_each_index(exec, "keep state", std::int64_t(from.values().size()),
                 CopyValue<T>{from.values().read(exec), to.values().write(exec)});
}

enum class Direction { keep, restore };

/// Fields are told apart by their order in the visit, which never changes.
struct Copier : StateVisitor {
  const Exec& exec;
  Direction direction;
  std::vector<Field<float>>& floats;
  std::vector<Field<double>>& doubles;
  std::size_t next_float = 0, next_double = 0;

  Copier(const Exec& e, Direction d, std::vector<Field<float>>& f, std::vector<Field<double>>& g)
      : exec(e), direction(d), floats(f), doubles(g) {}

  void operator()(std::string_view, Field<float>& field, const Box&) override { copy(field, floats, next_float); }
  void operator()(std::string_view, Field<double>& field, const Box&) override { copy(field, doubles, next_double); }

  template <class T>
  void copy(Field<T>& field, std::vector<Field<T>>& kept, std::size_t& next) {
    if (next == kept.size()) kept.emplace_back();
    Field<T>& copy = kept[next++];
    if (direction == Direction::keep)
      copy_field(exec, field, copy);
    else
      copy_field(exec, copy, field);
  }
};

/// 1 where a value is infinite or not a number.
template <class T>
struct NotFinite {
  View<const T> values;
  SILT_HD double operator()(Cell c) const {
    const T v = values(c);
    return v - v == 0 ? 0.0 : 1.0;
  }
};

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

  template <class T>
  void check(std::string_view name, const Field<T>& field, const Box& box) {
    if (!problem.empty() || box.empty()) return;
    if (reduce<Max>(exec, "finite check", box, NotFinite<T>{field.read(exec)}) > 0)
      problem = str(name, " is not finite at cell ", first_not_finite(field, box));
  }
};

}  // namespace

void KeptState::keep(const Exec& exec, Model& model) {
  Copier copier{exec, Direction::keep, floats_, doubles_};
  model.visit(copier);
}

void KeptState::restore(const Exec& exec, Model& model) {
  Copier copier{exec, Direction::restore, floats_, doubles_};
  model.visit(copier);
}

std::string first_bad_value(const Exec& exec, Model& model) {
  FiniteCheck check{exec};
  model.visit(check);
  return check.problem;
}

}  // namespace silt
