#include "silt/cache/oriented.h"

#include <utility>

namespace silt {
namespace {

/// Turns by a quarter about x, then scales.
struct Turn {
  bool quarter;
  double scale;

  template <class T>
  Vec3<T> direction(const Vec3<T>& v) const {
    return quarter ? Vec3<T>{v.x, v.z, -v.y} : v;
  }
  template <class T>
  Vec3<T> length(const Vec3<T>& v) const {
    return direction(v) * T(scale);
  }
  Box cells(const Box& b) const { return quarter ? Box{{b.lo.x, b.lo.z, -b.hi.y}, {b.hi.x, b.hi.z, -b.lo.y}} : b; }
  Mat3d matrix() const { return quarter ? Mat3d{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}} : Mat3d{}; }
};

Domain turned(const Domain& domain, const Turn& turn) {
  Domain out = domain;
  out.lattice.origin = turn.length(domain.lattice.origin);
  out.lattice.h = domain.lattice.h * turn.scale;
  out.cells = Cells(turn.cells(domain.cells));
  if (turn.quarter) {
    out.lattice.active = {domain.lattice.active.x, domain.lattice.active.z, domain.lattice.active.y};
    out.sides[1] = domain.sides[2];
    out.sides[2] = {domain.sides[1][1], domain.sides[1][0]};
  }
  return out;
}

/// Distances are lengths, and so are the components of a velocity; a colour's are not.
bool is_velocity(const Volume& volume) {
  return volume.kind == Volume::Kind::vector && volume.unit == "m/s";
}

Volume turned(Volume volume, const Turn& turn) {
  if (volume.kind == Volume::Kind::level_set || is_velocity(volume)) {
    for (float& value : volume.values) value *= float(turn.scale);
    volume.background *= float(turn.scale);
  }
  if (!turn.quarter) return volume;
  Volume out = volume;
  out.cells = turn.cells(volume.cells);
  const Box& to = out.cells;
  for (int z = to.lo.z; z < to.hi.z; ++z)
    for (int y = to.lo.y; y < to.hi.y; ++y)
      for (int x = to.lo.x; x < to.hi.x; ++x) {
        const float* from = volume.values.data() + volume.index({x, -1 - z, y});
        float* value = out.values.data() + out.index({x, y, z});
        if (is_velocity(volume))
          value[0] = from[0], value[1] = from[2], value[2] = -from[1];
        else
          for (int a = 0; a < volume.components(); ++a) value[a] = from[a];
      }
  return out;
}

void turn_points(Points& points, const Turn& turn) {
  for (Vec3d& x : points.positions) x = turn.length(x);
  for (Vec3f& v : points.velocities) v = turn.length(v);
  points.radius *= float(turn.scale);
}

void turn_mesh(Mesh& mesh, const Turn& turn) {
  for (Vec3f& x : mesh.positions) x = turn.length(x);
  for (Vec3f& n : mesh.normals) n = turn.direction(n);
  for (Vec3f& v : mesh.velocities) v = turn.length(v);
}

void turn_body(Body& body, const Turn& turn) {
  body.pose.place = Similarity{turn.matrix(), {}, turn.scale} * body.pose.place;
  RigidVelocity& v = body.pose.velocity;
  v = {turn.length(v.velocity), turn.direction(v.spin), turn.length(v.centre)};
}

}  // namespace

Frame oriented(Frame frame, const Orientation& orientation) {
  const bool in_plane = !frame.domain.lattice.active.z;  // there y is up already
  const Turn turn{orientation.up == UpAxis::y && !in_plane, orientation.scale};
  frame.domain = turned(frame.domain, turn);
  for (Volume& volume : frame.volumes) volume = turned(std::move(volume), turn);
  for (Points& points : frame.points) turn_points(points, turn);
  for (Mesh& mesh : frame.meshes) turn_mesh(mesh, turn);
  for (Body& body : frame.bodies) turn_body(body, turn);
  return frame;
}

}  // namespace silt
