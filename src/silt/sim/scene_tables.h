#pragma once

/// What the blocks of a scene file say, as written; the other blocks' tables are in the rooms they belong to.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "silt/fields/domain.h"
#include "silt/geometry/motion.h"
#include "silt/geometry/shape.h"
#include "silt/scene.h"
#include "silt/scene/table.h"
#include "silt/sim/shape_tables.h"

namespace silt {

/// The scene format that this silt reads.
inline constexpr int scene_format = 1;

/// What stands outside of every block.
struct HeadParams {
  int silt = scene_format;
};

struct SidesParams {
  std::optional<Side> x_min, x_max, y_min, y_max, z_min, z_max;

  std::optional<Side>& at(int axis, int end);
  const std::optional<Side>& at(int axis, int end) const;
};

struct DomainParams {
  Vec3d size{1, 1, 1};
  std::optional<double> cell_size;
  std::optional<int> resolution;
  Vec3d origin{};
  SidesParams sides;
  std::optional<Vec3d> gravity;  ///< absent: 9.81 downwards
};

struct MotionParams {
  Animated<Vec3d> position;
  std::optional<Vec3d> pivot;  ///< absent: the middle of the shape
  Animated<Vec3d> rotation;
  Animated<double> spin;
  Vec3d spin_axis{0, 0, 1};
};
/// The motion they describe, of a shape with these bounds (nullptr: of something without a shape).
Motion make_motion(const MotionParams& params, const Shape::Bounds* bounds);

/// What fluid does along a surface.
enum class Slip { free, none };

struct ObstacleParams {
  std::string shape;
  std::optional<Slip> slip;         ///< absent: free for a fluid; friction for sand
  std::optional<double> friction;   ///< of sand; absent: sand.wall_friction
  std::optional<LiquidWalls> pull;  ///< of water; absent: water.walls
  std::optional<double> suction;    ///< of water [Pa]; absent: water.suction
  MotionParams motion;
};
inline bool sticks(const ObstacleParams& obstacle) {
  return obstacle.slip == Slip::none;
}
struct SourceParams {
  std::string shape, material;
  Animated<double> density = 1.0;
  std::optional<Animated<double>> temperature;  ///< absent: ambient
  std::optional<Animated<Vec3d>> velocity;
  Animated<bool> enabled = true;
  std::optional<Animated<Vec3d>> colour;  ///< absent: as [look] says
  Animated<double> fuel = 0.0;
  std::optional<Animated<double>> rate;  ///< of particles; absent: a full jet of the velocity
  std::optional<std::string> grains;     ///< absent: those of [sand]
  Animated<double> power = 0.0;
  std::optional<Animated<double>> smoke;  ///< of gas; absent: left alone
  MotionParams motion;
};
struct SinkParams {
  std::string shape;
  Animated<bool> enabled = true;
  MotionParams motion;
};

enum class SideName { x_min, x_max, y_min, y_max, z_min, z_max };  ///< axis * 2 + end
const std::string& to_text(SideName side);

struct InflowParams {
  SideName side = SideName::x_min;
  std::optional<std::string> shape;
  Animated<Vec3d> velocity;
  Animated<double> density = 0.0;
  std::optional<Animated<double>> temperature;  ///< absent: ambient
  std::optional<Animated<double>> pressure;     ///< of gas; absent: ambient
  Animated<bool> enabled = true;
  std::optional<Animated<Vec3d>> colour;  ///< absent: as [look] says
  Animated<double> fuel = 0.0;
};

struct FillParams {
  std::optional<std::string> shape;
  std::string material;
  double blur = 0;
  double density = 1;
  std::optional<double> temperature;  ///< absent: ambient
  std::optional<Vec3d> velocity;
  std::optional<Vortices> vortices;
  std::optional<Vec3d> colour;  ///< absent: as [look] says
  double fuel = 0;
  std::optional<std::string> grains;  ///< absent: those of [sand]
  double time = 0;                    ///< of gas, as those that follow
  std::optional<double> pressure, gas_density;
  double smoke = 0;
};

/// One of the kinds is given; their structs are those of the setting.
struct ForceParams {
  std::optional<std::string> shape;
  std::optional<UniformForce> uniform;
  std::optional<PointForce> point;
  std::optional<VortexForce> vortex;
  std::optional<DragForce> drag;
  std::optional<TurbulenceForce> turbulence;
  Animated<bool> enabled = true;
  MotionParams motion;
};

struct WallParams {
  SideName side = SideName::x_min;
  std::optional<Slip> slip;         ///< absent: none for a fluid; friction for sand
  std::optional<double> friction;   ///< of sand; absent: sand.wall_friction
  std::optional<LiquidWalls> pull;  ///< of water; absent: water.walls
  std::optional<double> suction;    ///< of water [Pa]; absent: water.suction
  Animated<Vec3d> velocity;

  /// What fluid does along it where it does not say: a block that tells only how it holds leaves it sliding.
  Slip usual_slip() const { return pull || suction ? Slip::free : Slip::none; }
};

/// The parameter `grains` of what can be of sand.
template <class S>
Parameter<S> grains(std::optional<std::string> S::*member) {
  return text("grains", member,
              {.refers_to = "grains", .help = "the kind of sand; that of [sand] when not given", .only_for = {"sand"}});
}

inline bool sticks(const WallParams& wall) {
  return wall.slip.value_or(wall.usual_slip()) == Slip::none;
}

const Table<HeadParams>& head_table();
const Table<RunParams>& run_table();
const Table<DomainParams>& domain_table();
const Table<MotionParams>& motion_table();  ///< the group `motion` of what can move
const Table<ObstacleParams>& obstacle_table();
const Table<SourceParams>& source_table();
const Table<SinkParams>& sink_table();
const Table<InflowParams>& inflow_table();
const Table<FillParams>& fill_table();
const Table<ForceParams>& force_table();
const Table<WallParams>& wall_table();
const Table<OutputParams>& output_table();
const Table<SurfaceParams>& surface_table();

}  // namespace silt
