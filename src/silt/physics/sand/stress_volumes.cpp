#include "silt/physics/sand/stress_volumes.h"

#include "silt/core/loops.h"
#include "silt/core/packed.h"

namespace silt {
namespace {

/// What stands for a pressure in a cell: its particles' mean density times h / dt.
struct Unit {
  CellDensity density;
  double per_density;
  SILT_HD double operator()(Cell c) const { return per_density * density(c); }
};

struct PackPressure {
  View<const double> pressure;
  Unit unit;
  Packed at;
  float* out;
  SILT_HD void operator()(Cell c) const { out[at(c)] = float(pressure(c) * unit(c)); }
};

struct PackBearing {
  View<const double> pressure;
  CornerStress::View<const float> deviator;
  int dims, corners, parts;
  Unit unit;
  Packed at;
  float* out;
  SILT_HD void operator()(Cell c) const {
    const float* s = deviator.at(c);
    const double scale = unit(c);
    float* v = out + 3 * at(c);
    for (int a = 0; a < dims; ++a) {
      double sum = 0;
      for (int k = 0; k < corners; ++k) sum += s[(k * parts + a) * lane_count];
      v[a] = float(scale * (pressure(c) - sum / corners));
    }
  }
};

Unit unit_of(const Exec& exec, const Particles& particles, const CellRanges& ranges, const SandDensities& densities,
             const CellStress& stress, Buffer<double>& table) {
  return {cell_density(exec, particles, ranges, densities, table), stress.per_density};
}

}  // namespace

void pack_pressure(const Exec& exec, const Domain& domain, const Particles& particles, const CellRanges& ranges,
                   const SandDensities& densities, const CellStress& stress, Buffer<float>& out) {
  Buffer<double> table;
  for_each_cell(exec, "sand.pack_pressure", domain.cells,
                PackPressure{stress.pressure.read(exec),
                             unit_of(exec, particles, ranges, densities, stress, table),
                             {domain.cells},
                             out.write(exec)});
}

void pack_bearing(const Exec& exec, const Domain& domain, const Particles& particles, const CellRanges& ranges,
                  const SandDensities& densities, const CellStress& stress, Buffer<float>& out) {
  const int dims = domain.lattice.dims(), corners = 1 << dims;
  Buffer<double> table;
  for_each_cell(exec, "sand.pack_bearing", domain.cells,
                PackBearing{stress.pressure.read(exec),
                            stress.deviator.read(exec),
                            dims,
                            corners,
                            dims * (dims + 1) / 2,
                            unit_of(exec, particles, ranges, densities, stress, table),
                            {domain.cells},
                            out.update(exec)});
}

}  // namespace silt
