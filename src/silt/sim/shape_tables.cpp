#include "silt/sim/shape_tables.h"

namespace silt {
namespace {

constexpr double far_away = 1e6;  // [m]; nothing of a scene lies beyond

VectorOptions place(std::string help, bool required = true) {
  return {.unit = "m", .min = -far_away, .max = far_away, .help = std::move(help), .required = required};
}
NumberOptions radius(std::string help) {
  return {.unit = "m", .above = 0, .max = far_away, .help = std::move(help), .required = true};
}
VectorOptions direction(std::string help, bool required) {
  return {.min = -far_away, .max = far_away, .help = std::move(help), .required = required};
}

const Table<BoxParams>& box_table() {
  using P = BoxParams;
  static const Table<P> table{
      "box",
      "A box along the axes.",
      {vec("min", &P::min, place("lowest corner; goes with max", false)),
       vec("max", &P::max, place("highest corner; goes with min", false)),
       vec("center", &P::center, place("its middle, the origin when not given; goes with size", false)),
       vec("size", &P::size, {.unit = "m", .above = 0, .max = far_away, .help = "its extent; goes with center"})}};
  return table;
}

const Table<SphereParams>& sphere_table() {
  using P = SphereParams;
  static const Table<P> table{"sphere",
                              "A ball; in 2D a disc.",
                              {vec("center", &P::center, place("its middle")),
                               number("radius", &P::radius, radius("from its middle to its surface"))}};
  return table;
}

const Table<RodParams>& cylinder_table() {
  using P = RodParams;
  static const Table<P> table{
      "cylinder",
      "A cylinder; in 2D a rectangle.",
      {vec("from", &P::from, place("the middle of one end")), vec("to", &P::to, place("the middle of the other end")),
       number("radius", &P::radius, radius("from its axis to its surface"))}};
  return table;
}

const Table<RodParams>& capsule_table() {
  using P = RodParams;
  static const Table<P> table{"capsule",
                              "A cylinder with round ends.",
                              {vec("from", &P::from, place("the middle of one round end")),
                               vec("to", &P::to, place("the middle of the other one")),
                               number("radius", &P::radius, radius("from its axis to its surface"))}};
  return table;
}

const Table<ConeParams>& cone_table() {
  using P = ConeParams;
  const auto width = [](std::string help, bool required) {
    return NumberOptions{.unit = "m", .min = 0, .max = far_away, .help = std::move(help), .required = required};
  };
  static const Table<P> table{
      "cone",
      "A cone, pointed or cut off.",
      {vec("from", &P::from, place("the middle of its foot")), vec("to", &P::to, place("the middle of its end")),
       number("radius", &P::radius, width("of its foot", true)),
       number("end_radius", &P::end_radius, width("of its end; 0 is a point", false))}};
  return table;
}

const Table<PlaneParams>& plane_table() {
  using P = PlaneParams;
  static const Table<P> table{"plane",
                              "All that lies behind a plane.",
                              {vec("point", &P::point, place("any point of the plane")),
                               vec("normal", &P::normal, direction("out of the shape, of any length", true))}};
  return table;
}

const Table<TorusParams>& torus_table() {
  using P = TorusParams;
  VectorOptions axis = direction("what the ring lies round, of any length; three numbers always", false);
  axis.in_space = true;
  static const Table<P> table{"torus",
                              "A ring.",
                              {vec("center", &P::center, place("its middle")), vec("axis", &P::axis, axis),
                               number("radius", &P::radius, radius("from its middle to the middle of the tube")),
                               number("tube", &P::tube, radius("of the tube; at most that of the ring"))}};
  return table;
}

const Table<HeightFieldParams>& height_field_table() {
  using P = HeightFieldParams;
  static const Table<P> table{
      "height_field",
      "Ground whose heights are a picture.",
      {file("file", &P::file,
            {.help = "a PNG of 8 or 16 bits, seen from above with y upwards; in 2D its middle row counts",
             .required = true}),
       vec("min", &P::min, place("where its lowest corner is: black lies at this height")),
       vec("max", &P::max, place("where its highest corner is: white lies at this height")),
       number("depth", &P::depth,
              {.unit = "m",
               .above = 0,
               .max = far_away,
               .help = "of the ground below black; when not given, a tenth of its width"})}};
  return table;
}

const Table<SequenceParams>& sequence_table() {
  using P = SequenceParams;
  static const Table<P> table{
      "sequence",
      "When the files of a mesh that moves come.",
      {number("fps", &P::fps,
              {.unit = "1/s", .above = 0, .max = 1e6, .help = "files a second; when not given, that of the run"}),
       number("start", &P::start, {.unit = "s", .min = -1e6, .max = 1e6, .help = "when the first file is"}),
       boolean("loop", &P::loop, {.help = "after the last comes the first again; else the last one holds"})}};
  return table;
}

}  // namespace

const std::vector<std::string>* ShapeParams::parts() const {
  return unite ? &*unite : intersection ? &*intersection : difference ? &*difference : nullptr;
}

const ScenePath* ShapeParams::file() const {
  return height_field ? &height_field->file : mesh.empty() ? nullptr : &mesh;
}
ScenePath* ShapeParams::file() {
  return const_cast<ScenePath*>(std::as_const(*this).file());
}

const Table<ShapeParams>& shape_table() {
  using P = ShapeParams;
  static const Table<P> table{
      "shape.NAME",
      "A region of space, for others to name. It is one of these, and may then be made larger, turned and moved.",
      {
          group("box", &P::box, box_table(), {.help = "a box along the axes"}),
          group("sphere", &P::sphere, sphere_table(), {.help = "a ball; in 2D a disc"}),
          group("cylinder", &P::cylinder, cylinder_table(), {.help = "a cylinder; in 2D a rectangle"}),
          group("capsule", &P::capsule, capsule_table(), {.help = "a cylinder with round ends"}),
          group("cone", &P::cone, cone_table(), {.help = "a cone, pointed or cut off"}),
          group("plane", &P::plane, plane_table(), {.help = "all that lies behind a plane"}),
          group("torus", &P::torus, torus_table(), {.help = "a ring"}),
          group("height_field", &P::height_field, height_field_table(), {.help = "ground whose heights are a picture"}),
          file("mesh", &P::mesh,
               {.help = "an .obj, .stl or .ply file of triangles or polygons in metres; foot.####.obj is a mesh that "
                        "moves, a file an instant; in 2D, where it cuts z = 0"}),
          text("copy", &P::copy, {.refers_to = "shape", .help = "another shape"}),
          texts("union", &P::unite, {.refers_to = "shape", .help = "all of these shapes together"}),
          texts("intersection", &P::intersection, {.refers_to = "shape", .help = "what these shapes have in common"}),
          texts("difference", &P::difference, {.refers_to = "shape", .help = "the first shape without the others"}),
          number("thickness", &P::thickness,
                 {.unit = "m",
                  .above = 0,
                  .max = far_away,
                  .help = "of a mesh that is a sheet, not a solid; without it, a mesh must be closed but for small "
                          "holes"}),
          group("sequence", &P::sequence, sequence_table(), {.help = "when the files of a mesh that moves come"}),
          number(
              "scale", &P::scale,
              {.above = 0, .max = far_away, .help = "how many times as large, about the origin; before it is turned"}),
          vec("rotate", &P::rotate,
              {.unit = "degrees",
               .min = -1e6,
               .max = 1e6,
               .help =
                   "turned about x, then y, then z through the origin, before it is moved; three numbers always, in "
                   "2D only the third",
               .in_space = true}),
          vec("move", &P::move, place("how far it is moved, after all else", false)),
          text("digest", &P::digest,
               {.help = "of what its files held when the scene ran; silt writes it, and refuses other files"}),
      },
      {{{"box", "sphere", "cylinder", "capsule", "cone", "plane", "torus", "height_field", "mesh", "copy", "union",
         "intersection", "difference"},
        true}}};
  return table;
}

}  // namespace silt
