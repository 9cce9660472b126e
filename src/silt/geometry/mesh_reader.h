#pragma once

/// What the readers of mesh files share.

#include <cmath>
#include <string>
#include <string_view>

#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/geometry/triangle_mesh.h"

namespace silt {

inline constexpr double farthest_vertex = 1e12;  ///< in the units of the file
inline constexpr std::size_t most_triangles = std::size_t(1) << 26;
inline constexpr std::size_t most_corners = 10000;  ///< of a polygon: splitting one takes their square at the worst

TriangleMesh parse_obj(std::string_view text, const std::string& name);
TriangleMesh parse_stl(std::string_view bytes, const std::string& name);
TriangleMesh parse_ply(std::string_view bytes, const std::string& name);

/// Lines of text, one after the other, with their numbers; words within them.
class MeshLines {
 public:
  MeshLines(std::string_view text, std::string file) : rest_(text), file_(std::move(file)) {}

  bool next();              ///< goes to the next line; false at the end
  std::string_view word();  ///< the next word of the line; empty at its end
  double number(const char* what);
  long long integer(const char* what);
  Vec3d vertex();

  long long line_number() const { return number_; }
  std::string_view rest() const { return rest_; }  ///< what comes after the line
  std::string_view line() const { return line_; }
  [[noreturn]] void fail(const std::string& message) const { fail_at(number_, message); }
  [[noreturn]] void fail_at(long long line, const std::string& message) const {
    throw InputError(str(file_, ":", line, ": ", message));
  }

 private:
  std::string_view rest_, line_;
  std::string file_;
  long long number_ = 0;
};

/// "x" in quotes, shortened and without what a terminal would obey.
std::string quoted_word(std::string_view word);

/// Whether a vertex can be worked with.
inline bool good_vertex(const Vec3d& v) {
  return std::abs(v.x) <= farthest_vertex && std::abs(v.y) <= farthest_vertex && std::abs(v.z) <= farthest_vertex;
}

}  // namespace silt
