#include "silt/sim/scene_tables.h"

namespace silt {
namespace {

constexpr double far_away = 1e6;  // [m]
constexpr double fast = 1e4;      // [m/s]
constexpr double strong = 1e5;    // [m/s^2]

NumberOptions acceleration(std::string help, bool required) {
  return {.unit = "m/s^2", .min = -strong, .max = strong, .help = std::move(help), .required = required};
}
NumberOptions radius(std::string help) {
  return {.unit = "m", .above = 0, .max = far_away, .help = std::move(help)};
}
VectorOptions center(std::string help) {
  return {.unit = "m", .min = -far_away, .max = far_away, .help = std::move(help), .required = true};
}

const Table<UniformForce>& uniform_table() {
  using P = UniformForce;
  static const Table<P> table{
      "uniform",
      "The same acceleration everywhere.",
      {vec("acceleration", &P::acceleration,
           {.unit = "m/s^2", .min = -strong, .max = strong, .help = "what it gives the fluid", .required = true})}};
  return table;
}

const Table<PointForce>& point_table() {
  using P = PointForce;
  static const Table<P> table{
      "point",
      "Away from a point, or towards it.",
      {vec("center", &P::center, center("the point")),
       number("strength", &P::strength,
              acceleration("at the radius, where it is largest; negative pulls towards the point", true)),
       number("radius", &P::radius, radius("nearer than this it fades to nothing at the point itself")),
       number("power", &P::power,
              {.min = 0.1, .max = 20, .help = "how it fades beyond the radius: as 1 / distance^power"})}};
  return table;
}

const Table<VortexForce>& vortex_table() {
  using P = VortexForce;
  static const Table<P> table{
      "vortex",
      "Round an axis.",
      {vec("center", &P::center, center("a point on the axis")),
       vec("axis", &P::axis,
           {.min = -far_away, .max = far_away, .help = "its direction; z when not given, and always in 2D"}),
       number("swirl", &P::swirl,
              acceleration("at the radius, where it is largest; counter-clockwise seen from the axis' tip", true)),
       number("pull", &P::pull, acceleration("towards the axis, at the radius; negative pushes away", false)),
       number("radius", &P::radius, radius("of the core: both fade within it, and as 1 / distance beyond"))}};
  return table;
}

const Table<DragForce>& drag_table() {
  using P = DragForce;
  static const Table<P> table{
      "drag",
      "Makes the fluid go with a wind, or stand still.",
      {number("rate", &P::rate,
              {.unit = "1/s",
               .min = 0,
               .max = 1e6,
               .help = "how fast the difference from the wind dies away: to 1/e after 1/rate seconds",
               .required = true}),
       vec("wind", &P::wind, {.unit = "m/s", .min = -fast, .max = fast, .help = "what the fluid is taken along to"})}};
  return table;
}

const Table<TurbulenceForce>& turbulence_table() {
  using P = TurbulenceForce;
  static const Table<P> table{
      "turbulence",
      "Random swirls that have no divergence; run.seed chooses which.",
      {number("strength", &P::strength,
              {.unit = "m/s^2", .min = 0, .max = strong, .help = "root mean square", .required = true}),
       number("scale", &P::scale,
              {.unit = "m", .above = 0, .max = far_away, .help = "size of the largest swirls", .required = true}),
       integer("octaves", &P::octaves,
               {.min = 1,
                .max = 8,
                .help = "swirls of half the size on top, so many times; those under two cells are left out"}),
       number("roughness", &P::roughness,
              {.min = 0, .max = 2, .help = "strength of each octave relative to the one before"}),
       number("rate", &P::rate,
              {.unit = "1/s", .min = 0, .max = 1e4, .help = "how often the swirls become others; 0 keeps them"})}};
  return table;
}

}  // namespace

const Table<ForceParams>& force_table() {
  using P = ForceParams;
  static const Table<P> table{
      "force.NAME",
      "Something that pushes the fluid besides gravity. What pushes the same way everywhere, or straight to or from a "
      "point, is balanced by pressure in a closed domain, and moves things only when a shape bounds it.",
      {
          group("uniform", &P::uniform, uniform_table(), {.help = "the same acceleration everywhere"}),
          group("point", &P::point, point_table(), {.help = "away from a point, or towards it"}),
          group("vortex", &P::vortex, vortex_table(), {.help = "round an axis"}),
          group("drag", &P::drag, drag_table(), {.help = "along with a wind, or to a standstill"}),
          group("turbulence", &P::turbulence, turbulence_table(), {.help = "random swirls"}),
          text("shape", &P::shape,
               {.refers_to = "shape",
                .help = "where it acts, fading over a cell at its surface; everywhere when not given"}),
          boolean("enabled", &P::enabled, {.help = "whether it is on"}),
          group("motion", &P::motion, motion_table(), {.help = "how its shape and its center move"}),
      },
      {{{"uniform", "point", "vortex", "drag", "turbulence"}, true}}};
  return table;
}

}  // namespace silt
