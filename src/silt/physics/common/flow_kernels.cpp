#include "silt/physics/common/flow_kernels.h"

#include "silt/core/loops.h"
#include "silt/core/packed.h"
#include "silt/physics/common/open_at_all.h"

namespace silt {
namespace {

struct AddExpansion {
  double scale;
  MacView<const float> open;
  View<const float> expansion;
  View<double> rhs;
  SILT_HD void operator()(Cell c) const {
    if (open_at_all(open, c)) rhs(c) += scale * expansion(c);
  }
};

struct PackVelocity {
  MacView<const float> u;
  Packed at;
  float* out;
  SILT_HD void operator()(Cell c) const {
    const auto [i, j, k] = c;
    float* v = out + 3 * at(c);
    v[0] = 0.5f * (u.x(i, j, k) + u.x(i + 1, j, k));
    v[1] = 0.5f * (u.y(i, j, k) + u.y(i, j + 1, k));
    v[2] = 0.5f * (u.z(i, j, k) + u.z(i, j, k + 1));
  }
};

struct PackCells {
  View<const float> field;
  Packed at;
  float* out;
  SILT_HD void operator()(Cell c) const { out[at(c)] = field(c); }
};

}  // namespace

void add_expansion(const Exec& exec, const Domain& domain, double scale, const MacField<float>& open,
                   const Field<float>& expansion, Field<double>& rhs) {
  for_each_cell(exec, "flow.expand", domain.cells,
                AddExpansion{scale, open.read(exec), expansion.read(exec), rhs.update(exec)});
}

void pack_velocity(const Exec& exec, const Domain& domain, const MacField<float>& velocity, Buffer<float>& out) {
  for_each_cell(exec, "pack.velocity", domain.cells,
                PackVelocity{velocity.read(exec), {domain.cells}, out.write(exec)});
}

void pack_cells(const Exec& exec, const Domain& domain, const Field<float>& field, Buffer<float>& out) {
  for_each_cell(exec, "cells.pack", domain.cells, PackCells{field.read(exec), {domain.cells}, out.write(exec)});
}

}  // namespace silt
