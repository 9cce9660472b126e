#pragma once

#include <tuple>
#include <vector>

#include "silt/physics/common/model.h"

namespace silt {

/// A copy of what persists of a model, to go back to when a substep fails. Its memory is used again and again.
class KeptState {
 public:
  void keep(const Exec& exec, Model& model);
  void restore(const Exec& exec, Model& model);

 private:
  struct Keeper;
  struct Restorer;

  /// The first `count` of an array, which may have room for more.
  template <class T>
  struct Values {
    Buffer<T> values;
    std::size_t count = 0;
  };
  struct ParticleCounts {
    std::size_t count = 0;
    std::uint64_t born = 0, died = 0;
  };
  /// Copies of one kind, told apart by their order in the visit, which never changes.
  template <class Copy>
  struct List {
    std::vector<Copy> copies;
    std::size_t used = 0;
  };
  template <class Copy>
  Copy& next();
  void rewind();

  std::tuple<List<Field<float>>, List<Field<double>>, List<ParticleCounts>, List<Values<float>>, List<Values<double>>,
             List<Values<int>>, List<Values<std::uint32_t>>, List<Values<std::int64_t>>, List<Values<std::uint64_t>>>
      lists_;
};

}  // namespace silt
