#pragma once

#include <optional>
#include <string>
#include <vector>

#include "silt/fields/domain.h"
#include "silt/geometry/keyframes.h"
#include "silt/geometry/shape.h"

namespace silt {

/// A solid of given motion: the shape, carried along by `position` [m].
struct Obstacle {
  std::string name;
  Shape shape;
  Animated<Vec3d> position;
};

/// A region that holds the fluid in it at given values while it is enabled. Shapes and numbers in SI units.
struct Source {
  std::string name;
  Shape shape;
  Animated<Vec3d> position;                 ///< displacement of the shape [m]
  Animated<double> density;                 ///< amount of smoke
  Animated<double> temperature;             ///< [K], absolute
  std::optional<Animated<Vec3d>> velocity;  ///< [m/s]; absent: the flow is left alone
  Animated<bool> enabled{true};
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
};

/// What belongs to the simulation and not to one material: where things happen and what is in the way.
struct Setting {
  Domain domain;
  Vec3d gravity;
  std::vector<Obstacle> obstacles;
  std::vector<Source> sources;
  std::vector<Inflow> inflows;
};

}  // namespace silt
