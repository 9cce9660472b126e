#pragma once

#include <memory>
#include <vector>

#include "silt/geometry/mesh_data.h"
#include "silt/geometry/shape_view.h"
#include "silt/geometry/similarity.h"

namespace silt {

class MeshSequence;

/// A solid region as a recipe in postfix order. Distances [m] are exact for primitives, and bounds (right sign, never
/// too long) for combinations and within meshes that overlap themselves. Cheap to copy.
class Shape {
 public:
  static Shape box(const Vec3d& lowest, const Vec3d& highest);
  static Shape sphere(const Vec3d& centre, double radius);
  static Shape cylinder(const Vec3d& from, const Vec3d& to, double radius);
  /// A cylinder with a half ball at both ends.
  static Shape capsule(const Vec3d& from, const Vec3d& to, double radius);
  /// As wide as `radius` at `from` and `end_radius` at `to`; either may be 0, not both.
  static Shape cone(const Vec3d& from, const Vec3d& to, double radius, double end_radius);
  /// All that lies behind a plane through `point`: `normal` points out of the shape.
  static Shape plane(const Vec3d& point, const Vec3d& normal);
  /// A ring round `axis`: a tube whose middle lies `radius` from the centre. Needs tube <= radius.
  static Shape torus(const Vec3d& centre, const Vec3d& axis, double radius, double tube);
  /// A mesh made ready for it; distances are those of its sides.
  static Shape mesh(std::shared_ptr<const MeshData> data);
  /// A mesh that deforms: as it is at t = 0 until at() says when; its bounds hold it at all times.
  static Shape mesh(std::shared_ptr<const MeshSequence> sequence);

  static Shape unite(const Shape& a, const Shape& b) { return combine(ShapeNode::Op::unite, a, b); }
  static Shape intersect(const Shape& a, const Shape& b) { return combine(ShapeNode::Op::intersect, a, b); }
  static Shape subtract(const Shape& a, const Shape& b) { return combine(ShapeNode::Op::subtract, a, b); }
  Shape transformed(const Similarity& how) const;
  /// With all that lies within `by` [m] of it; corners become round.
  Shape grown(double by) const;

  /// What it is united of: itself alone when it is not. None of them is a union.
  std::vector<Shape> united_parts() const;

  /// Whether part of it changes its form with time.
  bool deforms() const;
  /// The shape at an instant [s], with the velocities of its surface.
  Shape at(double time) const;
  /// The fastest that its surface moves by deforming [m/s].
  double top_speed() const;

  const std::vector<ShapeNode>& nodes() const { return nodes_; }
  struct MeshPart {
    std::shared_ptr<const MeshData> data;
    std::shared_ptr<const MeshSequence> sequence;  ///< null: it keeps its form
  };
  /// Those of the recipe's meshes, in its order.
  const std::vector<MeshPart>& meshes() const { return meshes_; }
  /// For the host; good while the shape is.
  ShapeView view() const { return {nodes_.data(), int(nodes_.size())}; }
  double distance(const Vec3d& x) const { return view().distance(x); }

  /// A box that holds the whole shape; lowest > highest for one that is empty. Endless ones reach out to 1e30.
  struct Bounds {
    Vec3d lowest, highest;
  };
  Bounds bounds() const;

 private:
  static Shape primitive(const ShapeNode& node);
  static Shape mesh_part(MeshPart part, const MeshBox& box);
  static Shape combine(ShapeNode::Op op, const Shape& a, const Shape& b);

  std::vector<ShapeNode> nodes_;  // meshes are seen from the host
  std::vector<MeshPart> meshes_;
};

}  // namespace silt
