#pragma once

#include <vector>

#include "silt/core/buffer.h"
#include "silt/physics/common/setting.h"
#include "silt/physics/gas/step_frame.h"

namespace silt::gas {

/// A setting whose sides with an inflow are open ones: what no inflow covers of them is closed by Inlets.
Setting open_inflow_sides(Setting setting);

/// What an inflow does in one step, as kernels see it.
struct InletNow {
  float velocity[3];  ///< [m/s]
  float outwards;     ///< its component across the side; it enters where this is negative [m/s]
  float change;       ///< of `outwards` since the step before [m/s]
  float temperature;  ///< [K]
  float pressure;     ///< of one that is faster than sound [Pa]
  float smoke, fuel;
  float relax;  ///< dt / (10 L): times c, half of K dt
  bool fast;    ///< nothing goes against it: all of it is given
};

/// The inflows of one open side.
struct SideInlets {
  static constexpr unsigned char none = 0, wall = 255;
  Buffer<unsigned char>
      which;  ///< of each face: an inlet's number from 1 on, or one of these; empty without any inflow
  Buffer<InletNow> now;

  bool any() const { return which.size() > 0; }
};

/// The inflows of a scene, side by side as open_sides() has them. Where sound is faster than the wind, velocity and
/// temperature are given, and pressure is what it is inside: sound that comes to the side leaves,
///   d(p_b - rho c u) = - 2 rho c dU + rho c K (u - U) dt,   K = c / (5 L), u and U outwards,
/// the wave that goes in, which only what is asked for sends; it brings u back to U within some passages of L, where
/// the sound that left has changed it: L is the domain's length, or a tenth of a hole's width. [PL92], as open sides do
/// for pressure. A wind that is faster brings a pressure too.
class Inlets {
 public:
  Inlets() = default;
  /// Of a setting of open_inflow_sides().
  explicit Inlets(const Setting& setting);

  bool any() const { return !sides_.empty(); }
  /// Those that are on from `time` to `time + dt`. Returns whether other faces are closed than before.
  bool set(const Setting& setting, const GasLaw& law, double time, double dt);
  const std::vector<SideInlets>& sides() const { return sides_; }
  /// Whether some faces of these sides are walls, now or at another time.
  bool closes() const { return closes_; }
  /// The fastest of them along any axis [m/s].
  double fastest() const { return fastest_; }

 private:
  struct Patch {
    std::size_t side;
    std::vector<bool> covers;  ///< of the side's faces
    double length;             ///< L [m]
  };
  std::vector<SideInlets> sides_;
  std::vector<Patch> patches_;  ///< of the setting's inflows
  bool closes_ = false;
  double fastest_ = 0;
};

/// Faces of sides with inflows that none of them covers are walls.
void close_inflow_walls(const StepFrame& frame, MacField<float>& open);
/// Velocities on faces of inflows that are faster than sound, and of their walls, are what they are.
void hold_inflows(const StepFrame& frame, MacField<float>& velocity);
/// No kinetic energy is lost where velocity is given.
void spare_inflows(const StepFrame& frame, MacField<float>& lost);
/// Beyond inflows: velocity along the side, and an amount that they bring, smoke or fuel.
void fill_inflow_velocity(const StepFrame& frame, MacField<float>& velocity);
enum class Brought { smoke, fuel };
void fill_inflow_amount(const StepFrame& frame, Brought what, Field<float>& field);

}  // namespace silt::gas
