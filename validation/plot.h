#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace silt::validation {

/// What a plot shows, and the data that go into its CSV: curves of (x, y) with labels for people.
struct Plot {
  enum class Style { line, dashed, markers, line_markers };
  struct Curve {
    std::string label;
    std::vector<double> x, y;
    Style style = Style::line;
  };

  std::string name;              ///< of its files: "decay"
  std::string title;             ///< a sentence below the picture on the page
  std::string x_label, y_label;  ///< with units: "t [s]"
  bool log_x = false, log_y = false;
  std::vector<Curve> curves;

  /// What we computed: a line.
  void line(std::string label, std::vector<double> x, std::vector<double> y);
  /// A guide for the eye or an exact solution: dashed.
  void dashed(std::string label, std::vector<double> x, std::vector<double> y);
  /// Published data: markers.
  void markers(std::string label, std::vector<double> x, std::vector<double> y);
  /// Few computed points: a line with markers.
  void points(std::string label, std::vector<double> x, std::vector<double> y);

  /// Lines of curve,x,y under a head that says what they are.
  std::string csv() const;
  /// What plot.py reads.
  std::string json() const;
};

/// Debian's own first: it is the one that has Debian's matplotlib.
inline const std::vector<std::string> usual_pythons{"/usr/bin/python3", "python3"};

/// Draws it with the first of these Pythons that has matplotlib. Returns why it could not; empty when all is well.
std::string draw(const Plot& plot, const std::filesystem::path& png,
                 const std::vector<std::string>& pythons = usual_pythons);

}  // namespace silt::validation
