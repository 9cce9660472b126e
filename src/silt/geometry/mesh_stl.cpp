#include <bit>
#include <cstdint>
#include <cstring>
#include <unordered_map>

#include "silt/core/random.h"
#include "silt/geometry/mesh_polygon.h"
#include "silt/geometry/mesh_reader.h"

namespace silt {
namespace {

/// STL has no shared vertices: those with the same coordinates are one.
class SharedVertices {
 public:
  explicit SharedVertices(TriangleMesh& out) : mesh_(out) {}
  int operator()(const Vec3d& v) {
    const auto [at, fresh] = known_.try_emplace(v, int(mesh_.vertices.size()));
    if (fresh) mesh_.vertices.push_back(v);
    return at->second;
  }

 private:
  struct Hash {
    std::size_t operator()(const Vec3d& v) const {
      // 0.0 and -0.0 are equal, and must hash so.
      return random_bits(std::bit_cast<std::uint64_t>(v.x + 0.0), std::bit_cast<std::uint64_t>(v.y + 0.0),
                         std::bit_cast<std::uint64_t>(v.z + 0.0));
    }
  };
  TriangleMesh& mesh_;
  std::unordered_map<Vec3d, int, Hash> known_;
};

constexpr std::size_t head = 84, each = 50;  // bytes

std::uint32_t whole_number(std::string_view bytes, std::size_t at) {
  std::uint32_t out = 0;
  for (int i = 3; i >= 0; --i) out = out << 8 | static_cast<unsigned char>(bytes[at + i]);
  return out;
}

TriangleMesh parse_binary(std::string_view bytes, const std::string& name) {
  const std::size_t count = whole_number(bytes, 80);
  if (bytes.size() < head + each * count)
    throw InputError(str(name, ": it says that it has ", count, " triangles, which take ", head + each * count,
                         " bytes, and has ", bytes.size(), " bytes: it is cut off"));
  if (count > most_triangles)
    throw InputError(str(name, ": it has ", count, " triangles, and the limit is ", most_triangles));
  TriangleMesh out;
  SharedVertices shared(out);
  for (std::size_t t = 0; t < count; ++t) {
    Int3 corners;
    for (int c = 0; c < 3; ++c) {
      Vec3d v;
      const std::size_t at = head + each * t + 12 + 12 * c;  // after the normal
      for (int a = 0; a < 3; ++a) v[a] = std::bit_cast<float>(whole_number(bytes, at + 4 * a));
      if (!good_vertex(v)) throw InputError(str(name, ": byte ", at, ": a vertex is not a number, or too far away"));
      corners[c] = shared(v);
    }
    out.triangles.push_back(corners);
  }
  return out;
}

TriangleMesh parse_text(std::string_view text, const std::string& name) {
  MeshLines lines(text, name);
  TriangleMesh out;
  SharedVertices shared(out);
  std::vector<int> corners;
  const auto finish = [&] {
    if (corners.empty()) return;
    if (corners.size() < 3) lines.fail("a facet has fewer than three vertices");
    add_polygon(out, corners);
    corners.clear();
  };
  while (lines.next()) {
    const std::string_view word = lines.word();
    if (word == "vertex") corners.push_back(shared(lines.vertex()));
    if (corners.size() > most_corners) lines.fail(str("a facet has more corners than the limit of ", most_corners));
    if (word == "endloop" || word == "endfacet" || word == "facet") finish();
  }
  finish();
  return out;
}

}  // namespace

TriangleMesh parse_stl(std::string_view bytes, const std::string& name) {
  const bool fits = bytes.size() >= head && bytes.size() == head + each * std::size_t(whole_number(bytes, 80));
  const bool text = bytes.substr(0, 5) == "solid" && bytes.find("facet") != std::string_view::npos;
  if (fits || (!text && bytes.size() >= head)) return parse_binary(bytes, name);
  if (text) return parse_text(bytes, name);
  throw InputError(name + ": it is no STL file: neither text that begins with 'solid' nor long enough to be binary");
}

}  // namespace silt
