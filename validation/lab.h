#pragma once

#include <functional>
#include <list>
#include <string>
#include <vector>

#include "silt/simulation.h"
#include "trials/run_trials.h"
#include "validation/page.h"
#include "validation/reference_data.h"

namespace silt::validation {

/// What an experiment works with: scenes and a machine to run them on, measures held to bounds, plots, and the words of
/// its page.
///
///   void decay(Lab& lab) {
///     lab.about("Kinetic energy against exp(-4 nu t) (Taylor & Green 1937).");
///     Plot& plot = lab.plot("energy", "Energy over time.", "t [s]", "E / E_0");
///     ...
///     lab.measure.at_most("error", worst, lab.quick ? 0.02 : 0.01);
///   }
class Lab {
 public:
  Lab(const trials::Options& options, trials::Measures& measures)
      : quick(options.quick), measure(measures), exec(options.device, options.threads) {}

  const bool quick;           ///< the smaller form, for tests
  trials::Measures& measure;  ///< measure.at_most("order", ...): the table
  const Exec exec;            ///< for what runs without a scene

  /// What is measured and against which data, with the citation; above the table of the page. Markdown.
  void about(const std::string& markdown) { about_ = markdown; }
  /// What the numbers mean; below the table.
  void note(const std::string& markdown) { notes_ += (notes_.empty() ? "" : "\n\n") + markdown; }
  /// A plot to put curves into; stays where it is.
  Plot& plot(const std::string& name, const std::string& title, const std::string& x_label, const std::string& y_label);

  /// The built-in scene of that name with values over its own: {"smoke.cfl=1"}.
  Scene scene(const std::string& name, const std::vector<std::string>& set = {}) const;
  /// The scene that a text says: one that nobody but the experiment has a use for.
  Scene scene_of(const std::string& text, const std::vector<std::string>& set = {}) const;
  /// A simulation of it on the device that was asked for.
  Simulation simulate(const Scene& scene) const;

  Page page(const std::string& name, const std::string& summary) const;

 private:
  std::string about_, notes_;
  std::list<Plot> plots_;
};

/// An experiment as a trial: runs it, then writes its page.
trials::Trial experiment(const std::string& name, const std::string& summary, std::function<void(Lab&)> run);

/// Least-squares slope of y over x.
double slope(const std::vector<double>& x, const std::vector<double>& y);
/// The same of log y over log x: an observed order.
double log_slope(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace silt::validation
