#pragma once

#include <vector>

#include "silt/core/buffer.h"
#include "silt/geometry/mesh_view.h"
#include "silt/geometry/triangle_mesh.h"

namespace silt {

/// How a mesh tells inside from outside.
struct MeshSides {
  bool closed = false;   ///< every patch is closed and consistently oriented: the winding number is whole
  bool simple = false;   ///< and no part lies within another: the nearest triangle tells
  double thickness = 0;  ///< of a sheet [m]: there is no inside; 0 for a solid
};

/// A box along the axes [m].
struct MeshBox {
  Vec3d lowest, highest;
};

/// A mesh made ready for distances: trees of boxes over its triangles, with what they look like from afar. Its arrays
/// are on the host, and where kernels run once asked for there.
class MeshData {
 public:
  /// Needs at least one triangle; of a simple mesh, none without an area.
  MeshData(const TriangleMesh& mesh, const MeshSides& sides);

  /// The same triangles over vertices that have moved, with their velocities [m/s]: the trees are refitted, not
  /// rebuilt.
  MeshData moved(const TriangleMesh& mesh, const std::vector<Vec3d>& velocities) const;

  MeshView view(const Exec& exec) const;  ///< good while this is
  /// As they are now, corners at the same place being one vertex.
  TriangleMesh triangles() const;
  const MeshBox& bounds() const { return spans_[0].box; }
  std::size_t bytes() const;  ///< of memory, on the host

  /// Which triangle of the mesh stands at each place of the tree; -1 for a repetition.
  const std::vector<int>& order() const { return order_; }
  /// The box of a node of the tree of twos.
  const MeshBox& box(int cluster) const { return spans_[cluster].box; }

 private:
  /// What the host alone needs of a node of the tree of twos.
  struct Span {
    MeshBox box;
    int first_group = 0, groups = 0;
    double area = 0;  ///< not signed [m^2]
  };
  struct Lane {
    int cluster = -1;  ///< what the box is of; -1: there is none
    int child = 0;     ///< as in MeshBoxes
  };
  struct TurnedBox;

  void place(const TriangleMesh& mesh);
  void fit_clusters();
  void fit_boxes();
  TurnedBox turned_box(int cluster) const;
  void make_normals(const TriangleMesh& mesh);
  int widen(int cluster);

  MeshSides sides_;
  std::vector<int> order_;
  std::vector<Span> spans_;
  std::vector<Lane> lanes_;  // of boxes_
  Buffer<MeshBoxes> boxes_;
  Buffer<MeshGroup> groups_;
  Buffer<MeshTriangle> triangles_;
  Buffer<MeshCluster> clusters_;
  Buffer<Vec3f> normals_, velocities_;
  Vec3d origin_;
  double size_ = 0;
};

}  // namespace silt
