#pragma once

/// Meshes as binary PLY files, for Blender, Houdini, MeshLab and our own pictures: a vertex has x y z, and, where the
/// mesh has them, nx ny nz (normal), vx vy vz (velocity), one number for each attribute, by its name, and red green
/// blue (linear, a byte each); faces are triangles. The instant, the domain and the names are comments of the header.
/// A mesh without corners has normals and velocities: a frame of a surface in which there is no liquid yet is then like
/// the others.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "silt/cache/bytes.h"
#include "silt/fields/frame.h"

namespace silt {

inline bool has_normals(const Mesh& mesh) {
  return !mesh.normals.empty() || mesh.positions.empty();
}
inline bool has_velocities(const Mesh& mesh) {
  return !mesh.velocities.empty() || mesh.positions.empty();
}

/// One .ply with a mesh of the frame. Every number comes back as it was. Error when the mesh's lists do not fit
/// together, or an attribute's name cannot stand in a header.
Bytes encode_mesh(const Frame& frame, const Mesh& mesh);

/// The frame and its one mesh. `path` is for messages. IoError when silt did not write it or it is not whole.
Frame decode_mesh(const std::filesystem::path& path, const Bytes& bytes);

/// What is in such a file.
struct MeshFileInfo {
  std::vector<std::pair<std::string, std::string>> metadata;
  std::int64_t vertices = 0, triangles = 0;
  std::vector<std::string> properties;  ///< of a vertex: "x", "y", ...
  Vec3d lo, hi;                         ///< what it fills [m]; both 0 when it has no vertex
};
MeshFileInfo describe_mesh(const std::filesystem::path& path, const Bytes& bytes);

}  // namespace silt
