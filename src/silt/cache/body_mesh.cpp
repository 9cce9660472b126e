#include "silt/cache/body_mesh.h"

#include <algorithm>

namespace silt {

Mesh placed_mesh(const Body& body) {
  if (!body.shape) return {};
  Mesh mesh = *body.shape;
  const Similarity& place = body.pose.place;
  mesh.velocities.resize(mesh.positions.size());
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    const Vec3d x = place(mesh.positions[i].as<double>());
    const Vec3d deforming = place.rotation * (mesh.velocities[i].as<double>() * place.scale);
    mesh.positions[i] = x.as<float>();
    mesh.velocities[i] = (body.pose.velocity.at(x) + deforming).as<float>();
  }
  for (Vec3f& n : mesh.normals) n = (place.rotation * n.as<double>()).as<float>();
  return mesh;
}

Mesh placed_bodies(const std::vector<Body>& bodies) {
  Mesh all;
  all.material = all.name = "bodies";
  Attribute which{"body", "", {}};
  const bool smooth =
      std::all_of(bodies.begin(), bodies.end(), [](const Body& b) { return !b.shape || !b.shape->normals.empty(); });
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Mesh mesh = placed_mesh(bodies[b]);
    const int first = int(all.positions.size());
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    append(all.positions, mesh.positions);
    append(all.velocities, mesh.velocities);
    if (smooth) append(all.normals, mesh.normals);
    for (const Int3& t : mesh.triangles) all.triangles.push_back(t + Int3{first, first, first});
    which.values.resize(all.positions.size(), float(b));
  }
  all.attributes = {std::move(which)};
  return all;
}

}  // namespace silt
