#include "silt/physics/gas/gas_kernels.h"

#include <algorithm>
#include <cmath>

#include "silt/core/loops.h"
#include "silt/core/packed.h"
#include "silt/physics/common/lattice_steps.h"

namespace silt::gas {

namespace {

struct FindPressure {
  LatticeSteps at;
  GasLaw law;
  CellData density, density_0, heat, pressure_0;
  float* pressure;
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = at.index(c);
    pressure[n] = law.heat == Heat::linear
                      ? law.linear_c2 * density[n]
                      : law.pressure_of_factor(1 + heat[n], density_0[n] + density[n]) - pressure_0[n];
  }
};

/// As Rates has them, but pull h and mach squared.
struct FindRates {
  LatticeSteps at;
  GasLaw law;
  float inv_h, dims_root;
  FaceData u;
  CellData density, density_0, pressure, pressure_0;

  SILT_HD Several<4> operator()(Cell c) const {
    const int n = at.index(c);
    const float rho = density_0[n] + density[n], p = pressure_0[n] + pressure[n];
    float speed = 0, square = 0, steep = 0;
    for (int a = 0; a < 3; ++a) {
      const int s = at.step[a];
      if (s == 0) continue;
      const float low = std::abs(u.part[a][n]), high = std::abs(u.part[a][n + s]);
      const float faster = low > high ? low : high;
      speed += faster;
      square += faster * faster;
      const float other = density_0[n - s] + density[n - s], rise = std::abs(pressure[n] - pressure[n - s]);
      const float pulls = 2 * rise / (rho + other);
      steep = pulls > steep ? pulls : steep;
    }
    const float c2 = law.c2(p, rho);
    return {{double(1.25f * (speed + dims_root * std::sqrt(c2)) * inv_h), double(speed * inv_h), double(steep),
             double(square / c2)}};
  }
};

struct LieStill {
  LatticeSteps at;
  GasLaw law;
  CellData density_0, pressure_0;
  float* heat;
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = at.index(c);
    heat[n] = law.factor_of_pressure(pressure_0[n], density_0[n]) - 1;
  }
};

/// Mass and inner energy of a cell, over its volume.
template <bool Cut>
struct CellSums {
  LatticeSteps at;
  double per_pressure;  ///< 1 / (gamma - 1)
  CellData room, density, density_0, pressure, pressure_0;
  SILT_HD Several<2> operator()(Cell c) const {
    const int n = at.index(c);
    const double part = Cut ? room[n] : 1.0;
    return {{part * (double(density_0[n]) + density[n]), part * per_pressure * (double(pressure_0[n]) + pressure[n])}};
  }
};

/// Momentum and kinetic energy about a face, over a cell's volume, and speed. Beside a closed one gas is as fast as the
/// solid.
template <bool Cut>
struct FaceSums {
  LatticeSteps at;
  int step;
  CellData u, open, solid, room, density, density_0;
  SILT_HD double mass(int n) const { return (Cut ? room[n] : 1.0) * (double(density_0[n]) + density[n]); }
  SILT_HD Several<3> operator()(Cell c) const {
    const int n = at.index(c);
    const double m = 0.5 * (mass(n - step) + mass(n)), v = Cut && !(open[n] > 0) ? solid[n] : u[n];
    return {{m * v, 0.5 * m * v * v, m > 0 ? std::abs(v) : 0.0}};
  }
};

struct PackGas {
  LatticeSteps at;
  GasLaw law;
  CellData density, density_0, pressure, pressure_0;
  Packed to;
  float *rho, *p, *t;
  SILT_HD void operator()(Cell c) const {
    const int n = at.index(c);
    const std::int64_t m = to(c);
    rho[m] = density_0[n] + density[n];
    p[m] = pressure_0[n] + pressure[n];
    t[m] = law.temperature(p[m], rho[m]);
  }
};

struct FindLeast {
  LatticeSteps at;
  CellData density, density_0, pressure, pressure_0;
  SILT_HD Several<2> operator()(Cell c) const {
    const int n = at.index(c);
    return {{double(density_0[n] + density[n]), double(pressure_0[n] + pressure[n])}};
  }
};

}  // namespace

void lie_still(const Exec& exec, const Domain& domain, const GasLaw& law, const GasReference& reference,
               GasState& state) {
  if (law.heat == Heat::entropy)
    for_each_cell(exec, "gas.still", domain.cells,
                  LieStill{LatticeSteps(state.density.layout()), law, cell_data(exec, reference.density),
                           cell_data(exec, reference.pressure), state.heat.update(exec).data});
}

void find_pressure(const StepFrame& frame, const GasState& state, Field<float>& pressure) {
  const Exec& exec = frame.exec;
  for_each_cell(exec, "gas.state", frame.domain.cells,
                FindPressure{LatticeSteps(pressure.layout()), frame.law, cell_data(exec, state.density),
                             cell_data(exec, frame.reference.density),
                             state.heat.allocated() ? cell_data(exec, state.heat) : nullptr,
                             cell_data(exec, frame.reference.pressure), pressure.update(exec).data});
}

Rates find_rates(const StepFrame& frame, const GasState& state, const Field<float>& pressure) {
  const Exec& exec = frame.exec;
  const double root = std::sqrt(double(frame.domain.lattice.dims()));
  const Several<4> most = reduce<Each<Max, Max, Max, Max>>(
      exec, "gas.rates", frame.domain.cells,
      FindRates{LatticeSteps(pressure.layout()), frame.law, float(1 / frame.h()), float(root),
                face_data(exec, state.velocity), cell_data(exec, state.density),
                cell_data(exec, frame.reference.density), cell_data(exec, pressure),
                cell_data(exec, frame.reference.pressure)});
  return {most[0], most[1], std::sqrt(most[2]) / frame.h(), std::sqrt(most[3])};
}

namespace {

template <bool Cut>
GasSums sums(const StepFrame& frame, const GasState& state, const Field<float>& pressure) {
  const Exec& exec = frame.exec;
  const LatticeSteps at(pressure.layout());
  const CellData rho = cell_data(exec, state.density), rho_0 = cell_data(exec, frame.reference.density);
  const CellData room = Cut ? cell_data(exec, *frame.openings.room) : nullptr;
  const double volume = frame.domain.lattice.cell_volume();
  const Several<2> cells =
      reduce<Each<Sum, Sum>>(exec, "gas.sums", frame.domain.cells,
                             CellSums<Cut>{at, 1 / (double(frame.law.gamma) - 1), room, rho, rho_0,
                                           cell_data(exec, pressure), cell_data(exec, frame.reference.pressure)});
  GasSums out{.mass = volume * cells[0], .inner_energy = volume * cells[1]};
  for (int a = 0; a < 3; ++a) {
    const Several<3> faces = reduce<Each<Sum, Sum, Max>>(
        exec, "gas.sums.faces", frame.domain.faces(a),
        FaceSums<Cut>{at, at.step[a], cell_data(exec, state.velocity[a]),
                      Cut ? cell_data(exec, frame.openings.cut->open[a]) : nullptr,
                      Cut ? cell_data(exec, frame.openings.cut->closed_velocity()[a]) : nullptr, room, rho, rho_0});
    out.momentum[a] = volume * faces[0];
    out.kinetic_energy += volume * faces[1];
    out.fastest = std::max(out.fastest, faces[2]);
  }
  return out;
}

}  // namespace

GasSums find_sums(const StepFrame& frame, const GasState& state, const Field<float>& pressure) {
  return frame.openings.whole() ? sums<false>(frame, state, pressure) : sums<true>(frame, state, pressure);
}

void pack_gas(const StepFrame& frame, const GasState& state, const Field<float>& pressure, Buffer<float>& density,
              Buffer<float>& absolute_pressure, Buffer<float>& temperature) {
  const Exec& exec = frame.exec;
  for_each_cell(exec, "gas.pack", Box(frame.domain.cells),
                PackGas{LatticeSteps(pressure.layout()),
                        frame.law,
                        cell_data(exec, state.density),
                        cell_data(exec, frame.reference.density),
                        cell_data(exec, pressure),
                        cell_data(exec, frame.reference.pressure),
                        {frame.domain.cells},
                        density.write(exec),
                        absolute_pressure.write(exec),
                        temperature.write(exec)});
}

Least find_least(const StepFrame& frame, const GasState& state, const Field<float>& pressure) {
  const Exec& exec = frame.exec;
  const Several<2> least =
      reduce<Each<Min, Min>>(exec, "gas.least", frame.domain.cells,
                             FindLeast{LatticeSteps(pressure.layout()), cell_data(exec, state.density),
                                       cell_data(exec, frame.reference.density), cell_data(exec, pressure),
                                       cell_data(exec, frame.reference.pressure)});
  return {least[0], least[1]};
}

}  // namespace silt::gas
