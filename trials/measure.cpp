#include "trials/measure.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trials/text.h"

namespace silt::trials {

namespace {
std::string with_unit(std::string number, const std::string& unit) {
  return unit.empty() ? number : number + " " + unit;
}
}  // namespace

bool Measure::pass() const {
  switch (sense) {
    case Sense::at_most:
      return measured <= bound;
    case Sense::at_least:
      return measured >= bound;
    case Sense::near:
      return std::abs(measured - bound) <= tolerance;
    case Sense::told:
      return true;
  }
  return false;
}

std::string Measure::bound_text() const {
  switch (sense) {
    case Sense::at_most:
      return with_unit("at most " + short_number(bound), unit);
    case Sense::at_least:
      return with_unit("at least " + short_number(bound), unit);
    case Sense::near:
      return with_unit(short_number(bound) + " +- " + short_number(tolerance), unit);
    case Sense::told:
      break;
  }
  return {};
}

std::string Measure::measured_text() const {
  return why_not.empty() ? with_unit(short_number(measured), unit) : "-";
}

void Measures::add(const std::string& name, Measure measure) {
  measure.name = trial_ + "." + name;
  all_.push_back(std::move(measure));
}
void Measures::at_most(const std::string& name, double measured, double bound, const std::string& unit) {
  add(name, {{}, measured, Measure::Sense::at_most, bound, 0, unit});
}
void Measures::at_least(const std::string& name, double measured, double bound, const std::string& unit) {
  add(name, {{}, measured, Measure::Sense::at_least, bound, 0, unit});
}
void Measures::near(const std::string& name, double measured, double bound, double tolerance, const std::string& unit) {
  add(name, {{}, measured, Measure::Sense::near, bound, tolerance, unit});
}
void Measures::tell(const std::string& name, double measured, const std::string& unit) {
  add(name, {{}, measured, Measure::Sense::told, 0, 0, unit});
}
void Measures::not_measured(const std::string& name, double bound, const std::string& why) {
  add(name, {{}, std::numeric_limits<double>::quiet_NaN(), Measure::Sense::at_least, bound, 0, {}, why});
}

bool Measures::pass() const {
  return std::all_of(all_.begin(), all_.end(), [](const Measure& m) { return m.pass(); });
}

}  // namespace silt::trials
