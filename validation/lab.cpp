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

double log_slope(const std::vector<double>& x, const std::vector<double>& y) {
  const double n = double(x.size());
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(y[i]);
    sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace silt::validation
