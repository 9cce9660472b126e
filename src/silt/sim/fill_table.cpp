#include "silt/sim/scene_tables.h"

namespace silt {
namespace {

constexpr double far_away = 1e6;  // [m]
constexpr double fast = 1e4;      // [m/s]

const Table<Vortices>& vortices_table() {
  using P = Vortices;
  static const Table<P> table{
      "vortices",
      "A lattice of vortices that turn to and fro like a chess board, after Taylor and Green: along x "
      "sin kx cos ky cos kz, along y -cos kx sin ky cos kz, k = 2 pi / wavelength; in 2D without z.",
      {number("wavelength", &P::wavelength,
              {.unit = "m",
               .above = 0,
               .max = far_away,
               .help = "after which the pattern repeats; a vortex is half as wide",
               .required = true}),
       number("speed", &P::speed,
              {.unit = "m/s", .min = -fast, .max = fast, .help = "where it is fastest", .required = true})}};
  return table;
}

}  // namespace

const Table<FillParams>& fill_table() {
  using P = FillParams;
  static const Table<P> table{
      "fill.NAME",
      "What is there at the start, t = 0; of gas, also at another time: a blast. From then on it moves as it likes. "
      "Where fills overlap they apply in the "
      "order of their names: the last one counts.",
      {
          text("shape", &P::shape, {.refers_to = "shape", .help = "where it is; everywhere when not given"}),
          text("material", &P::material,
               {.help = "what it is: \"smoke\", \"gas\", \"water\" or \"sand\"", .required = true}),
          number("blur", &P::blur,
                 {.unit = "m",
                  .min = 0,
                  .max = 1e6,
                  .help = "how wide its edge is, half of it outside of the shape; less than a cell is a cell",
                  .only_for = {"smoke", "gas"}}),
          number("density", &P::density,
                 {.min = 0, .max = 1e4, .help = "amount of smoke; 1 is thick", .only_for = {"smoke"}}),
          number("temperature", &P::temperature,
                 {.unit = "K",
                  .above = 0,
                  .max = 1e5,
                  .help = "when not given, that of the air around; gas keeps what it has, unless pressure and "
                          "gas_density say it",
                  .only_for = {"smoke", "gas"}}),
          number("pressure", &P::pressure,
                 {.unit = "Pa",
                  .above = 0,
                  .max = 1e12,
                  .help = "absolute; when not given, what it is already, or what gas_density and temperature say",
                  .only_for = {"gas"}}),
          number("gas_density", &P::gas_density,
                 {.unit = "kg/m^3",
                  .above = 0,
                  .max = 1e6,
                  .help = "when not given, what pressure and temperature say",
                  .only_for = {"gas"}}),
          number("time", &P::time,
                 {.unit = "s", .min = 0, .max = 1e6, .help = "when it is put there", .only_for = {"gas"}}),
          number("smoke", &P::smoke,
                 {.min = 0, .max = 1e4, .help = "amount of smoke in it; 1 is thick", .only_for = {"gas"}}),
          vec("velocity", &P::velocity,
              {.unit = "m/s", .min = -fast, .max = fast, .help = "of what is in it; at rest when not given"}),
          grains(&P::grains),
          colour("colour", &P::colour,
                 {.min = 0,
                  .max = 1,
                  .help = "linear red, green and blue; when not given, what [look] says",
                  .only_for = {"smoke", "water", "sand"}}),
          number("fuel", &P::fuel,
                 {.min = 0,
                  .max = 1e4,
                  .help = "amount of fuel in it, which burns where it is hot: see [smoke] and [gas]",
                  .only_for = {"smoke", "gas"}}),
          group("vortices", &P::vortices, vortices_table(),
                {.help = "a lattice of vortices, on top of the velocity", .only_for = {"smoke", "gas"}}),
      }};
  return table;
}

}  // namespace silt
