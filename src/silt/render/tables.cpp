#include "silt/render/tables.h"

namespace silt {

namespace {

VectorOptions colour(std::string help) {
  return {.min = 0, .max = 100, .help = std::move(help), .resumable = true};
}

}  // namespace

const Table<CameraParams>& camera_table() {
  static const Table<CameraParams> table{
      "camera",
      "Where pictures are taken from. What is not given is chosen so that the whole domain is in view. Pictures of 2D "
      "scenes "
      "use only the size.",
      {
          choice("view", &CameraParams::view,
                 {{"corner", Viewpoint::corner, "from the left in front and slightly above"},
                  {"front", Viewpoint::front, "along y"},
                  {"side", Viewpoint::side, "along x, from the far end"},
                  {"top", Viewpoint::top, "from above"}},
                 {.help = "from where a camera looks that has no position", .resumable = true}),
          vec("position", &CameraParams::position,
              {.unit = "m", .min = -1e6, .max = 1e6, .help = "where the camera stands", .resumable = true}),
          vec("target", &CameraParams::target,
              {.unit = "m",
               .min = -1e6,
               .max = 1e6,
               .help = "the point in the middle of the picture",
               .resumable = true}),
          vec("up", &CameraParams::up,
              {.min = -1000,
               .max = 1000,
               .help = "what points upwards in the picture, any length; z when not given. Where gravity is tilted, the "
                       "direction against it makes a slope of the ground",
               .resumable = true}),
          number("field_of_view", &CameraParams::field_of_view,
                 {.unit = "degrees",
                  .min = 1,
                  .max = 150,
                  .help = "angle from the picture's bottom to its top",
                  .resumable = true}),
          integer("width", &CameraParams::width,
                  {.unit = "pixels", .min = 16, .max = 16384, .help = "of the picture; made even", .resumable = true}),
          integer("height", &CameraParams::height,
                  {.unit = "pixels", .min = 16, .max = 16384, .help = "of the picture; made even", .resumable = true}),
          number("shutter", &CameraParams::shutter,
                 {.min = 0,
                  .max = 1,
                  .help = "share of the time from a frame to the next in which it is open: what moves is blurred by "
                          "its way meanwhile",
                  .resumable = true}),
      }};
  return table;
}

const Table<LookParams>& look_table() {
  static const Table<LookParams> table{
      "look",
      "Light and colour of pictures. Colours are linear red, green and blue; a white wall is [1, 1, 1].",
      {
          number("density_scale", &LookParams::density_scale,
                 {.unit = "1/m",
                  .min = 0,
                  .max = 1e6,
                  .help = "how fast smoke of density 1 swallows light; without it, 34 over the domain's narrower "
                          "horizontal side",
                  .resumable = true}),
          vec("smoke_colour", &LookParams::smoke_colour,
              {.min = 0, .max = 1, .help = "colour of smoke that has none of its own", .resumable = true}),
          number("flame_scale", &LookParams::flame_scale,
                 {.unit = "1/m",
                  .min = 0,
                  .max = 1e6,
                  .help = "how bright flames are that burn a unit of fuel a second; without it, 8 over the domain's "
                          "narrower horizontal side",
                  .resumable = true}),
          vec("sun_direction", &LookParams::sun_direction,
              {.min = -1e3, .max = 1e3, .help = "towards the sun, any length", .resumable = true}),
          vec("sun_colour", &LookParams::sun_colour, colour("light of the sun")),
          vec("sky_colour", &LookParams::sky_colour, colour("light from all around")),
          vec("background_top", &LookParams::background_top, colour("background at the top")),
          vec("background_bottom", &LookParams::background_bottom, colour("background at the bottom")),
          vec("ground_colour", &LookParams::ground_colour,
              {.min = 0, .max = 1, .help = "colour of the ground", .resumable = true}),
          vec("solid_colour", &LookParams::solid_colour,
              {.min = 0, .max = 1, .help = "colour of obstacles", .resumable = true}),
          vec("water_colour", &LookParams::water_colour,
              {.min = 0,
               .max = 1,
               .help = "colour of light that has gone water_depth through water",
               .resumable = true}),
          number("water_depth", &LookParams::water_depth,
                 {.unit = "m",
                  .min = 1e-6,
                  .max = 1e6,
                  .help = "how deep water is that has this colour; without it, half the domain's narrower horizontal "
                          "side",
                  .resumable = true}),
          vec("grain_colour", &LookParams::grain_colour,
              {.min = 0, .max = 1, .help = "colour of grains that have none of their own", .resumable = true}),
          integer("grains", &LookParams::grains,
                  {.min = 1,
                   .max = 64,
                   .help = "balls drawn for each grain's particle; without it, up to 24 while there are few",
                   .resumable = true}),
          number("exposure", &LookParams::exposure,
                 {.min = 0, .max = 1e3, .help = "brightness of 3D pictures", .resumable = true}),
          text("quantity", &LookParams::quantity,
               {.help = "the volume that 2D pictures show; \"vorticity\", which is made of the velocity; "
                        "\"particles\", coloured by their speed. By default \"surface\" for water. 1D pictures show "
                        "\"all\", "
                        "each as a line, or one",
                .resumable = true}),
          number("range_min", &LookParams::range_min,
                 {.help = "value of the darkest colour of 2D pictures", .resumable = true}),
          number("range_max", &LookParams::range_max,
                 {.help = "value of the lightest colour of 2D pictures", .resumable = true}),
          choice("page", &LookParams::page,
                 {{"dark", Page::dark, "for screens and films"}, {"paper", Page::paper, "white, for print"}},
                 {.help = "what 2D pictures are drawn on", .resumable = true}),
          choice("colours", &LookParams::colours,
                 {{"usual", ColourMap::usual, "ember; for values of both signs, both"},
                  {"ember", ColourMap::ember, "dark blue, violet, rose, cream"},
                  {"sea", ColourMap::sea, "dark blue, teal, green, pale yellow"},
                  {"grey", ColourMap::grey, "black to white"},
                  {"both", ColourMap::both, "blue below the middle, dark in it, amber above"}},
                 {.help = "colours of numbers; in each, equal steps look equal", .resumable = true}),
          integer("contours", &LookParams::contours,
                  {.min = 0, .max = 100, .help = "lines of equal value in 2D pictures; 0: none", .resumable = true}),
          boolean("arrows", &LookParams::arrows,
                  {.help = "draw the velocity over 2D pictures; needs it in output.volumes", .resumable = true}),
          boolean("particles", &LookParams::particles,
                  {.help = "draw the particles over 2D pictures", .resumable = true}),
      }};
  return table;
}

}  // namespace silt
