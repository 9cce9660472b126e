#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "silt/geometry/triangle_mesh.h"

namespace silt {

inline constexpr std::uint64_t largest_mesh_file = std::uint64_t(4) << 30;  ///< [bytes]

/// The mesh of an OBJ, STL (text or binary) or PLY (text, binary of either byte order) file, told by its ending.
/// Polygons are split into triangles; all but vertices and faces is passed over. Throws an InputError that names the
/// file and the line or byte. Has at least one triangle; every corner is a vertex, every number finite.
TriangleMesh read_mesh_file(const std::filesystem::path& file);

/// The same of a file's bytes. `ending` is ".obj", ".stl" or ".ply", whatever its case; `name` stands in messages.
TriangleMesh parse_mesh(std::string_view bytes, const std::string& ending, const std::string& name);

/// Whether an ending is one of these.
bool is_mesh_ending(const std::string& ending);

}  // namespace silt
