#pragma once

#include "silt/fields/particle_sort.h"

namespace silt {

struct SeparateOptions {
  double distance = 0.4;  ///< at which particles no longer push each other [cells]; at most 1. They start 0.5 apart
  double strength = 0.5;  ///< part of a pair's overlap that is undone at once
};

/// How far each particle is pushed [cells].
struct Separation {
  Buffer<float> shift[3];
};

/// Pushes particles that have come too near each other apart, both alike, along the line between them [NGCL09]: a flow
/// without divergence spreads particles evenly, but once they clump nothing else parts them, and volume is lost. In two
/// steps, so that particles can be moved in between while they are still sorted: find who is pushed how far, push.
///   [NGCL09] Narain, Golas, Curtis, Lin 2009, Aggregate dynamics for dense crowd simulation
void find_separation(const Exec& exec, const Domain& domain, const SeparateOptions& options, const CellRanges& ranges,
                     const Particles& particles, Separation& out);
void separate_particles(const Exec& exec, const Domain& domain, const Separation& by, Particles& particles);

}  // namespace silt
