#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace silt {

/// Marching cubes: the triangles of each of the 256 ways in which eight corners can be inside or outside. Corner c lies
/// at (c & 1, c >> 1 & 1, c >> 2 & 1); edge 4 a + e runs along axis a from its lower corner edge_corner[4 a + e].
///
/// The table is not typed in but made: on each face the cut edges are joined so that inside corners which lie across
/// from each other stay apart, and the loops that this gives are filled with triangles. A face is joined in the same
/// way by the cubes on both sides of it, so surfaces are closed; and no loop is filled across one of the cube's faces,
/// where the neighbour might do the same, so no edge has more than two triangles.
struct CubeTable {
  static constexpr std::array<int, 12> edge_corner{0, 2, 4, 6, 0, 1, 4, 5, 0, 1, 2, 3};

  std::array<std::vector<std::array<std::uint8_t, 3>>, 256> triangles;  ///< of edges, anticlockwise from outside

  CubeTable();
  static const CubeTable& get();
};

}  // namespace silt
