#pragma once

#include <vector>

#include "silt/core/buffer.h"
#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt {

/// Rigid cells side by side along x.
struct RigidRun {
  int begin, end, y, z;
  int group;
  Cell origin;  ///< the first cell of its group: places are counted from there
};

/// Rigid cells that are connected through faces of sand, round periodic sides too. Groups are numbered by their first
/// runs, in order of z, y and x, so that numbers do not depend on threads.
struct RigidGroups {
  Buffer<RigidRun> runs;  ///< the first `run_count`
  std::size_t run_count = 0;
  std::vector<char> turns;  ///< of each group: 0 when it reaches across a periodic side, where nothing can turn

  int count() const { return int(turns.size()); }
};

/// `rigid`: 1 in rigid cells, 0 in others and beyond walls; `star`: not 0 on faces of sand.
void find_rigid_groups(const Domain& domain, const Field<unsigned char>& rigid, const MacField<float>& star,
                       RigidGroups& out);

}  // namespace silt
