// A mesh of each format, by the first byte; read, then mended.
#include "campaign/target.h"
#include "silt/geometry/mesh_file.h"
#include "silt/geometry/mesh_repair.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace silt;
  return survives(data, size, [](std::string_view bytes) {
    if (bytes.empty()) return;
    const char* const endings[] = {".obj", ".stl", ".ply"};
    const TriangleMesh mesh = parse_mesh(bytes.substr(1), endings[std::uint8_t(bytes[0]) % 3], "fuzz");
    if (mesh.triangles.size() < 1000) repair_mesh(mesh).report.text();
  });
}
