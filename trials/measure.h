#pragma once

#include <string>
#include <vector>

namespace silt::trials {

/// A number that was measured, and what it had to be. NaN never passes.
struct Measure {
  enum class Sense {
    at_most,   ///< measured <= bound
    at_least,  ///< measured >= bound
    near,      ///< |measured - bound| <= tolerance
    told,      ///< no bound: for information
  };

  std::string name;  ///< "advection.order.linear"
  double measured = 0;
  Sense sense = Sense::told;
  double bound = 0;
  double tolerance = 0;  ///< of `near`
  std::string unit;
  std::string why_not{};  ///< it could not be measured

  bool pass() const;
  /// "at most 0.01 m", "0.165 +- 0.013"; "" without a bound.
  std::string bound_text() const;
  /// "0.00231 m".
  std::string measured_text() const;
};

/// What one trial measured. Names get the trial's own in front.
class Measures {
 public:
  explicit Measures(std::string trial) : trial_(std::move(trial)) {}

  void at_most(const std::string& name, double measured, double bound, const std::string& unit = {});
  void at_least(const std::string& name, double measured, double bound, const std::string& unit = {});
  void near(const std::string& name, double measured, double bound, double tolerance, const std::string& unit = {});
  void tell(const std::string& name, double measured, const std::string& unit = {});

  /// What would have to be at least `bound`, and why nobody knows whether it is. Not a pass.
  void not_measured(const std::string& name, double bound, const std::string& why);

  const std::string& trial() const { return trial_; }
  const std::vector<Measure>& all() const { return all_; }
  bool pass() const;

 private:
  void add(const std::string& name, Measure measure);

  std::string trial_;
  std::vector<Measure> all_;
};

}  // namespace silt::trials
