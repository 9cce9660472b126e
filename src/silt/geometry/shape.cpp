#include "silt/geometry/shape.h"

#include <algorithm>

#include "silt/core/error.h"

namespace silt {

namespace {

/// How many values the recipe holds at once.
int depth_needed(const std::vector<ShapeNode>& nodes) {
  int depth = 0, deepest = 0;
  for (const ShapeNode& n : nodes) {
    depth += n.op == ShapeNode::Op::box || n.op == ShapeNode::Op::sphere ? 1 : -1;
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

}  // namespace

Shape Shape::box(const Vec3d& lowest, const Vec3d& highest) {
  Shape s;
  s.nodes_ = {{ShapeNode::Op::box, lowest, highest, 0}};
  return s;
}

Shape Shape::sphere(const Vec3d& centre, double radius) {
  Shape s;
  s.nodes_ = {{ShapeNode::Op::sphere, centre, {}, radius}};
  return s;
}

Shape Shape::combine(ShapeNode::Op op, const Shape& a, const Shape& b) {
  Shape s;
  s.nodes_ = a.nodes_;
  s.nodes_.insert(s.nodes_.end(), b.nodes_.begin(), b.nodes_.end());
  s.nodes_.push_back({op, {}, {}, 0});
  if (depth_needed(s.nodes_) > shape_stack) throw InputError("shapes are nested too deeply");
  return s;
}

double Shape::distance(const Vec3d& x) const {
  return shape_distance(nodes_.data(), int(nodes_.size()), x);
}

Shape::Bounds Shape::bounds() const {
  std::vector<Bounds> stack;
  for (const ShapeNode& n : nodes_) {
    if (n.op == ShapeNode::Op::box) {
      stack.push_back({n.a, n.b});
    } else if (n.op == ShapeNode::Op::sphere) {
      const Vec3d r{n.r, n.r, n.r};
      stack.push_back({n.a - r, n.a + r});
    } else {
      const Bounds b = stack.back();
      stack.pop_back();
      Bounds& a = stack.back();
      if (n.op == ShapeNode::Op::unite) a = {min(a.lowest, b.lowest), max(a.highest, b.highest)};
      if (n.op == ShapeNode::Op::intersect) a = {max(a.lowest, b.lowest), min(a.highest, b.highest)};
    }
  }
  return stack.back();
}

}  // namespace silt
