#include "silt/surface/block_mesh.h"

#include "silt/core/error.h"
#include "silt/surface/cube_table.h"

namespace silt {
namespace {

constexpr int side = BlockField::side, volume = BlockField::volume;
using Padded = BlockField::Padded;

constexpr std::size_t at(int x, int y, int z) {
  return std::size_t(BlockField::padded_index(x, y, z));
}
constexpr std::size_t steps[3] = {1, BlockField::padded, BlockField::padded* BlockField::padded};

/// Which corners of the cube above a voxel are inside.
int inside_corners(const Padded& phi, std::size_t i) {
  int bits = 0;
  for (int c = 0; c < 8; ++c)
    bits |= (phi[i + std::size_t(c & 1) * steps[0] + std::size_t(c >> 1 & 1) * steps[1] +
                 std::size_t(c >> 2 & 1) * steps[2]] < 0)
            << c;
  return bits;
}

/// Of a block: the number of each edge's corner among the block's own; edge along axis a from a voxel.
using EdgeNumbers = std::array<std::int16_t, 3 * volume>;

template <class Visit>
void for_voxels(const Visit& visit) {
  int v = 0;
  for (int z = 0; z < side; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x, ++v) visit(v, at(x, y, z), Int3{x, y, z});
}

struct BlockCount {
  int corners = 0, triangles = 0;
};

BlockCount count_block(const Padded& phi, EdgeNumbers& numbers) {
  const CubeTable& table = CubeTable::get();
  BlockCount count;
  for_voxels([&](int v, std::size_t i, Int3) {
    const bool in = phi[i] < 0;
    for (int a = 0; a < 3; ++a) {
      const bool cut = in != (phi[i + steps[a]] < 0);
      numbers[std::size_t(3 * v + a)] = cut ? std::int16_t(count.corners++) : std::int16_t(-1);
    }
    count.triangles += int(table.triangles[std::size_t(inside_corners(phi, i))].size());
  });
  return count;
}

Vec3f slope(const Padded& phi, std::size_t i) {
  return {phi[i + steps[0]] - phi[i - steps[0]], phi[i + steps[1]] - phi[i - steps[1]],
          phi[i + steps[2]] - phi[i - steps[2]]};
}

class BlockMesher {
 public:
  BlockMesher(const Exec& exec, const BlockField& field)
      : exec_(exec),
        field_(field),
        numbers_(std::size_t(field.slots())),
        corner_(std::size_t(field.slots()) + 1),
        triangle_(std::size_t(field.slots()) + 1) {}

  Mesh run(std::vector<std::int32_t>* first_corner) {
    number();
    Mesh mesh;
    mesh.positions.resize(std::size_t(corner_.back()));
    mesh.normals.resize(mesh.positions.size());
    mesh.triangles.resize(std::size_t(triangle_.back()));
#pragma omp parallel for schedule(dynamic, 16) num_threads(exec_.threads())
    for (int slot = 0; slot < field_.slots(); ++slot) {
      const auto s = std::size_t(slot);
      if (corner_[s] == corner_[s + 1] && triangle_[s] == triangle_[s + 1]) continue;
      Padded phi;
      field_.load(slot, phi);
      place_corners(slot, phi, mesh);
      join_corners(slot, phi, mesh);
    }
    if (first_corner) first_corner->assign(corner_.begin(), corner_.end());
    return mesh;
  }

 private:
  void number() {
    std::vector<BlockCount> counts(numbers_.size());
#pragma omp parallel for schedule(dynamic, 16) num_threads(exec_.threads())
    for (int slot = 0; slot < field_.slots(); ++slot) {
      Padded phi;
      field_.load(slot, phi);
      counts[std::size_t(slot)] = count_block(phi, numbers_[std::size_t(slot)]);
    }
    std::int64_t corners = 0, triangles = 0;
    for (std::size_t s = 0; s < counts.size(); ++s) {
      corner_[s] = std::int32_t(corners), triangle_[s] = triangles;
      corners += counts[s].corners, triangles += counts[s].triangles;
      if (corners > 2147483647) throw Error("the surface has more corners than a mesh can number: take larger voxels");
    }
    corner_.back() = std::int32_t(corners), triangle_.back() = triangles;
  }

  void place_corners(int slot, const Padded& phi, Mesh& mesh) const {
    const auto s = std::size_t(slot);
    const Vec3d origin = field_.lattice.origin;
    const double h = field_.lattice.h;
    const Vec3d low = (field_.at[s] * side).as<double>() + Vec3d{0.5, 0.5, 0.5};
    for_voxels([&](int v, std::size_t i, Int3 voxel) {
      for (int a = 0; a < 3; ++a) {
        const int number = numbers_[s][std::size_t(3 * v + a)];
        if (number < 0) continue;
        const std::size_t j = i + steps[a];
        const float t = phi[i] / (phi[i] - phi[j]);
        Vec3d x = low + voxel.as<double>();
        x[a] += t;
        const auto corner = std::size_t(corner_[s] + number);
        mesh.positions[corner] = (origin + x * h).as<float>();
        mesh.normals[corner] = normalized(slope(phi, i) * (1 - t) + slope(phi, j) * t);
      }
    });
  }

  void join_corners(int slot, const Padded& phi, Mesh& mesh) const {
    const CubeTable& table = CubeTable::get();
    auto to = std::size_t(triangle_[std::size_t(slot)]);
    for_voxels([&](int, std::size_t i, Int3 voxel) {
      const auto& triangles = table.triangles[std::size_t(inside_corners(phi, i))];
      for (const auto& edges : triangles) {
        Int3& triangle = mesh.triangles[to++];
        for (int k = 0; k < 3; ++k) triangle[k] = corner_on(slot, voxel, edges[std::size_t(k)]);
      }
    });
  }

  /// The number of the corner on an edge of the cube above a voxel: its own block's, or a neighbour's.
  int corner_on(int slot, Int3 voxel, int edge) const {
    const int low = CubeTable::edge_corner[std::size_t(edge)];
    const Int3 from = voxel + Int3{low & 1, low >> 1 & 1, low >> 2 & 1};
    const Int3 step{from.x >= side, from.y >= side, from.z >= side};
    const auto owner = std::size_t(step == Int3{} ? slot : field_.neighbour(slot, step));
    const int v = ((from.z & 7) * side + (from.y & 7)) * side + (from.x & 7);
    return corner_[owner] + numbers_[owner][std::size_t(3 * v + edge / 4)];
  }

  const Exec& exec_;
  const BlockField& field_;
  std::vector<EdgeNumbers> numbers_;
  std::vector<std::int32_t> corner_;    ///< first of each slot
  std::vector<std::int64_t> triangle_;  ///< first of each slot
};

}  // namespace

Mesh mesh_of(const Exec& exec, const BlockField& field, std::vector<std::int32_t>* first_corner) {
  return BlockMesher(exec, field).run(first_corner);
}

}  // namespace silt
