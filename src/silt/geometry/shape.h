#pragma once

#include <vector>

#include "silt/core/vec.h"

namespace silt {

/// One step of a shape's recipe: a primitive pushes its signed distance, a combination takes two off and pushes one.
/// Plain data, so that a kernel evaluates a whole tree at a point with no virtual call.
struct ShapeNode {
  enum class Op { box, sphere, unite, intersect, subtract };
  Op op = Op::sphere;
  Vec3d a{};     ///< box: lowest corner; sphere: centre [m]
  Vec3d b{};     ///< box: highest corner [m]
  double r = 0;  ///< sphere: radius [m]
};

/// The deepest nesting a recipe may need.
inline constexpr int shape_stack = 16;

/// A solid region as a recipe in postfix order. Distances [m] are exact outside a primitive, and bounds (right sign,
/// never too long) for combinations.
class Shape {
 public:
  static Shape box(const Vec3d& lowest, const Vec3d& highest);
  static Shape sphere(const Vec3d& centre, double radius);
  static Shape unite(const Shape& a, const Shape& b) { return combine(ShapeNode::Op::unite, a, b); }
  static Shape intersect(const Shape& a, const Shape& b) { return combine(ShapeNode::Op::intersect, a, b); }
  static Shape subtract(const Shape& a, const Shape& b) { return combine(ShapeNode::Op::subtract, a, b); }

  const std::vector<ShapeNode>& nodes() const { return nodes_; }
  double distance(const Vec3d& x) const;

  /// A box that holds the whole shape; lowest > highest for one that is empty.
  struct Bounds {
    Vec3d lowest, highest;
  };
  Bounds bounds() const;

 private:
  static Shape combine(ShapeNode::Op op, const Shape& a, const Shape& b);

  std::vector<ShapeNode> nodes_;
};

/// Signed distance [m] from x to a primitive, negative inside.
SILT_HD inline double primitive_distance(const ShapeNode& n, const Vec3d& x) {
  if (n.op == ShapeNode::Op::sphere) return length(x - n.a) - n.r;
  const Vec3d out = max(n.a - x, x - n.b);  // beyond each pair of faces; negative between them
  const double inside = out.x > out.y ? (out.x > out.z ? out.x : out.z) : (out.y > out.z ? out.y : out.z);
  return inside <= 0 ? inside : length(max(out, Vec3d{}));
}

/// Signed distance of a recipe of `count` nodes.
SILT_HD inline double shape_distance(const ShapeNode* nodes, int count, const Vec3d& x) {
  double stack[shape_stack];
  int top = 0;
  for (int i = 0; i < count; ++i) {
    const ShapeNode& n = nodes[i];
    if (n.op == ShapeNode::Op::box || n.op == ShapeNode::Op::sphere) {
      stack[top++] = primitive_distance(n, x);
      continue;
    }
    const double b = stack[--top], a = stack[top - 1];
    const double other = n.op == ShapeNode::Op::subtract ? -b : b;
    const bool take_smaller = n.op == ShapeNode::Op::unite;
    stack[top - 1] = (a < other) == take_smaller ? a : other;
  }
  return stack[0];
}

}  // namespace silt
