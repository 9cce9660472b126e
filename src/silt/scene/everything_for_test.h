#pragma once

#include <optional>
#include <string>
#include <vector>

#include "silt/scene/table.h"

namespace silt::test {

enum class Scheme { linear, maccormack };

struct Motion {
  Animated<Vec3d> position;
  double spin = 0;
  friend bool operator==(const Motion&, const Motion&) = default;
};

struct BoxShape {
  Vec3d min{}, max{1, 1, 1};
  friend bool operator==(const BoxShape&, const BoxShape&) = default;
};

/// A parameter of every type there is.
struct Everything {
  bool on = true;
  int frames = 120;
  std::int64_t seed = 7;
  double viscosity = 0.1;
  double radius = 0.5;
  Vec3d size{1, 2, 3};
  Vec3d gravity{0, 0, -9.81};
  std::string label = "say \"hi\"\n\x01 \\ \xc3\xa9";
  std::string material = "water";
  std::string shape = "ball";
  std::vector<std::string> volumes{"density", "velocity"};
  std::vector<std::string> free_words;
  Scheme scheme = Scheme::maccormack;
  Animated<double> rate = 2.0;
  Animated<Vec3d> velocity;
  Animated<bool> active = true;
  std::optional<double> cell_size;
  std::optional<int> resolution;
  std::optional<Scheme> other_scheme;
  std::optional<Animated<double>> heat;
  std::optional<Vec3d> corner;
  ScenePath mesh;
  Motion motion{.position = Vec3d{0, 0, 1}, .spin = 1};
  std::optional<BoxShape> box;
  friend bool operator==(const Everything&, const Everything&) = default;
};

inline const Table<Motion>& motion_table() {
  static const Table<Motion> table{
      "motion",
      "How it moves.",
      {
          vec("position", &Motion::position, {.unit = "m", .help = "Where its centre is."}),
          number("spin", &Motion::spin, {.unit = "1/s", .min = -100, .max = 100, .help = "Turns a second."}),
      }};
  return table;
}

inline const Table<BoxShape>& box_table() {
  static const Table<BoxShape> table{
      "box",
      "A box.",
      {
          vec("min", &BoxShape::min, {.unit = "m", .help = "Lowest corner."}),
          vec("max", &BoxShape::max, {.unit = "m", .help = "Highest corner.", .required = true}),
      }};
  return table;
}

inline const Table<Everything>& everything_table(const std::string& heading = "thing.NAME") {
  using E = Everything;
  const auto make = [](const std::string& title) {
    return Table<E>{
        title,
        "A parameter of every type.",
        {
            boolean("on", &E::on, {.help = "Whether it is there."}),
            integer("frames", &E::frames, {.min = 1, .help = "How many.", .resumable = true}),
            integer("seed", &E::seed, {.min = 0, .help = "Of random numbers."}),
            number("viscosity", &E::viscosity, {.unit = "m^2/s", .min = 0, .max = 10, .help = "How thick it is."}),
            number("radius", &E::radius, {.unit = "m", .above = 0, .below = 5, .help = "Half its width."}),
            vec("size", &E::size, {.unit = "m", .above = 0, .help = "Along x, y and z.", .required = true}),
            vec("gravity", &E::gravity, {.unit = "m/s^2", .min = {-10, -10, -20}, .max = 50, .help = "Pulls."}),
            text("label", &E::label, {.help = "A name."}),
            text("material", &E::material, {.choices = {{"water", "wet"}, {"sand", "dry"}}, .help = "What it is of."}),
            text("shape", &E::shape, {.refers_to = "shape", .help = "Where it is.", .required = true}),
            texts("volumes", &E::volumes,
                  {.choices = {{"density", ""}, {"velocity", ""}, {"temperature", ""}}, .help = "What to keep."}),
            texts("free_words", &E::free_words, {.help = "Anything."}),
            choice("scheme", &E::scheme,
                   {{"linear", Scheme::linear, "fast | blurs"}, {"maccormack", Scheme::maccormack, "second order"}},
                   {.help = "How it is carried."}),
            number("rate", &E::rate, {.unit = "kg/s", .min = 0, .help = "How much a second."}),
            vec("velocity", &E::velocity, {.unit = "m/s", .max = 100, .help = "How fast."}),
            boolean("active", &E::active, {.help = "When it works."}),
            number("cell_size", &E::cell_size, {.unit = "m", .above = 0, .help = "Edge of a cell."}),
            integer("resolution", &E::resolution, {.min = 1, .max = 4096, .help = "Cells along the longest side."}),
            choice("other_scheme", &E::other_scheme, {{"linear", Scheme::linear, ""}}, {.help = "Another."}),
            number("heat", &E::heat, {.unit = "K", .help = "Warmth."}),
            vec("corner", &E::corner, {.unit = "m", .help = "A place."}),
            file("mesh", &E::mesh, {.help = "Triangles."}),
            group("motion", &E::motion, motion_table(), {.help = "How it moves."}),
            group("box", &E::box, box_table(), {.help = "A box."}),
        },
        {{{"cell_size", "resolution"}, false}}};
  };
  static const Table<E> named = make("thing.NAME"), single = make("thing");
  return heading == "thing" ? single : named;
}

/// A scene that has all of it.
inline const std::string everything_scene = R"(silt = 1

[shape.ball]
sphere = 1

[thing.one]
on = false
frames = 10
viscosity = 0.5
size = [1, 2.5, 3]
shape = "ball"
volumes = ["density"]
scheme = "linear"
rate = { keys = [[0, 1], [0.5, 2.5]], between = "smooth" }
velocity = { keys = [[0, [0, 0, 0]], [1, [1, 0, 0]]] }
active = { keys = [[0, true], [2, false]] }
cell_size = 0.01
mesh = "post.obj"
motion = { position = [1, 2, 3], spin = 4 }
box = { max = [2, 2, 2] }
)";

}  // namespace silt::test
