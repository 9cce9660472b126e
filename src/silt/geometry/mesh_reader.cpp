#include "silt/geometry/mesh_reader.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "silt/core/input_file.h"
#include "silt/geometry/mesh_file.h"

namespace silt {
namespace {

bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/// from_chars does not take the plus sign that some writers put.
std::string_view without_plus(std::string_view word) {
  return word.size() > 1 && word[0] == '+' && word[1] != '-' && word[1] != '+' ? word.substr(1) : word;
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return text;
}

}  // namespace

std::string quoted_word(std::string_view word) {
  std::string out = "'";
  for (const char c : word.substr(0, 40)) out += c >= ' ' && c < 0x7f ? c : '?';
  return out + (word.size() > 40 ? "...'" : "'");
}

bool MeshLines::next() {
  if (rest_.empty()) return false;
  const std::size_t end = rest_.find('\n');
  line_ = rest_.substr(0, end);
  rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
  ++number_;
  return true;
}

std::string_view MeshLines::word() {
  std::size_t from = 0;
  while (from < line_.size() && blank(line_[from])) ++from;
  std::size_t to = from;
  while (to < line_.size() && !blank(line_[to])) ++to;
  const std::string_view out = line_.substr(from, to - from);
  line_ = line_.substr(to);
  return out;
}

double MeshLines::number(const char* what) {
  const std::string_view text = word(), digits = without_plus(text);
  if (text.empty()) fail(str(what, " lacks a number"));
  double out = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  const bool out_of_range = error == std::errc::result_out_of_range && end == digits.data() + digits.size();
  if (out_of_range && std::abs(std::strtod(std::string(digits).c_str(), nullptr)) < 1) return 0;  // 1e-400
  if (out_of_range) fail(str(what, " has ", quoted_word(text), ", a number too large"));
  if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(out))
    fail(str(what, " has ", quoted_word(text), " where a number should be"));
  return out;
}

long long MeshLines::integer(const char* what) {
  const std::string_view text = word(), digits = without_plus(text);
  if (text.empty()) fail(str(what, " lacks a number"));
  long long out = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  if (error != std::errc() || end != digits.data() + digits.size())
    fail(str(what, " has ", quoted_word(text), " where a whole number should be"));
  return out;
}

Vec3d MeshLines::vertex() {
  const double x = number("a vertex"), y = number("a vertex"), z = number("a vertex");
  if (!good_vertex({x, y, z})) fail(str("a vertex lies ", farthest_vertex, " or more from the origin"));
  return {x, y, z};
}

bool is_mesh_ending(const std::string& ending) {
  const std::string e = lower(ending);
  return e == ".obj" || e == ".stl" || e == ".ply";
}

TriangleMesh parse_mesh(std::string_view bytes, const std::string& ending, const std::string& name) {
  const std::string e = lower(ending);
  if (!is_mesh_ending(e)) throw InputError(name + ": a mesh is an .obj, .stl or .ply file");
  TriangleMesh out = e == ".obj"   ? parse_obj(bytes, name)
                     : e == ".stl" ? parse_stl(bytes, name)
                                   : parse_ply(bytes, name);
  if (out.triangles.empty()) throw InputError(name + ": there is no triangle in it");
  return out;
}

TriangleMesh read_mesh_file(const std::filesystem::path& file) {
  return parse_mesh(read_named_file(file, largest_mesh_file), file.extension().string(), file.string());
}

}  // namespace silt
