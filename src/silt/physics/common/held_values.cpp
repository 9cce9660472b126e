#include "silt/physics/common/held_values.h"

#include <cmath>
#include <numbers>

#include "silt/core/loops.h"
#include "silt/core/packed.h"
#include "silt/physics/common/open_at_all.h"

namespace silt {

namespace {

struct Hold {
  Packed at;
  const float* amount;
  float value;
  View<float> field;
  SILT_HD void operator()(Cell c) const { field(c) += amount[at(c)] * (value - field(c)); }
};

struct Decay {
  float factor;
  View<float> field;
  SILT_HD void operator()(Cell c) const { field(c) *= factor; }
};

/// u_a = velocity + amplitude sin(k x_a) cos(k x_b) cos(k z), b the other of x and y: Vortices in setting.h.
struct FillFaces {
  CoverRecipe cover;
  Lattice lattice;
  int axis, along, across;  ///< of the face; of the sine and of the cosine
  double velocity, amplitude, k;
  View<float> field;
  SILT_HD void operator()(Cell c) const {
    const Vec3d x = lattice.face_centre(axis, c);
    const double swirl = amplitude * std::sin(k * x[along]) * std::cos(k * x[across]) * std::cos(k * x.z);
    field(c) += cover.at(x) * (float(velocity + swirl) - field(c));
  }
};

struct PackOpen {
  View<const float> field;
  MacView<const float> open;
  float shift, elsewhere;
  Packed at;
  float* out;
  SILT_HD void operator()(Cell c) const { out[at(c)] = open_at_all(open, c) ? field(c) + shift : elsewhere; }
};

void hold(const Exec& exec, const char* name, const CoverAmounts::Part& part, double value, Field<float>& field) {
  if (part.box.empty()) return;
  for_each_cell(exec, name, part.box, Hold{{part.box}, part.amount.read(exec), float(value), field.update(exec)});
}

}  // namespace

void hold_cells(const Exec& exec, const CoverAmounts& cover, double value, Field<float>& field) {
  hold(exec, "hold.cells", cover.cells, value, field);
}

void hold_faces(const Exec& exec, const CoverAmounts& cover, const Vec3d& velocity, MacField<float>& faces) {
  for (int a = 0; a < 3; ++a) hold(exec, "hold.faces", cover.faces[a], velocity[a], faces[a]);
}

void decay_cells(const Exec& exec, const Domain& domain, double factor, Field<float>& field) {
  for_each_cell(exec, "decay", domain.cells, Decay{float(factor), field.update(exec)});
}

void fill_faces(const Exec& exec, const Domain& domain, const Cover& cover, const Vec3d& velocity,
                const Vortices& vortices, MacField<float>& faces) {
  const CoverOn on(exec, cover, domain.lattice);
  const double k = 2 * std::numbers::pi / vortices.wavelength;
  const double amplitude[3] = {vortices.speed, -vortices.speed, 0};
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "fill.faces", on.reach(domain.faces(a)),
                  FillFaces{on.recipe(), domain.lattice, a, a == 1 ? 1 : 0, a == 1 ? 0 : 1, velocity[a], amplitude[a],
                            k, faces[a].update(exec)});
}

void pack_open_cells(const Exec& exec, const Domain& domain, const Field<float>& field, const MacField<float>& open,
                     double shift, double elsewhere, Buffer<float>& out) {
  for_each_cell(
      exec, "pack.cells", domain.cells,
      PackOpen{field.read(exec), open.read(exec), float(shift), float(elsewhere), {domain.cells}, out.write(exec)});
}

}  // namespace silt
