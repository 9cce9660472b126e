#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "silt/render/bricks.h"

namespace silt {

/// The surface of what a level set of a frame is negative in, for rays: trilinear between cell centres, cut off by a
/// box as by glass. Positions and lengths in cells.
class LevelSet {
 public:
  struct Cut {
    bool sides[3][2] = {};  ///< which of the domain's sides close it; beyond the others it goes on
    bool floor = true;      ///< whether the low z side has a surface of its own, or stands on the ground
  };
  LevelSet(const Frame& frame, std::string_view name, const Cut& cut);

  /// Pieces of surface: one in each cube between eight cell centres that it passes, and the squares of cut sides.
  std::size_t count() const { return pieces_.size(); }
  struct Bounds {
    Vec3f lo, hi;
  };
  Bounds bounds(std::size_t piece) const;

  struct Crossing {
    float t;
    Vec3f gradient;  ///< out of what it encloses, of any length
  };
  /// The first crossing of a piece by a ray between two places of it.
  std::optional<Crossing> cross_piece(std::size_t piece, const Vec3f& origin, const Vec3f& direction, float t0,
                                      float t1) const;
  /// Signed distance, negative inside.
  float at(const Vec3f& x) const { return phi_.linear(x); }
  /// Of length 1, without the creases of trilinear patches.
  Vec3f smooth_normal(const Vec3f& x) const { return normalized(phi_.smooth_gradient(x)); }
  /// Whether a piece is part of a cut side, which is flat.
  bool flat(std::size_t piece) const { return pieces_[piece].axis >= 0; }

 private:
  struct Piece {
    Int3 low;       // cube from the centre of this cell to that of the next; or the cell behind a square
    int axis = -1;  // of a square: the side's axis
    int end = 0;
  };
  void find_pieces(const Cut& cut);
  void corners(Int3 low, float values[8]) const;

  Grid<float> phi_;
  Box box_;
  std::vector<Piece> pieces_;
};

}  // namespace silt
