#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "silt/fields/cut_cells.h"
#include "silt/fields/domain.h"
#include "silt/fields/walls.h"
#include "silt/geometry/keyframes.h"
#include "silt/geometry/motion.h"
#include "silt/geometry/shape.h"
#include "silt/physics/common/emitter.h"

namespace silt {

/// A solid of given motion.
struct Obstacle {
  std::string name;
  Shape shape;
  Motion motion;
  bool no_slip = false;  ///< fluid sticks to it; else it slides along freely
  /// Of sand: coefficient of friction, 0 where it slides freely, infinity where it sticks; absent: the sand's own.
  std::optional<double> friction{};
  /// Of water: how hard it must pull before this lets go [Pa], infinity where it holds; absent: as the water says.
  std::optional<double> suction{};
};

/// What one side of the domain, a wall, does to the fluid beside it.
struct Wall {
  std::string name;
  int axis = 0, end = 0;
  bool no_slip = true;
  Animated<Vec3d> velocity;          ///< in its own plane [m/s]
  std::optional<double> friction{};  ///< as an obstacle's
  std::optional<double> suction{};   ///< as an obstacle's
};

/// A region that holds the fluid in it at given values while it is enabled. Shapes and numbers in SI units.
struct Source {
  std::string name;
  Shape shape;
  Motion motion;
  Animated<double> density;                 ///< amount of smoke
  Animated<double> temperature;             ///< [K], absolute
  std::optional<Animated<Vec3d>> velocity;  ///< [m/s]; absent: the flow is left alone
  Animated<bool> enabled{true};
  std::optional<Animated<Vec3d>> colour{};  ///< linear RGB of the smoke; absent: the setting's
  Animated<double> fuel{0.0};               ///< amount of what can burn
};

/// A part of one side through which fluid enters at a given velocity.
struct Inflow {
  std::string name;
  int axis = 0, end = 0;
  std::optional<Shape> shape;  ///< absent: the whole side
  Animated<Vec3d> velocity;    ///< [m/s]
  Animated<double> density;
  Animated<double> temperature;
  Animated<bool> enabled{true};
  std::optional<Animated<Vec3d>> colour{};
  Animated<double> fuel{0.0};
  Animated<double> pressure{101325.0};  ///< of gas that is faster than sound [Pa], absolute
};

/// A lattice of vortices, steady where there is no viscosity:
///   u = U sin kx cos ky cos kz,  v = -U cos kx sin ky cos kz,  w = 0,  k = 2 pi / wavelength; in 2D kz = 0.
/// [TG37] Taylor & Green 1937, Mechanism of the production of small eddies from large ones
struct Vortices {
  double wavelength = 1;  ///< [m]
  double speed = 1;       ///< U [m/s]
};

/// What a region holds at t = 0; from then on it moves as it likes.
struct Fill {
  std::string name;
  std::optional<Shape> shape;        ///< absent: everywhere
  double density = 1;                ///< amount of smoke
  double temperature = 0;            ///< [K], absolute
  std::optional<Vec3d> velocity;     ///< [m/s]; absent with no vortices: the flow is left alone
  std::optional<Vortices> vortices;  ///< on top of the velocity
  std::optional<Vec3d> colour{};     ///< linear RGB of the smoke; absent: the setting's
  double fuel = 0;                   ///< amount of what can burn
  int grains = -1;                   ///< of sand: which of SandParams::others; -1: the usual
  double blur = 0;                   ///< of smoke: what its edge fades over [m]
};

/// Gas as a region holds it: any two of pressure, temperature and density say the third; what none says stays.
struct GasContent {
  std::optional<double> pressure{}, temperature{}, density{};  ///< [Pa], [K], [kg/m^3]; absolute
};

/// What a region of gas holds at some time; from then on it moves as it likes.
struct GasFill {
  std::string name;
  std::optional<Shape> shape;  ///< absent: everywhere
  double time = 0;             ///< [s]
  GasContent content{};
  std::optional<Vec3d> velocity{};     ///< [m/s]; absent with no vortices: the flow is left alone
  std::optional<Vortices> vortices{};  ///< on top of the velocity
  double smoke = 0;                    ///< amount of it
  double fuel = 0;                     ///< amount of what can burn
  double blur = 0;                     ///< what its edge fades over [m]
};

/// A region that heats the gas in it, blows it along or puts smoke into it, while it is enabled.
struct GasSource {
  std::string name;
  Shape shape;
  Motion motion;
  std::optional<Animated<double>> temperature{};  ///< held [K]; absent: left alone
  std::optional<Animated<Vec3d>> velocity{};      ///< held [m/s]
  Animated<double> power{0.0};                    ///< heat it gives [W]; in 2D for a metre of depth
  std::optional<Animated<double>> smoke{};        ///< held, amount of it
  Animated<bool> enabled{true};
  std::optional<Animated<double>> fuel{};  ///< held, amount of what can burn
};

/// The same everywhere.
struct UniformForce {
  Animated<Vec3d> acceleration;  ///< [m/s^2]
};
/// Away from a centre; towards it when the strength is negative. See Falloff in force_kernels.h.
struct PointForce {
  Vec3d center{};             ///< [m]
  Animated<double> strength;  ///< [m/s^2], at the radius, where it is largest
  double radius = 0.1;        ///< [m]
  double power = 2;           ///< falls as 1 / r^power far away
};
/// Round an axis, and towards it.
struct VortexForce {
  Vec3d center{};             ///< a point on the axis [m]
  std::optional<Vec3d> axis;  ///< its direction, of any length; absent: along z
  Animated<double> swirl;     ///< [m/s^2], at the radius, where it is largest
  Animated<double> pull;      ///< [m/s^2], at the radius
  double radius = 0.1;        ///< of the core [m]
};
/// Slows the fluid down, or takes it along with a wind.
struct DragForce {
  Animated<double> rate;  ///< [1/s]
  Animated<Vec3d> wind;   ///< [m/s]
};
/// Random swirls without divergence. See NoiseOptions in noise.h.
struct TurbulenceForce {
  Animated<double> strength;  ///< root mean square [m/s^2]
  double scale = 0.1;         ///< [m]
  int octaves = 3;
  double roughness = 0.5;
  double rate = 1;  ///< [1/s]: how often it becomes another
};

/// Something that pushes the fluid besides gravity, within a shape.
struct ForceField {
  using Kind = std::variant<UniformForce, PointForce, VortexForce, DragForce, TurbulenceForce>;
  std::string name;
  Kind kind;
  std::optional<Shape> shape;  ///< absent: everywhere
  Motion motion;               ///< of the shape, the centre and the axis
  Animated<bool> enabled{true};
};

/// What belongs to the simulation and not to one material: where things happen and what is in the way.
struct Setting {
  Domain domain;
  Vec3d gravity;
  std::vector<Obstacle> obstacles;
  std::vector<Fill> fills;
  std::vector<Source> sources;
  std::vector<Inflow> inflows;
  std::vector<GasFill> gas_fills;
  std::vector<GasSource> gas_sources;
  std::vector<Emitter> emitters;  ///< of particles, where `sources` hold a grid's values
  std::vector<Sink> sinks;
  std::vector<ForceField> forces;
  std::uint64_t seed = 0;                ///< of everything random
  Vec3d smoke_colour{0.93, 0.94, 0.96};  ///< of smoke of which nothing else says, linear RGB
  std::vector<Wall> walls;               ///< a side that none of them names lets fluid slide along it
};

/// Whether it (an obstacle, a source) is where it is for good, in one form.
template <class Thing>
bool still(const Thing& thing) {
  return thing.motion.still() && !thing.shape.deforms();
}
inline bool all_still(const std::vector<Obstacle>& obstacles) {
  return std::all_of(obstacles.begin(), obstacles.end(), [](const Obstacle& o) { return still(o); });
}
/// The solid as it is at `time`.
PlacedShape place(const Obstacle& obstacle, double time);
std::vector<PlacedShape> place(const std::vector<Obstacle>& obstacles, double time);
/// The fastest that any part of it within the domain moves [m/s].
double fastest_part(const Obstacle& obstacle, const Domain& domain, double time);

inline SideWalls walls_at(const Setting& setting, double time) {
  SideWalls out;
  for (const Wall& wall : setting.walls) out[wall.axis][wall.end] = {wall.no_slip, wall.velocity(time)};
  return out;
}

/// Coefficient of friction of each side, [axis][end]: `usual` where no wall speaks of it.
std::array<std::array<double, 2>, 3> side_friction(const Setting& setting, double usual);

}  // namespace silt
