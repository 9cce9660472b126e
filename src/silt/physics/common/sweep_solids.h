#pragma once

#include <vector>

#include "silt/fields/particles.h"
#include "silt/physics/common/setting.h"

namespace silt {

/// What becomes of a particle whose way meets a solid.
enum class MeetSolid { slide, stop, go_back };

/// Particles do not pass through thin solids, however fast. Distances between the corners of cells do not tell the two
/// sides of a plate apart that is a cell or two thick: a particle pushed out of it may come out on the other side. So
/// the way that each has gone is followed through the solid's own distance, as the solid sees it: where it meets the
/// solid it stops, and slides along for the rest.
///   [GSLF05] Guendelman, Selle, Losasso & Fedkiw 2005, Coupling water and smoke to thin deformable and rigid shells
class SweepSolids {
 public:
  /// Finds the thin ones: less than so many cells from side to side, somewhere.
  SweepSolids(const Domain& domain, const std::vector<Obstacle>& obstacles);
  bool empty() const { return thin_.empty(); }

  /// Before a move: where all are.
  void remember(const Particles& particles);
  /// After it, from time `from` to `to`: the same particles in the same order.
  void stop(const Exec& exec, const Domain& domain, double from, double to, Particles& particles) const;
  /// The same at one time, for what was moved within its cell and must not leave it: goes back to where it was.
  void take_back(const Exec& exec, const Domain& domain, double time, Particles& particles) const;

 private:
  void stop_at(const Obstacle& o, const Exec& exec, const Domain& domain, double from, double to, MeetSolid then,
               Particles& particles) const;

  std::vector<Obstacle> thin_;
  Buffer<int> cell_[3];
  Buffer<float> offset_[3];
};

}  // namespace silt
