#include "silt/sim/kept_state.h"

#include <algorithm>

#include "silt/core/loops.h"

namespace silt {
namespace {

template <class T>
struct CopyValue {
  const T* from;
  T* to;
  SILT_HD void operator()(std::int64_t i) const { to[i] = from[i]; }
};

template <class T>
void copy_values(const Exec& exec, std::size_t count, const Buffer<T>& from, Buffer<T>& to) {
  if (count > 0) for_each_index(exec, "keep state", std::int64_t(count), CopyValue<T>{from.read(exec), to.write(exec)});
}

template <class T>
void copy_field(const Exec& exec, const Field<T>& from, Field<T>& to) {
  if (!(to.layout() == from.layout()) || to.allocated() != from.allocated()) to = Field<T>(from.layout());
  copy_values(exec, from.values().size(), from.values(), to.values());
}

}  // namespace

template <class Copy>
Copy& KeptState::next() {
  List<Copy>& list = std::get<List<Copy>>(lists_);
  if (list.used == list.copies.size()) list.copies.emplace_back();
  return list.copies[list.used++];
}

void KeptState::rewind() {
  std::apply([](auto&... list) { ((list.used = 0), ...); }, lists_);
}

struct KeptState::Keeper : StateVisitor {
  const Exec& exec;
  KeptState& kept;

  Keeper(const Exec& e, KeptState& k) : exec(e), kept(k) { kept.rewind(); }
  void operator()(std::string_view, Field<float>& field, const Box&) override { keep(field); }
  void operator()(std::string_view, Field<double>& field, const Box&) override { keep(field); }
  void operator()(std::string_view, Particles& particles) override {
    kept.next<ParticleCounts>() = {particles.count, particles.born, particles.died};
    visit(particles, [&](const std::string&, const auto& column) { keep(column, particles.count); });
  }
  void operator()(std::string_view, Buffer<float>& values) override { keep(values, values.size()); }
  void operator()(std::string_view, Buffer<double>& values) override { keep(values, values.size()); }
  void operator()(std::string_view, Buffer<std::int64_t>& values) override { keep(values, values.size()); }

  template <class T>
  void keep(const Field<T>& field) {
    copy_field(exec, field, kept.next<Field<T>>());
  }
  template <class T>
  void keep(const Buffer<T>& from, std::size_t count) {
    Values<T>& to = kept.next<Values<T>>();
    if (to.values.size() < count) to.values = Buffer<T>(std::max(count, to.values.size() * 3 / 2));
    to.count = count;
    copy_values(exec, count, from, to.values);
  }
};

struct KeptState::Restorer : StateVisitor {
  const Exec& exec;
  KeptState& kept;

  Restorer(const Exec& e, KeptState& k) : exec(e), kept(k) { kept.rewind(); }
  bool restores() const override { return true; }
  void operator()(std::string_view, Field<float>& field, const Box&) override { restore(field); }
  void operator()(std::string_view, Field<double>& field, const Box&) override { restore(field); }
  void operator()(std::string_view, Particles& particles) override {
    const ParticleCounts& counts = kept.next<ParticleCounts>();
    particles.count = counts.count, particles.born = counts.born, particles.died = counts.died;
    // A substep that was cut short may have left columns of several sizes: all get room for as many as ids have.
    const std::size_t capacity = std::max(counts.count, particles.capacity());
    visit(particles, [&]<class T>(const std::string&, Buffer<T>& column) {
      if (column.size() < capacity) column = Buffer<T>(capacity);
      const Values<T>& from = kept.next<Values<T>>();
      copy_values(exec, from.count, from.values, column);
    });
  }
  void operator()(std::string_view, Buffer<float>& values) override { restore_all(values); }
  void operator()(std::string_view, Buffer<double>& values) override { restore_all(values); }
  void operator()(std::string_view, Buffer<std::int64_t>& values) override { restore_all(values); }

  template <class T>
  void restore(Field<T>& field) {
    copy_field(exec, kept.next<Field<T>>(), field);
  }
  template <class T>
  void restore_all(Buffer<T>& to) {
    const Values<T>& from = kept.next<Values<T>>();
    if (to.size() != from.count) to = Buffer<T>(from.count);
    copy_values(exec, from.count, from.values, to);
  }
};

void KeptState::keep(const Exec& exec, Model& model) {
  Keeper keeper{exec, *this};
  model.visit(keeper);
}

void KeptState::restore(const Exec& exec, Model& model) {
  Restorer restorer{exec, *this};
  model.visit(restorer);
}

}  // namespace silt
