#pragma once

#include "silt/geometry/triangle_mesh.h"

namespace silt {

/// What a mesh whose vertices move can do without: vertices that stand in one place, and triangles without an area, at
/// every instant. What touches or is flat for a while only is none of it. Sees one instant after the other, so that
/// none need be kept; a mesh at rest has one.
class MeshSurplus {
 public:
  /// Vertices within 1e-9 of the mesh's size of each other stand in one place.
  explicit MeshSurplus(const TriangleMesh& first);

  /// Another instant of the same triangles. Vertices within 1e-6 of its size have not parted: files round their
  /// numbers.
  void see(const std::vector<Vec3d>& vertices);

  /// For each vertex, the first of those that always stand where it does; -1 for one that no triangle uses.
  const std::vector<int>& stands_with() const { return stands_with_; }
  /// Whether a triangle never has an area.
  bool flat(std::size_t triangle) const { return !had_area_[triangle]; }
  /// How many triangles have no area at the instant seen last.
  int flat_now() const { return flat_now_; }

 private:
  void part(const std::vector<Vec3d>& vertices, double near);
  void look_for_areas(const std::vector<Vec3d>& vertices);

  std::vector<Int3> triangles_;
  std::vector<int> stands_with_;
  std::vector<char> had_area_;
  int flat_now_ = 0;
};

}  // namespace silt
