#pragma once

#include "silt/core/mat3.h"
#include "silt/geometry/mesh_view.h"
#include "silt/geometry/primitives.h"
#include "silt/geometry/rigid_velocity.h"

namespace silt {

/// One step of a shape's recipe: a primitive pushes its signed distance, a combination takes two off and pushes one,
/// growth takes one off and pushes one.
/// Plain data, so that a kernel evaluates a whole tree at a point with no virtual call. A primitive stands in a frame
/// of its own, local = turn * (x - place) / scale, so a recipe needs no stack of transforms.
struct ShapeNode {
  enum class Op { box, sphere, cylinder, capsule, cone, plane, torus, mesh, unite, intersect, subtract, grow };
  Op op = Op::sphere;
  Vec3d a{};             ///< box: lowest corner [m]
  Vec3d b{};             ///< box: highest corner [m]
  double r = 0;          ///< radius; of a cone at its foot; of a torus, of the ring's middle; how far to grow [m]
  double r2 = 0;         ///< cone: radius at its end; torus: radius of the tube [m]
  double height = 0;     ///< cylinder, capsule, cone: extent along the local z [m]
  MeshView mesh;         ///< mesh: where its arrays are
  Mat3d turn;            ///< world to local rotation
  Vec3d place{};         ///< the local origin in the world [m]
  double scale = 1;      ///< a local metre in the world [m]
  double inv_scale = 1;  ///< 1 / scale

  SILT_HD bool primitive() const { return op < Op::unite; }
  SILT_HD bool combines_two() const { return op >= Op::unite && op <= Op::subtract; }
};

/// A distance [m], and the velocity [m/s] of the surface it was measured to: not zero where a mesh deforms.
struct ShapeSample {
  double distance;
  Vec3d velocity;
};

/// The deepest nesting a recipe may need.
inline constexpr int shape_stack = 16;

/// What is known from the last point looked at: passed on from one to the next along a row of cells, it makes looking
/// at meshes several times faster. The answers are the same.
struct ShapeCursor {
  static constexpr int most = 4;  ///< meshes of a recipe that have one; further ones begin anew at every point
  MeshCursor mesh[most];
};

/// Signed distance [m] from x to a primitive other than a mesh, negative inside. x is in its own frame.
SILT_HD inline double primitive_distance(const ShapeNode& n, const Vec3d& p) {
  double d = 0;
  switch (n.op) {
    case ShapeNode::Op::box:
      d = box_distance(p, n.a, n.b);
      break;
    case ShapeNode::Op::sphere:
      d = length(p) - n.r;
      break;
    case ShapeNode::Op::cylinder:
      d = cylinder_distance(p, n.height, n.r);
      break;
    case ShapeNode::Op::capsule:
      d = capsule_distance(p, n.height, n.r);
      break;
    case ShapeNode::Op::cone:
      d = cone_distance(p, n.height, n.r, n.r2);
      break;
    case ShapeNode::Op::plane:
      d = p.z;
      break;
    case ShapeNode::Op::torus:
      d = torus_distance(p, n.r, n.r2);
      break;
    default:
      break;
  }
  return d;
}

/// A shape as a kernel sees it: its recipe, where the kernel runs. Made by ShapeOn, or by Shape::view() for the host.
struct ShapeView {
  const ShapeNode* nodes = nullptr;
  int count = 0;  ///< 0: no shape

  SILT_HD double distance(const Vec3d& x) const {
    ShapeCursor cursor;
    return distance(x, cursor);
  }
  SILT_HD double distance(const Vec3d& x, ShapeCursor& cursor) const { return walk<DistanceAlone>(x, cursor); }

  /// The same, with the velocity of the primitive that decides it.
  SILT_HD ShapeSample sample(const Vec3d& x) const {
    ShapeCursor cursor;
    return sample(x, cursor);
  }
  SILT_HD ShapeSample sample(const Vec3d& x, ShapeCursor& cursor) const { return walk<WithVelocity>(x, cursor); }

  /// What of a rigid motion moves the surface: without the spin that leaves the primitive as it is that decides at x,
  /// of a ball any about its centre, of a cylinder that about its axis.
  SILT_HD RigidVelocity displacing(const Vec3d& x, const RigidVelocity& motion, ShapeCursor& cursor) const {
    const int decides = walk<WithNode>(x, cursor).node;
    if (decides < 0) return motion;
    const ShapeNode& n = nodes[decides];
    const bool ball = n.op == ShapeNode::Op::sphere;
    const bool round = n.op == ShapeNode::Op::cylinder || n.op == ShapeNode::Op::capsule ||
                       n.op == ShapeNode::Op::cone || n.op == ShapeNode::Op::torus;
    if (!ball && !round) return motion;
    const Vec3d axis = transpose(n.turn) * Vec3d{0, 0, 1};
    const Vec3d idle = ball ? motion.spin : axis * dot(motion.spin, axis);
    return {motion.at(n.place), motion.spin - idle, n.place};
  }

 private:
  static constexpr double nowhere = 1e30;  ///< [m]; the distance of no shape

  /// What a walk through the recipe carries along.
  struct DistanceAlone {
    using Value = double;
    SILT_HD static double at_rest(double distance, int) { return distance; }
    SILT_HD static double of_mesh(const ShapeNode& n, int, const Vec3d& p, MeshCursor& cursor) {
      return n.mesh.distance(p, cursor) * n.scale;
    }
    SILT_HD static double& distance(double& value) { return value; }
  };
  struct WithVelocity {
    using Value = ShapeSample;
    SILT_HD static ShapeSample at_rest(double distance, int) { return {distance, {}}; }
    SILT_HD static ShapeSample of_mesh(const ShapeNode& n, int, const Vec3d& p, MeshCursor& cursor) {
      const MeshSample s = n.mesh.sample(p, cursor);
      return {s.distance * n.scale, transpose(n.turn) * s.velocity * n.scale};
    }
    SILT_HD static double& distance(ShapeSample& value) { return value.distance; }
  };
  struct WithNode {
    struct Value {
      double distance;
      int node;
    };
    SILT_HD static Value at_rest(double distance, int node) { return {distance, node}; }
    SILT_HD static Value of_mesh(const ShapeNode& n, int node, const Vec3d& p, MeshCursor& cursor) {
      return {n.mesh.distance(p, cursor) * n.scale, node};
    }
    SILT_HD static double& distance(Value& value) { return value.distance; }
  };

  template <class Carried>
  SILT_HD typename Carried::Value walk(const Vec3d& x, ShapeCursor& cursor) const {
    typename Carried::Value stack[shape_stack];
    stack[0] = Carried::at_rest(nowhere, -1);
    int top = 0, meshes = 0;
    for (int i = 0; i < count; ++i) {
      const ShapeNode& n = nodes[i];
      if (n.primitive()) {
        const Vec3d p = n.turn * (x - n.place) * n.inv_scale;
        if (n.op == ShapeNode::Op::mesh) {
          MeshCursor fresh;
          stack[top++] = Carried::of_mesh(n, i, p, meshes < ShapeCursor::most ? cursor.mesh[meshes] : fresh);
          ++meshes;
        } else {
          stack[top++] = Carried::at_rest(primitive_distance(n, p) * n.scale, i);
        }
        continue;
      }
      if (n.op == ShapeNode::Op::grow) {
        Carried::distance(stack[top - 1]) -= n.r;
        continue;
      }
      typename Carried::Value& other = stack[--top];
      if (n.op == ShapeNode::Op::subtract) Carried::distance(other) = -Carried::distance(other);
      if (replaces(n, Carried::distance(stack[top - 1]), Carried::distance(other))) stack[top - 1] = other;
    }
    return stack[0];
  }

  /// Whether a combination of distances a and b is b.
  SILT_HD static bool replaces(const ShapeNode& n, double a, double b) {
    return (a < b) != (n.op == ShapeNode::Op::unite);
  }
};

}  // namespace silt
