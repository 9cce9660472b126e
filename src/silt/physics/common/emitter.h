#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "silt/fields/domain.h"
#include "silt/fields/particles.h"
#include "silt/geometry/keyframes.h"
#include "silt/geometry/motion.h"
#include "silt/geometry/shape.h"

namespace silt {

struct Obstacle;

/// Where particles are born. Without a rate, the shape is filled once when it is switched on; from then on whatever its
/// velocity carries away is made up for, and what is inside moves with that velocity whatever pulls at it, so that the
/// flux is that of a full jet. With a rate, so much is born at random places of the shape.
struct Emitter {
  std::string name;
  Shape shape;
  Motion motion{};
  Animated<Vec3d> velocity{};              ///< of what is born, and without a rate of all that is inside [m/s]
  std::optional<Animated<double>> rate{};  ///< [m^3/s]; in 2D per metre of depth
  Animated<bool> enabled{true};
  std::uint32_t source = 0;
  std::optional<Animated<Vec3d>> colour;  ///< of what is born, linear RGB; absent: none of its own
  int grains = -1;                        ///< of sand: which of SandParams::others; -1: the usual
};

/// What an emitter remembers from step to step: part of the state.
struct EmitterMemory {
  Vec3d drift{};            ///< how far what it fills its shape with has moved so far [cells]
  double owed = 0;          ///< of its rate, less than one particle
  bool on = false;          ///< at the end of the last step
  std::uint64_t steps = 0;  ///< with a rate: counts for the random places
};

/// Where particles die.
struct Sink {
  std::string name;
  Shape shape;
  Motion motion{};
  Animated<bool> enabled{true};
};

/// How many particles an emitter has let out, and how many it had no room for.
struct Emitted {
  std::size_t born = 0, refused = 0;
};

/// What is born from `time` to `time + dt`, as it is at the end of that: at most `room` particles. What `solids` cover
/// of the shape gives nothing: a nozzle that begins in a wall lets its jet out of the wall, one inside of it none. In a
/// cell that has twice its 2^D particles already none is born; when the shape is first filled, in none that has its
/// own. Appended: particles need to be sorted afterwards, not before.
Emitted emit(const Exec& exec, const Domain& domain, const Emitter& emitter, const std::vector<Obstacle>& solids,
             double time, double dt, std::uint64_t seed, std::uint64_t room, EmitterMemory& memory,
             Particles& particles);

/// Kills what is inside as it is at `time`; the next sort takes it away.
void drain(const Exec& exec, const Domain& domain, const Sink& sink, double time, Particles& particles);

}  // namespace silt
