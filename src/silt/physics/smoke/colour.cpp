#include "silt/physics/smoke/colour.h"

#include "silt/core/loops.h"
#include "silt/core/packed.h"

namespace silt {

namespace {

constexpr float nothing = 1e-6f;  // density that nobody sees

SILT_HD inline float share(float part, float whole, float otherwise) {
  const float s = part / whole;
  return whole > nothing ? (s < 0 ? 0 : s > 1 ? 1 : s) : otherwise;
}

struct Share {
  View<const float> part, whole;
  float otherwise;
  View<float> out;
  SILT_HD void operator()(Cell c) const { out(c) = share(part(c), whole(c), otherwise); }
};

struct Multiply {
  View<const float> by;
  View<float> field;
  SILT_HD void operator()(Cell c) const { field(c) *= by(c); }
};

struct PackColour {
  View<const float> density, red, green, blue;
  Packed at;
  float* out;
  SILT_HD void operator()(Cell c) const {
    float* rgb = out + 3 * at(c);
    rgb[0] = share(red(c), density(c), 0);
    rgb[1] = share(green(c), density(c), 0);
    rgb[2] = share(blue(c), density(c), 0);
  }
};

}  // namespace

void colour_share(const Exec& exec, const Domain& domain, const Field<float>& part, const Field<float>& whole,
                  double otherwise, Field<float>& out) {
  for_each_cell(exec, "colour.share", domain.cells,
                Share{part.read(exec), whole.read(exec), float(otherwise), out.write(exec)});
}

void multiply_cells(const Exec& exec, const Domain& domain, const Field<float>& by, Field<float>& field) {
  for_each_cell(exec, "colour.multiply", domain.cells, Multiply{by.read(exec), field.update(exec)});
}

void pack_colour(const Exec& exec, const Domain& domain, const Field<float>& density, const Field<float> (&coloured)[3],
                 Buffer<float>& out) {
  for_each_cell(exec, "pack.colour", domain.cells,
                PackColour{density.read(exec),
                           coloured[0].read(exec),
                           coloured[1].read(exec),
                           coloured[2].read(exec),
                           {domain.cells},
                           out.write(exec)});
}

}  // namespace silt
