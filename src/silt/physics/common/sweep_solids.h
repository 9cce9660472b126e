#pragma once

#include <vector>

#include "silt/fields/field.h"
#include "silt/fields/particles.h"
#include "silt/physics/common/setting.h"

namespace silt {

/// What becomes of a particle whose way meets a solid.
enum class MeetSolid { slide, stop, go_back };

/// Particles do not pass through thin solids, however fast. Distances between the corners of cells do not tell the two
/// sides of a plate apart that is a cell or two thick: a particle pushed out of it may come out on the other side. So
/// the way that each has gone is followed through the solid's own distance, as the solid sees it: where it meets the
/// solid it stops, and slides along for the rest.
/// From a thick one push_out.h finds the way back by the grid alone, as long as a particle is less than half as deep in
/// it as it is thick: what has gone deeper, or farther than it is thick, in one move is stopped here, too.
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
  /// The same of the solids that are not thin, for what is deep in them or may have crossed them. `distance`: of the
  /// solids at cell corners [m], at time `to`; nullptr: not known.
  void stop_deep(const Exec& exec, const Domain& domain, double from, double to, const Field<float>* distance,
                 Particles& particles) const;
  /// Whether there are such solids, and a move of so many cells may lead too deep into them after another of `before`.
  bool may_go_deep(double cells, double before) const;
  /// The same at one time, for what was moved within its cell and must not leave it: goes back to where it was.
  void take_back(const Exec& exec, const Domain& domain, double time, Particles& particles) const;

 private:
  void stop_at(const Obstacle& o, const Exec& exec, const Domain& domain, double from, double to, MeetSolid then,
               bool deep_only, const Field<float>* distance, Particles& particles) const;

  std::vector<Obstacle> thin_, thick_;  ///< of those that do not deform
  Buffer<int> cell_[3];
  Buffer<float> offset_[3];
};

}  // namespace silt
