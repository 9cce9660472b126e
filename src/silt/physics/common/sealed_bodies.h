#pragma once

#include <vector>

#include "silt/fields/particle_sort.h"
#include "silt/physics/common/let_go.h"

namespace silt {

/// Liquid that fills what it is in: joined cells, none of which touches air or an open side.
struct SealedBody {
  std::vector<int> cells;  ///< storage indices
  double gain = 0;   ///< sum of b = -h^2 div u: what solids that close in press into it; less than 0: they draw apart
  double moved = 0;  ///< sum of |b|
};

/// Those that have released cells; these count as liquid, and as no air. `b`: before the solve has made it compatible.
std::vector<SealedBody> find_sealed_bodies(const Domain& domain, const MacField<float>& star,
                                           const Field<unsigned char>& air, const Field<unsigned char>& released,
                                           const Field<double>& b);

/// What `bind_sealed` has changed.
struct BoundSealed {
  double pull = 0;     ///< sum of what cells pulled with, least - q, that are bound again
  bool apart = false;  ///< solids draw apart round a body, and it has but now been released somewhere
};

/// The pressure of a body without air is known but for a constant: any at which it presses everywhere is right, and
/// where a solve puts zero says nothing of where it pulls. So no cell of a sealed body is released, and, once it is
/// `solved`, its q is lifted until it is nowhere below the bound. Only where solids draw apart round it, by more than
/// `rounding` of what b moves, a void must open: where q is lowest.
BoundSealed bind_sealed(const Domain& domain, const MacField<float>& star, const LetGo& walls, const Field<double>& b,
                        double rounding, bool solved, Field<unsigned char>& air, Field<unsigned char>& released,
                        Field<double>& q);

/// A body whose only air is in pockets, and that has the particles for all of its room, those included, is full: where
/// none of them happens to be, others are crowded. Such pockets become liquid, phi < 0, and crowding closes them. As
/// air they would be at pressure zero, and all that is above them would fall freely for a step. `room`: the part of
/// each cell that solids leave; nullptr: all of it. Returns whether there were any.
bool fill_pockets(const Domain& domain, const MacField<float>& open, const Field<float>* room,
                  const Particles& particles, const CellRanges& ranges, Field<float>& phi, Field<unsigned char>& air);

}  // namespace silt
