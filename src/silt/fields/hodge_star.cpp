#include "silt/fields/hodge_star.h"

#include "silt/core/loops.h"
#include "silt/fields/halo.h"

namespace silt {

namespace {

/// 1 / theta of the edge from a value at one end to that at the other; 0 when neither end is in the liquid.
SILT_HD float over_theta(float a, float b) {
  if (a < 0 && b < 0) return 1;
  if (!(a < 0) && !(b < 0)) return 0;
  const float inside = a < 0 ? a : b, outside = a < 0 ? b : a;
  const float theta = inside / (inside - outside);
  return 1 / (theta > least_theta ? theta : least_theta);
}

struct StarFaces {
  Int3 back;  ///< to the cell below the face
  View<const float> open, liquid, porosity, density;
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    float w = 1;
    if (open.data) w *= open(c);
    if (porosity.data) w *= porosity(c);
    if (density.data) w /= density(c);
    if (liquid.data) w *= over_theta(liquid(c - back), liquid(c));
    out(c) = w;
  }
};

struct Air {
  View<const float> liquid;
  View<unsigned char> out;
  SILT_HD void operator()(Cell c) const { out(c) = !(liquid(c) < 0); }
};

}  // namespace

void hodge_star(const Exec& exec, const Domain& domain, const StarParts& parts, MacField<float>& out) {
  for (int a = 0; a < 3; ++a) {
    const auto faces = [&](const MacField<float>* field) {
      return field ? (*field)[a].read(exec) : View<const float>{};
    };
    const Cells box = domain.faces(a);
    for_each_cell(exec, "star.faces", box,
                  StarFaces{unit(a), faces(parts.open), parts.liquid ? parts.liquid->read(exec) : View<const float>{},
                            faces(parts.porosity), faces(parts.density), out[a].update(exec)});
    fill_halo(exec, domain, box, {}, out[a]);
  }
}

void cells_of_air(const Exec& exec, const Domain& domain, const Field<float>& liquid, Field<unsigned char>& out) {
  for_each_cell(exec, "star.air", domain.cells, Air{liquid.read(exec), out.update(exec)});
}

}  // namespace silt
