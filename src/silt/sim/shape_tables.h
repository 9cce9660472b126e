#pragma once

/// What a [shape.NAME] block says, as written.

#include <optional>
#include <string>
#include <vector>

#include "silt/scene/table.h"

namespace silt {

struct BoxParams {
  std::optional<Vec3d> min, max, center, size;
};
struct SphereParams {
  Vec3d center{};
  double radius = 0;
};
/// Of a cylinder and of a capsule.
struct RodParams {
  Vec3d from{}, to{};
  double radius = 0;
};
struct ConeParams {
  Vec3d from{}, to{};
  double radius = 0, end_radius = 0;
};
struct PlaneParams {
  Vec3d point{}, normal{};
};
struct TorusParams {
  Vec3d center{}, axis{0, 0, 1};
  double radius = 0, tube = 0;
};
struct HeightFieldParams {
  ScenePath file;
  Vec3d min{}, max{};
  std::optional<double> depth;  ///< absent: a tenth of its width
};
struct SequenceParams {
  std::optional<double> fps;  ///< absent: that of the run
  double start = 0;
  bool loop = false;
};

struct ShapeParams {
  std::optional<BoxParams> box;
  std::optional<SphereParams> sphere;
  std::optional<RodParams> cylinder, capsule;
  std::optional<ConeParams> cone;
  std::optional<PlaneParams> plane;
  std::optional<TorusParams> torus;
  std::optional<HeightFieldParams> height_field;
  ScenePath mesh;
  std::optional<double> thickness;
  std::optional<SequenceParams> sequence;
  std::optional<std::string> copy;
  std::optional<std::vector<std::string>> unite, intersection, difference;
  double scale = 1;
  Vec3d rotate{}, move{};
  std::optional<std::string> digest;

  /// The names it is made of; nullptr for a primitive.
  const std::vector<std::string>* parts() const;
  /// The file it comes from; nullptr when there is none.
  const ScenePath* file() const;
  ScenePath* file();
};

const Table<ShapeParams>& shape_table();

}  // namespace silt
