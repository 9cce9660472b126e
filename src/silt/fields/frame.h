#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "silt/fields/domain.h"
#include "silt/geometry/motion.h"

namespace silt {

/// Named values on a box of cells, x fastest. Plain data on the host, in SI units. What fills only parts of the domain
/// may come in several boxes: volumes of the same material, name, kind and background whose boxes have no cell in
/// common.
struct Volume {
  enum class Kind {
    fog,        ///< an amount: zero outside
    level_set,  ///< signed distance [m], negative inside
    vector,     ///< three components a cell, at the cell's centre
  };

  std::string material;  ///< "smoke": which file of the cache it goes to
  std::string name;      ///< "density"
  Kind kind = Kind::fog;
  std::string unit;  ///< "K", "m/s"; for labels
  Box cells;
  float background = 0;  ///< the value outside `cells`
  std::vector<float> values;

  int components() const { return kind == Kind::vector ? 3 : 1; }
  std::size_t index(Cell c) const {
    const Int3 n = cells.size(), d = c - cells.lo;
    return ((std::size_t(d.z) * n.y + d.y) * n.x + d.x) * components();
  }
  float at(Cell c, int component = 0) const { return cells.contains(c) ? values[index(c) + component] : background; }
};

/// A number known of each piece or corner, by name: "wetness", "temperature".
struct Attribute {
  std::string name;
  std::string unit;
  std::vector<float> values;
};

/// Pieces of material: what is known of each, in the same order everywhere. A list that nobody filled is empty.
struct Points {
  std::string material;           ///< "water": which file of the cache they go to
  std::vector<Vec3d> positions;   ///< [m]; double, so that far from the origin they are as exact as cell + offset is
  std::vector<Vec3f> velocities;  ///< [m/s]
  std::vector<std::uint64_t> id;  ///< the same piece has the same id in every frame
  std::vector<float> age;         ///< since it was born [s]
  std::vector<std::uint32_t> source;
  std::vector<std::uint32_t> colour;  ///< 0xRRGGBB, linear; see no_colour in particles.h
  float radius = 0;                   ///< of each, as a ball [m]
  std::vector<Attribute> attributes;

  std::size_t count() const { return positions.size(); }
};

/// A surface of triangles. A list that nobody filled is empty.
struct Mesh {
  std::string material;               ///< "water": which file of the cache it goes to
  std::string name;                   ///< "surface"
  std::vector<Vec3f> positions;       ///< of the corners [m]
  std::vector<Vec3f> normals;         ///< out of the material, of length 1; without them its triangles are flat
  std::vector<Vec3f> velocities;      ///< [m/s]
  std::vector<Int3> triangles;        ///< their corners, anticlockwise as seen from outside
  std::vector<std::uint32_t> colour;  ///< of the corners: 0xRRGGBB, linear
  std::vector<Attribute> attributes;
};

/// Something solid: an obstacle, or a body that the flow moves.
struct Body {
  std::string name;
  Pose pose;                          ///< from where its shape was made to where it is, and how it moves
  std::shared_ptr<const Mesh> shape;  ///< as it was made; velocities are those of its deforming
};

/// What a viewer needs of one instant, detached from the simulation that made it. Surfaces and pictures are made from
/// frames, so they can be redone without simulating.
struct Frame {
  int number = 1;   ///< frame 1 is t = 0
  double time = 0;  ///< [s]
  Domain domain;
  std::vector<Volume> volumes;
  std::vector<Points> points;
  std::vector<Mesh> meshes;
  std::vector<Body> bodies;

  /// Its first box, if it has several.
  const Volume* find(std::string_view name) const {
    for (const Volume& v : volumes)
      if (v.name == name) return &v;
    return nullptr;
  }
};

}  // namespace silt
