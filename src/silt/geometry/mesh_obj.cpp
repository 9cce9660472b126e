#include "silt/geometry/mesh_polygon.h"
#include "silt/geometry/mesh_reader.h"

namespace silt {

TriangleMesh parse_obj(std::string_view text, const std::string& name) {
  MeshLines lines(text, name);
  TriangleMesh out;
  struct Face {
    long long line;
    std::size_t first;
  };
  std::vector<Face> faces;         // corners may be named before they come
  std::vector<long long> corners;  // from 0
  bool goes_on = false;            // a face, over the end of its line
  while (lines.next()) {
    const bool more = !lines.line().empty() && lines.line().find_last_not_of(" \t\r") != std::string_view::npos &&
                      lines.line()[lines.line().find_last_not_of(" \t\r")] == '\\';
    std::string_view word = goes_on ? std::string_view("f") : lines.word();
    const bool face = word == "f" || word == "fo";
    if (word == "v") {
      out.vertices.push_back(lines.vertex());
    } else if (face) {
      if (!goes_on) faces.push_back({lines.line_number(), corners.size()});
      for (word = lines.word(); !word.empty() && word != "\\" && word[0] != '#'; word = lines.word()) {
        MeshLines corner(word.substr(0, word.find('/')), name);
        long long index = 0;
        try {
          corner.next();
          index = corner.integer("a face");
        } catch (const InputError&) {
          lines.fail("a face has " + quoted_word(word) + " where a vertex should be");
        }
        // From the end when negative; there is no vertex 0.
        if (index == 0) lines.fail("a face names vertex 0; they are counted from 1");
        if (index < -(long long)out.vertices.size())
          lines.fail(str("a face names vertex ", index, ", and there are ", out.vertices.size(), " before it"));
        if (corners.size() - faces.back().first >= most_corners)
          lines.fail_at(faces.back().line, str("a face has more corners than the limit of ", most_corners));
        corners.push_back(index > 0 ? index - 1 : (long long)out.vertices.size() + index);
      }
    }
    goes_on = more && face;
  }
  std::vector<int> polygon;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const std::size_t end = f + 1 < faces.size() ? faces[f + 1].first : corners.size();
    polygon.clear();
    for (std::size_t c = faces[f].first; c < end; ++c) {
      if (corners[c] >= (long long)out.vertices.size())
        lines.fail_at(faces[f].line, str("a face names vertex ", corners[c] + 1, ", and the file has ",
                                         out.vertices.size(), " of them"));
      polygon.push_back(int(corners[c]));
    }
    if (polygon.size() < 3) lines.fail_at(faces[f].line, "a face has fewer than three corners");
    add_polygon(out, polygon);
    if (out.triangles.size() > most_triangles)
      lines.fail_at(faces[f].line, str("there are more triangles than the limit of ", most_triangles));
  }
  return out;
}

}  // namespace silt
