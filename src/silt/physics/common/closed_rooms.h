#pragma once

#include <cstdint>
#include <vector>

#include "silt/core/buffer.h"
#include "silt/physics/common/setting.h"

namespace silt {

/// Rooms of a scene that nothing can leave: free cells that are joined by their faces, with walls, periodic sides and
/// solids all round. Each has room for 2^D particles a cell, of cells that solids cut for the part 1/2 + d/h of that, d
/// the distance at their centre. A cell is free where its centre is: plates of a cell are tight.
class ClosedRooms {
 public:
  explicit ClosedRooms(const Setting& setting);

  /// How many more particles there is room for where an emitter is at `time`, of all that there are already. Without an
  /// end where some of it has a way to an open side.
  std::uint64_t left_for(const Exec& exec, const Emitter& emitter, double time,
                         const std::vector<const Particles*>& particles);
  /// How many particles closed rooms hold beyond what they have room for, since solids have closed in on them; 0 up to
  /// a fiftieth.
  std::int64_t squeezed(const Exec& exec, double time, const std::vector<const Particles*>& particles);

 private:
  using Label = std::uint16_t;
  static constexpr int unknown = 0, open = 1;  ///< labels; closed rooms are numbered from 2 on

  void look(const Exec& exec, double time);
  std::size_t index(Cell c) const;
  int room_at(Cell c);
  int walk(Cell from);
  double free_part(Cell c) const;
  Cell beside(Cell c, int axis, int end, bool& leaves) const;
  /// Particles of each room, by label.
  std::vector<std::uint64_t> count(const std::vector<const Particles*>& particles) const;
  double room_of(int label) const;

  const Setting& setting_;
  const bool still_;
  double looked_at_ = -1;        ///< [s]; negative: not yet
  Buffer<float> distance_;       ///< to solids at centres [m]
  std::vector<Label> label_;     ///< of cells
  std::vector<double> cells_;    ///< that each room has, by label
  std::vector<Cell> next_, in_;  ///< of a walk
};

}  // namespace silt
