#include "validation/lab.h"

#include <cmath>
#include <filesystem>

#include "silt/sim/builtin_scenes.h"

namespace silt::validation {

Plot& Lab::plot(const std::string& name, const std::string& title, const std::string& x_label,
                const std::string& y_label) {
  plots_.push_back({name, title, x_label, y_label, false, false, {}});
  return plots_.back();
}

Scene Lab::scene(const std::string& name, const std::vector<std::string>& set) const {
  return load_scene(find_scene(name), set);
}

Scene Lab::scene_of(const std::string& text, const std::vector<std::string>& set) const {
  return parse_scene(text, "experiment", set);
}

Simulation Lab::simulate(const Scene& scene) const {
  SimulationOptions options;
  options.device = exec.device();
  options.threads = exec.threads();
  return Simulation(scene, options);
}

Page Lab::page(const std::string& name, const std::string& summary) const {
  return {name,   summary, "./silt validate " + name + (quick ? " --quick" : ""),
          about_, notes_,  {plots_.begin(), plots_.end()}};
}

trials::Trial experiment(const std::string& name, const std::string& summary, std::function<void(Lab&)> run) {
  return {name, summary, [=](const trials::Options& options, trials::Measures& measures) -> std::string {
            Lab lab(options, measures);
            run(lab);
            if (!options.pages) return {};
            const std::string said = write_page(lab.page(name, summary), measures, *options.pages);
            return said + "  " + std::filesystem::proximate(*options.pages / (name + ".md")).string() + "\n";
          }};
}

double slope(const std::vector<double>& x, const std::vector<double>& y) {
  const double n = double(x.size());
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sx += x[i], sy += y[i], sxx += x[i] * x[i], sxy += x[i] * y[i];
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

double log_slope(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> log_x, log_y;
  for (const double v : x) log_x.push_back(std::log(v));
  for (const double v : y) log_y.push_back(std::log(v));
  return slope(log_x, log_y);
}

}  // namespace silt::validation
