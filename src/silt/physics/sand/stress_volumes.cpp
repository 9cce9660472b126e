#include "silt/physics/sand/stress_volumes.h"

#include "silt/core/loops.h"
#include "silt/core/packed.h"

namespace silt {
namespace {

struct PackPressure {
  View<const double> pressure;
  double unit;
  Packed at;
  float* out;
  SILT_HD void operator()(Cell c) const { out[at(c)] = float(pressure(c) * unit); }
};

struct PackBearing {
  View<const double> pressure;
  CornerStress::View<const float> deviator;
  int dims, corners, parts;
  double unit;
  Packed at;
  float* out;
  SILT_HD void operator()(Cell c) const {
    const float* s = deviator.at(c);
    float* v = out + 3 * at(c);
    for (int a = 0; a < dims; ++a) {
      double sum = 0;
      for (int k = 0; k < corners; ++k) sum += s[(k * parts + a) * lane_count];
      v[a] = float(unit * (pressure(c) - sum / corners));
    }
  }
};

}  // namespace

void pack_pressure(const Exec& exec, const Domain& domain, const CellStress& stress, Buffer<float>& out) {
  for_each_cell(exec, "sand.pack_pressure", domain.cells,
                PackPressure{stress.pressure.read(exec), stress.unit, {domain.cells}, out.write(exec)});
}

void pack_bearing(const Exec& exec, const Domain& domain, const CellStress& stress, Buffer<float>& out) {
  const int dims = domain.lattice.dims(), corners = 1 << dims;
  for_each_cell(exec, "sand.pack_bearing", domain.cells,
                PackBearing{stress.pressure.read(exec),
                            stress.deviator.read(exec),
                            dims,
                            corners,
                            dims * (dims + 1) / 2,
                            stress.unit,
                            {domain.cells},
                            out.update(exec)});
}

}  // namespace silt
