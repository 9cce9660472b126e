#pragma once

#include <string>
#include <vector>

#include "silt/physics/common/model.h"

namespace silt {

/// A copy of a model's persistent fields, to go back to when a substep fails. Its memory is used again and again.
class KeptState {
 public:
  void keep(const Exec& exec, Model& model);
  void restore(const Exec& exec, Model& model);

 private:
  std::vector<Field<float>> floats_;
  std::vector<Field<double>> doubles_;
};

/// "smoke.density is not finite at cell [3, 4, 0]"; empty when every persistent value is finite.
std::string first_bad_value(const Exec& exec, Model& model);

}  // namespace silt
