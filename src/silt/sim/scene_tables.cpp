#include "silt/sim/scene_tables.h"

#include "silt/physics/gas/params.h"
#include "silt/physics/sand/params.h"
#include "silt/physics/smoke/params.h"
#include "silt/render/tables.h"
#include "silt/sim/volumes.h"

namespace silt {
namespace {

constexpr double far_away = 1e6;  // [m]; nothing of a scene lies beyond
constexpr double fast = 1e4;      // [m/s]

VectorOptions position(std::string help) {
  return {.unit = "m", .min = -far_away, .max = far_away, .help = std::move(help)};
}

/// The words are explained once, at the first side.
Parameter<SidesParams> side(const std::string& name, std::optional<Side> SidesParams::*member) {
  const bool explain = name == "x_min";
  return choice(name, member,
                {{"wall", Side::wall, explain ? "nothing passes; fluid slides along it" : ""},
                 {"open", Side::open,
                  explain ? "fluid leaves, and comes in from outside, as it likes; water and sand are followed as far "
                            "as their reach says"
                          : ""},
                 {"periodic", Side::periodic, explain ? "what leaves here comes in at the opposite side" : ""}},
                {.help = "\"wall\" when not given"});
}

const Table<SidesParams>& sides_table() {
  using P = SidesParams;
  static const Table<P> table{"sides",
                              "What lies beyond each side.",
                              {side("x_min", &P::x_min), side("x_max", &P::x_max), side("y_min", &P::y_min),
                               side("y_max", &P::y_max), side("z_min", &P::z_min), side("z_max", &P::z_max)}};
  return table;
}

NumberOptions temperature() {
  return {.unit = "K",
          .above = 0,
          .max = 1e5,
          .help = "when not given, that of the air around; a source of gas leaves it alone then",
          .only_for = {"smoke", "gas"}};
}

VectorOptions colour_options() {
  return {.min = 0,
          .max = 1,
          .help = "linear red, green and blue; when not given, what [look] says",
          .only_for = {"smoke", "water", "sand"}};
}

NumberOptions fuel() {
  return {.min = 0,
          .max = 1e4,
          .help = "amount of fuel in it, which burns where it is hot: see [smoke] and [gas]",
          .only_for = {"smoke", "gas"}};
}

NumberOptions density(std::string help, std::vector<std::string> only_for = {"smoke"}) {
  return {.min = 0, .max = 1e4, .help = std::move(help), .only_for = std::move(only_for)};
}

}  // namespace

const Table<MotionParams>& motion_table() {
  static const Table<MotionParams> table{
      "motion",
      "How the shape moves.",
      {
          vec("position", &MotionParams::position, position("how far the shape is from where it was made")),
          vec("pivot", &MotionParams::pivot,
              position("the point it turns about, where the shape was made; when not given, the shape's middle")),
          vec("rotation", &MotionParams::rotation,
              {.unit = "degrees",
               .min = -1e6,
               .max = 1e6,
               .help = "turned about x, then y, then z; three numbers always, in 2D only the third",
               .in_space = true}),
          number("spin", &MotionParams::spin,
                 {.unit = "degrees/s",
                  .min = -1e6,
                  .max = 1e6,
                  .help = "how fast it turns about spin_axis, from t = 0 on and before rotation applies"}),
          vec("spin_axis", &MotionParams::spin_axis,
              {.min = -1e6,
               .max = 1e6,
               .help = "the axis through the pivot that it spins about, any length; three numbers always",
               .in_space = true}),
      }};
  return table;
}

Motion make_motion(const MotionParams& params, const Shape::Bounds* bounds) {
  constexpr double endless = 1e20;  // [m]: a plane has no middle
  Motion out{params.position, {}, params.rotation, params.spin, params.spin_axis};
  for (int axis = 0; axis < 3; ++axis) {
    const bool middle = bounds && bounds->lowest[axis] > -endless && bounds->highest[axis] < endless;
    out.pivot[axis] = middle ? 0.5 * (bounds->lowest[axis] + bounds->highest[axis]) : 0;
  }
  if (params.pivot) out.pivot = *params.pivot;
  return out;
}

std::optional<Side>& SidesParams::at(int axis, int end) {
  std::optional<Side>* const all[] = {&x_min, &x_max, &y_min, &y_max, &z_min, &z_max};
  return *all[2 * axis + end];
}
const std::optional<Side>& SidesParams::at(int axis, int end) const {
  return const_cast<SidesParams*>(this)->at(axis, end);
}

const std::string& to_text(SideName side) {
  static const std::array<std::string, 6> names{"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
  return names[std::size_t(side)];
}

const Table<HeadParams>& head_table() {
  static const Table<HeadParams> table{
      "",
      "",
      {integer("silt", &HeadParams::silt,
               {.min = 1, .help = "version of the scene format: write silt = 1 at the top", .required = true})}};
  return table;
}

const Table<RunParams>& run_table() {
  using P = RunParams;
  static const Table<P> table{
      "run",
      "How long it runs.",
      {
          integer("frames", &P::frames,
                  {.min = 1, .max = 1000000, .help = "how many; frame 1 is t = 0", .resumable = true}),
          number("fps", &P::fps, {.unit = "1/s", .above = 0, .max = 1e6, .help = "frames a second of simulated time"}),
          integer("max_substeps", &P::max_substeps,
                  {.min = 1,
                   .max = 1000000,
                   .help = "steps within a frame; when it would take more, the run stops",
                   .resumable = true}),
          number("checkpoint_minutes", &P::checkpoint_minutes,
                 {.unit = "min",
                  .min = 0,
                  .max = 1e6,
                  .help = "wall time between checkpoints; 0 makes one every frame",
                  .resumable = true}),
          integer("seed", &P::seed, {.min = 0, .help = "of random numbers"}),
      }};
  return table;
}

const Table<DomainParams>& domain_table() {
  using P = DomainParams;
  static const Table<P> table{
      "domain",
      "Where it happens. Three numbers of size make a 3D scene with z up, two a 2D scene with y up, one a 1D scene; "
      "all "
      "other vectors have as many.",
      {
          vec("size", &P::size,
              {.unit = "m",
               .above = 0,
               .max = far_away,
               .help = "along x, y and z; along x and y in 2D",
               .required = true}),
          number("cell_size", &P::cell_size, {.unit = "m", .above = 0, .max = far_away, .help = "edge of a cell"}),
          integer("resolution", &P::resolution, {.min = 1, .max = 100000, .help = "cells along the longest side"}),
          vec("origin", &P::origin, position("its lowest corner")),
          group("sides", &P::sides, sides_table(), {.help = "what lies beyond each side: walls unless given"}),
          vec("gravity", &P::gravity,
              {.unit = "m/s^2",
               .min = -1e4,
               .max = 1e4,
               .help = "when not given: 9.81 downwards, along -z in 3D and -y in 2D; none in 1D"}),
      },
      {{{"cell_size", "resolution"}, true}}};
  return table;
}

namespace {

template <class S>
Parameter<S> slip(std::optional<Slip> S::*member, const std::string& usual) {
  return choice(
      "slip", member,
      {{"free", Slip::free, "it slides along"},
       {"none", Slip::none,
        "it sticks; felt further away the more viscous a fluid is, and by water in a layer thinner than cells"}},
      {.help = "what a fluid or sand does along its surface; when not given, " + usual + ", and friction for sand"});
}

template <class S>
Parameter<S> pull(std::optional<LiquidWalls> S::*member) {
  return choice(
      "pull", member,
      {{"let_go", LiquidWalls::let_go, "water comes off it"}, {"hold", LiquidWalls::hold, "water never comes off it"}},
      {.help = "what it does when water pulls at it; when not given, water.walls", .only_for = {"water"}});
}

template <class S>
Parameter<S> suction(std::optional<double> S::*member) {
  return number("suction", member,
                {.unit = "Pa",
                 .min = 0,
                 .max = 1e9,
                 .help = "how hard water must pull before this lets go; when not given, water.suction",
                 .only_for = {"water"}});
}

template <class S>
Parameter<S> friction(std::optional<double> S::*member) {
  return number("friction", member,
                {.min = 0,
                 .max = 100,
                 .help = "coefficient of friction, the tangent of an angle; when not given, sand.wall_friction",
                 .only_for = {"sand"}});
}

/// Each says all there is to say.
std::vector<ExclusiveRule> slip_or_friction() {
  return {{{"slip", "friction"}, false}};
}

template <class S>
Parameter<S> side(SideName S::*member, const std::string& help) {
  using enum SideName;
  return choice("side", member,
                {{"x_min", x_min, ""},
                 {"x_max", x_max, ""},
                 {"y_min", y_min, ""},
                 {"y_max", y_max, ""},
                 {"z_min", z_min, ""},
                 {"z_max", z_max, ""}},
                {.help = help, .required = true});
}

}  // namespace

const Table<ObstacleParams>& obstacle_table() {
  using P = ObstacleParams;
  static const Table<P> table{
      "obstacle.NAME",
      "Something solid in the way. It may move, and nothing moves it.",
      {
          text("shape", &P::shape, {.refers_to = "shape", .help = "where it is", .required = true}),
          slip(&P::slip, "\"free\" for fluids"),
          friction(&P::friction),
          pull(&P::pull),
          suction(&P::suction),
          group("motion", &P::motion, motion_table(), {.help = "how it moves"}),
      },
      slip_or_friction()};
  return table;
}

const Table<WallParams>& wall_table() {
  using P = WallParams;
  static const Table<P> table{
      "wall.NAME",
      "One side of the domain, a wall that fluid sticks to or that moves in its own plane like a belt, or that holds "
      "water. Fluid slides along walls that no [wall.NAME] speaks of, and sand rubs on them.",
      {
          side(&P::side, "the side of the domain"),
          slip(&P::slip, "\"none\" for fluids (\"free\" where only pull or suction is given)"),
          friction(&P::friction),
          pull(&P::pull),
          suction(&P::suction),
          vec("velocity", &P::velocity,
              {.unit = "m/s",
               .min = -fast,
               .max = fast,
               .help = "of the wall, along itself; drags what sticks to it or rubs on it"}),
      },
      slip_or_friction()};
  return table;
}

const Table<SourceParams>& source_table() {
  using P = SourceParams;
  static const Table<P> table{
      "source.NAME",
      "Where a material comes from. One of smoke keeps what is in it at given values; where such sources overlap they "
      "apply in the order of their names, and the last one counts. One of gas holds or heats what is in it. One of "
      "water or sand fills its shape when it is "
      "switched on, and then makes up for whatever its velocity carries away: a full jet. With a rate it gives so much "
      "instead. What obstacles cover of its shape gives nothing.",
      {
          text("shape", &P::shape, {.refers_to = "shape", .help = "where it is", .required = true}),
          text("material", &P::material,
               {.help = "what it makes: \"smoke\", \"gas\", \"water\" or \"sand\"", .required = true}),
          number("density", &P::density, density("amount of smoke; 1 is thick")),
          number("temperature", &P::temperature, temperature()),
          vec("velocity", &P::velocity,
              {.unit = "m/s",
               .min = -fast,
               .max = fast,
               .help = "of what is in it; when not given, smoke is left alone, and water and sand are at rest"}),
          number(
              "rate", &P::rate,
              {.unit = "m^3/s",
               .min = 0,
               .max = 1e9,
               .help = "how much it gives, at random places in it; when not given, what its velocity carries away. In "
                       "2D m^2/s",
               .only_for = {"water", "sand"}}),
          number("power", &P::power,
                 {.unit = "W",
                  .min = -1e15,
                  .max = 1e15,
                  .help = "heat it gives to the gas in it, spread evenly; in 2D W/m",
                  .only_for = {"gas"}}),
          number("smoke", &P::smoke,
                 {.min = 0,
                  .max = 1e4,
                  .help = "amount of smoke that is held in it, 1 is thick; when not given, it is left alone",
                  .only_for = {"gas"}}),
          grains(&P::grains),
          colour("colour", &P::colour, colour_options()),
          number("fuel", &P::fuel, fuel()),
          boolean("enabled", &P::enabled, {.help = "whether it is on"}),
          group("motion", &P::motion, motion_table(), {.help = "how it moves"}),
      }};
  return table;
}

const Table<SinkParams>& sink_table() {
  using P = SinkParams;
  static const Table<P> table{
      "sink.NAME",
      "A region that water and sand vanish in.",
      {
          text("shape", &P::shape, {.refers_to = "shape", .help = "where it is", .required = true}),
          boolean("enabled", &P::enabled, {.help = "whether it is on"}),
          group("motion", &P::motion, motion_table(), {.help = "how it moves"}),
      }};
  return table;
}

const Table<InflowParams>& inflow_table() {
  using P = InflowParams;
  static const Table<P> table{
      "inflow.NAME",
      "A hole in a wall of the domain through which air, with smoke in it or not, is blown in. In a scene of smoke it "
      "needs an open side to leave by; gas can be pumped up. Sound that comes to an inflow of gas leaves. Water and "
      "sand come from a [source.NAME].",
      {
          side(&P::side, "the wall it is in"),
          text("shape", &P::shape,
               {.refers_to = "shape", .help = "the part of the wall that lies in it; when not given, the whole wall"}),
          vec("velocity", &P::velocity,
              {.unit = "m/s", .min = -fast, .max = fast, .help = "of the fluid; into the domain", .required = true}),
          number("density", &P::density, density("amount of smoke it carries; 0 is clean air", {"smoke", "gas"})),
          number("temperature", &P::temperature, temperature()),
          number("pressure", &P::pressure,
                 {.unit = "Pa",
                  .above = 0,
                  .max = 1e12,
                  .help = "of gas that comes in faster than sound, absolute; when not given, that of the air around. "
                          "What is slower has the pressure that is there"}),
          colour("colour", &P::colour, colour_options()),
          number("fuel", &P::fuel, fuel()),
          boolean("enabled", &P::enabled, {.help = "whether it is on; when off, it is wall"}),
      }};
  return table;
}

const Table<OutputParams>& output_table() {
  using P = OutputParams;
  static const Table<P> table{
      "output",
      "What is kept.",
      {
          texts("volumes", &P::volumes,
                {.choices = all_volumes(),
                 .help = "the volumes written to the cache; by default these for smoke, \"surface\", \"velocity\" and "
                         "\"solid\" for water, \"packing\", \"velocity\" and \"solid\" for sand"}),
          boolean("points", &P::points, {.help = "write the particles of materials that have them to the cache"}),
          boolean("half", &P::half,
                  {.help = "16-bit numbers for volumes and for velocities of particles: half the disk, three digits"}),
          integer("every", &P::every, {.min = 1, .help = "keep each n-th frame, beginning with the first"}),
          boolean("pictures", &P::pictures, {.help = "draw a picture of each frame", .resumable = true}),
          boolean("film", &P::film, {.help = "make a film of the pictures at the end", .resumable = true}),
          integer("poster", &P::poster,
                  {.min = 1,
                   .max = 1000000,
                   .help = "the frame that stands for the run, in 'silt gallery'; without it, one two thirds through",
                   .resumable = true}),
          boolean(
              "surface", &P::surface,
              {.help = "write the surface of materials that have particles as a mesh, with each frame that is kept; "
                       "'silt surface' does it later, too",
               .resumable = true}),
      }};
  return table;
}

const Table<SurfaceParams>& surface_table() {
  using P = SurfaceParams;
  static const Table<P> table{
      "surface",
      "How meshes of surfaces are made from particles, by `silt surface` and by [output] surface.",
      {
          number("voxel", &P::voxel,
                 {.unit = "cells", .min = 0.02, .max = 8, .help = "the side of a voxel", .resumable = true}),
          number("spacing", &P::spacing,
                 {.unit = "cells",
                  .min = 0.05,
                  .max = 8,
                  .help = "of particles where there is nothing else; silt fills a cell with eight",
                  .resumable = true}),
          choice("kernel", &P::kernel,
                 {{"zhu", P::Kernel::zhu, "by the mean of the particles near a point: smooth, and right in volume"},
                  {"anisotropic", P::Kernel::anisotropic,
                   "a flattened blob for each particle: thin sheets hold together"}},
                 {.help = "what a particle adds to the surface", .resumable = true}),
          integer("smooth", &P::smooth,
                  {.min = 0, .max = 100, .help = "passes of smoothing, each over half a cell", .resumable = true}),
          texts("attributes", &P::attributes,
                {.choices = {{"age", "since they were born [s]"},
                             {"source", "the fill or source they came from"},
                             {"Cd", "their colour"}},
                 .help = "what else of the particles its corners have",
                 .resumable = true}),
      }};
  return table;
}

std::vector<TableInfo> scene_tables() {
  return {head_table().info(),
          run_table().info(),
          domain_table().info(),
          smoke_table().info(),
          gas_table().info(),
          liquid_table().info(),
          sand_table().info(),
          grains_table().info(),
          shape_table().info(),
          fill_table().info(),
          source_table().info(),
          sink_table().info(),
          inflow_table().info(),
          obstacle_table().info(),
          wall_table().info(),
          force_table().info(),
          output_table().info_over({.volumes = usual_volumes("smoke")}),
          surface_table().info(),
          camera_table().info(),
          look_table().info()};
}

}  // namespace silt
