#include "silt/geometry/shape.h"

#include <algorithm>
#include <cmath>

#include "silt/core/error.h"
#include "silt/geometry/mesh_sequence.h"

namespace silt {
namespace {

using Op = ShapeNode::Op;
using Bounds = Shape::Bounds;

constexpr double endless = 1e30;  // [m]

/// How many values the recipe holds at once.
int depth_needed(const std::vector<ShapeNode>& nodes) {
  int depth = 0, deepest = 0;
  for (const ShapeNode& n : nodes) {
    depth += n.primitive() ? 1 : n.combines_two() ? -1 : 0;
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

/// A primitive along the local z, placed so that it goes from one point to another.
ShapeNode between(Op op, const Vec3d& from, const Vec3d& to, double radius) {
  ShapeNode n;
  n.op = op;
  n.r = radius;
  n.height = length(to - from);
  n.turn = transpose(rotation_from_z(to - from));
  n.place = from;
  return n;
}

/// What holds a mesh, and half the thickness of a sheet round it.
void set_box(ShapeNode& n, const MeshBox& box) {
  const double around = 0.5 * n.mesh.thickness;
  n.a = box.lowest - Vec3d{around, around, around}, n.b = box.highest + Vec3d{around, around, around};
}

Vec3d to_world(const ShapeNode& n, const Vec3d& local) {
  return transpose(n.turn) * (local * n.scale) + n.place;
}

/// Of a local box: interval arithmetic, so that what is not turned keeps its bits.
Bounds box_bounds(const ShapeNode& n, const Vec3d& lowest, const Vec3d& highest) {
  const Mat3d turn = transpose(n.turn);
  Bounds out{};
  for (int i = 0; i < 3; ++i) {
    double low = 0, high = 0;
    for (int j = 0; j < 3; ++j) {
      const double a = turn[i][j] * (lowest[j] * n.scale), b = turn[i][j] * (highest[j] * n.scale);
      low += std::min(a, b), high += std::max(a, b);
    }
    out.lowest[i] = low + n.place[i], out.highest[i] = high + n.place[i];
  }
  return out;
}

/// Of a disc across the local z, and of a ball of radius `around` rolling over it.
Bounds disc_bounds(const ShapeNode& n, double z, double radius, double around) {
  const Vec3d centre = to_world(n, {0, 0, z}), axis = n.turn.z;
  Vec3d reach;
  for (int i = 0; i < 3; ++i) reach[i] = n.scale * (radius * std::sqrt(std::max(0.0, 1 - axis[i] * axis[i])) + around);
  return {centre - reach, centre + reach};
}

Bounds both(const Bounds& a, const Bounds& b) {
  return {min(a.lowest, b.lowest), max(a.highest, b.highest)};
}

Bounds primitive_bounds(const ShapeNode& n) {
  switch (n.op) {
    case Op::sphere:
      return disc_bounds(n, 0, 0, n.r);
    case Op::cylinder:
      return both(disc_bounds(n, 0, n.r, 0), disc_bounds(n, n.height, n.r, 0));
    case Op::capsule:
      return both(disc_bounds(n, 0, 0, n.r), disc_bounds(n, n.height, 0, n.r));
    case Op::cone:
      return both(disc_bounds(n, 0, n.r, 0), disc_bounds(n, n.height, n.r2, 0));
    case Op::torus:
      return disc_bounds(n, 0, n.r, n.r2);
    case Op::plane:
      return box_bounds(n, {-endless, -endless, -endless}, {endless, endless, 0});
    default:
      return box_bounds(n, n.a, n.b);
  }
}

}  // namespace

Shape Shape::primitive(const ShapeNode& node) {
  Shape s;
  s.nodes_ = {node};
  return s;
}

Shape Shape::box(const Vec3d& lowest, const Vec3d& highest) {
  ShapeNode n;
  n.op = Op::box;
  n.a = lowest, n.b = highest;
  return primitive(n);
}

Shape Shape::sphere(const Vec3d& centre, double radius) {
  ShapeNode n;
  n.op = Op::sphere;
  n.place = centre;
  n.r = radius;
  return primitive(n);
}

Shape Shape::cylinder(const Vec3d& from, const Vec3d& to, double radius) {
  return primitive(between(Op::cylinder, from, to, radius));
}

Shape Shape::capsule(const Vec3d& from, const Vec3d& to, double radius) {
  return primitive(between(Op::capsule, from, to, radius));
}

Shape Shape::cone(const Vec3d& from, const Vec3d& to, double radius, double end_radius) {
  ShapeNode n = between(Op::cone, from, to, radius);
  n.r2 = end_radius;
  return primitive(n);
}

Shape Shape::plane(const Vec3d& point, const Vec3d& normal) {
  return primitive(between(Op::plane, point, point + normal, 0));
}

Shape Shape::torus(const Vec3d& centre, const Vec3d& axis, double radius, double tube) {
  ShapeNode n = between(Op::torus, centre, centre + axis, radius);
  n.r2 = tube;
  return primitive(n);
}

Shape Shape::mesh_part(MeshPart part, const MeshBox& box) {
  ShapeNode n;
  n.op = Op::mesh;
  n.mesh = part.data->view(Exec(Device::cpu, 1));
  set_box(n, box);
  Shape s = primitive(n);
  s.meshes_.push_back(std::move(part));
  return s;
}

Shape Shape::mesh(std::shared_ptr<const MeshData> data) {
  const MeshBox box = data->bounds();
  return mesh_part({std::move(data), nullptr}, box);
}

Shape Shape::mesh(std::shared_ptr<const MeshSequence> sequence) {
  const MeshBox box = sequence->reach();
  auto data = sequence->at(0);
  return mesh_part({std::move(data), std::move(sequence)}, box);
}

std::vector<Shape> Shape::united_parts() const {
  std::vector<std::vector<Shape>> stack;  // parts of what the recipe holds
  const auto whole = [](const std::vector<Shape>& parts) {
    Shape s = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i) s = unite(s, parts[i]);
    return s;
  };
  std::size_t mesh = 0;
  for (const ShapeNode& n : nodes_) {
    if (n.primitive()) {
      Shape s = primitive(n);
      if (n.op == Op::mesh) s.meshes_ = {meshes_[mesh++]};
      stack.push_back({std::move(s)});
      continue;
    }
    if (n.op == Op::grow) {
      for (Shape& part : stack.back()) part = part.grown(n.r);
      continue;
    }
    const std::vector<Shape> b = std::move(stack.back());
    stack.pop_back();
    std::vector<Shape>& a = stack.back();
    if (n.op == Op::unite)
      a.insert(a.end(), b.begin(), b.end());
    else
      a = {combine(n.op, whole(a), whole(b))};
  }
  return stack.empty() ? std::vector<Shape>{} : stack.back();
}

bool Shape::deforms() const {
  return std::any_of(meshes_.begin(), meshes_.end(), [](const MeshPart& p) { return p.sequence != nullptr; });
}

Shape Shape::at(double time) const {
  Shape s = *this;
  std::size_t mesh = 0;
  for (ShapeNode& n : s.nodes_) {
    if (n.op != Op::mesh) continue;
    MeshPart& part = s.meshes_[mesh++];
    if (!part.sequence) continue;
    part.data = part.sequence->at(time);
    n.mesh = part.data->view(Exec(Device::cpu, 1));
    set_box(n, part.data->bounds());
  }
  return s;
}

double Shape::top_speed() const {
  double speed = 0;
  std::size_t mesh = 0;
  for (const ShapeNode& n : nodes_)
    if (n.op == Op::mesh)
      if (const MeshPart& part = meshes_[mesh++]; part.sequence)
        speed = std::max(speed, part.sequence->top_speed() * n.scale);
  return speed;
}

Shape Shape::combine(Op op, const Shape& a, const Shape& b) {
  Shape s = a;
  s.nodes_.insert(s.nodes_.end(), b.nodes_.begin(), b.nodes_.end());
  s.meshes_.insert(s.meshes_.end(), b.meshes_.begin(), b.meshes_.end());
  s.nodes_.emplace_back().op = op;
  if (depth_needed(s.nodes_) > shape_stack) throw InputError("shapes are nested too deeply");
  return s;
}

Shape Shape::grown(double by) const {
  Shape s = *this;
  ShapeNode& n = s.nodes_.emplace_back();
  n.op = Op::grow;
  n.r = by;
  return s;
}

Shape Shape::transformed(const Similarity& how) const {
  Shape s = *this;
  for (ShapeNode& n : s.nodes_) {
    if (n.op == Op::grow) n.r *= how.scale;
    if (!n.primitive()) continue;
    n.turn = n.turn * transpose(how.rotation);
    n.place = how(n.place);
    n.scale *= how.scale;
    n.inv_scale = 1 / n.scale;
  }
  return s;
}

Shape::Bounds Shape::bounds() const {
  std::vector<Bounds> stack;
  for (const ShapeNode& n : nodes_) {
    if (n.primitive()) {
      stack.push_back(primitive_bounds(n));
      continue;
    }
    if (n.op == Op::grow) {
      const Vec3d by{n.r, n.r, n.r};
      stack.back() = {stack.back().lowest - by, stack.back().highest + by};
      continue;
    }
    const Bounds b = stack.back();
    stack.pop_back();
    Bounds& a = stack.back();
    if (n.op == Op::unite) a = both(a, b);
    if (n.op == Op::intersect) a = {max(a.lowest, b.lowest), min(a.highest, b.highest)};
  }
  return stack.back();
}

}  // namespace silt
