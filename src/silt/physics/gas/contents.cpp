#include "silt/physics/gas/contents.h"

#include "silt/core/loops.h"
#include "silt/core/packed.h"
#include "silt/physics/common/lattice_steps.h"

namespace silt::gas {

namespace {

/// Pressure and density of a cell, whatever the form keeps of them. Absolute.
struct CellState {
  LatticeSteps at;
  GasLaw law;
  CellData density_0, pressure_0;
  float *density, *heat;

  SILT_HD float rho(int n) const { return density_0[n] + density[n]; }
  SILT_HD float pressure(int n) const {
    if (law.heat == Heat::energy) return pressure_0[n] + heat[n];
    if (law.heat == Heat::entropy) return law.pressure_of_factor(1 + heat[n], rho(n));
    return pressure_0[n] + law.linear_c2 * density[n];
  }
  SILT_HD void set(int n, float p, float new_rho) const {
    density[n] = new_rho - density_0[n];
    if (law.heat == Heat::energy) heat[n] = p - pressure_0[n];
    if (law.heat == Heat::entropy) heat[n] = law.factor_of_pressure(p, new_rho) - 1;
  }
};

/// What is asked for; negative: nothing.
struct Wanted {
  float pressure, temperature, density;
};

struct PutContent {
  Packed at;
  const float* amount;
  Wanted wanted;
  CellState cells;

  SILT_HD void operator()(Cell c) const {
    const int n = cells.at.index(c);
    const float part = amount[at(c)], p_before = cells.pressure(n), rho_before = cells.rho(n);
    const GasLaw& law = cells.law;
    float p = wanted.pressure, rho = wanted.density;
    if (law.heat == Heat::linear) {
      if (rho < 0) rho = p < 0 ? rho_before : cells.density_0[n] + (p - cells.pressure_0[n]) / law.linear_c2;
      p = p_before;
    } else {
      const float t = wanted.temperature < 0 ? law.temperature(p_before, rho_before) : wanted.temperature;
      if (p < 0) p = rho > 0 && wanted.temperature > 0 ? rho * law.gas_constant * t : p_before;
      if (rho < 0) rho = p / (law.gas_constant * t);
    }
    cells.set(n, p_before + part * (p - p_before), rho_before + part * (rho - rho_before));
  }
};

struct HoldTemperature {
  Packed at;
  const float* amount;
  float temperature;
  CellState cells;
  SILT_HD void operator()(Cell c) const {
    const int n = cells.at.index(c);
    const float p = cells.pressure(n), rho = cells.rho(n);
    cells.set(n, p + amount[at(c)] * (rho * cells.law.gas_constant * temperature - p), rho);
  }
};

struct Covered {
  Packed at;
  const float* amount;
  bool cut;
  View<const float> room;
  SILT_HD double operator()(Cell c) const { return double(amount[at(c)]) * (cut ? room(c) : 1.0f); }
};

struct AddHeat {
  Packed at;
  const float* amount;
  float rise;  ///< of the pressure [Pa]
  CellState cells;
  SILT_HD void operator()(Cell c) const {
    const int n = cells.at.index(c);
    cells.set(n, cells.pressure(n) + amount[at(c)] * rise, cells.rho(n));
  }
};

struct BurnFuel {
  FuelLaw law;
  float rise, soot;  ///< of the pressure [Pa] and of smoke, of a unit of fuel
  CellState cells;
  float *fuel, *smoke;
  SILT_HD void operator()(Cell c) const {
    const int n = cells.at.index(c);
    const float p = cells.pressure(n), rho = cells.rho(n), burnt = law.burnt(fuel[n], cells.law.temperature(p, rho));
    if (!(burnt > 0)) return;
    fuel[n] -= burnt;
    smoke[n] += soot * burnt;
    cells.set(n, p + rise * burnt, rho);
  }
};

struct PackFlame {
  FuelLaw law;
  CellState cells;
  CellData fuel;
  Packed at;
  float* out;
  SILT_HD void operator()(Cell c) const {
    const int n = cells.at.index(c);
    out[at(c)] = law.burnt(fuel[n], cells.law.temperature(cells.pressure(n), cells.rho(n)));
  }
};

CellState cell_state(const StepFrame& frame, GasState& state) {
  const Exec& exec = frame.exec;
  return {LatticeSteps(state.density.layout()),     frame.law,
          cell_data(exec, frame.reference.density), cell_data(exec, frame.reference.pressure),
          state.density.update(exec).data,          state.heat.allocated() ? state.heat.update(exec).data : nullptr};
}

float or_nothing(const std::optional<double>& value) {
  return value ? float(*value) : -1.0f;
}

}  // namespace

void put_content(const StepFrame& frame, const CoverAmounts& cover, const GasContent& content, GasState& state) {
  const CoverAmounts::Part& part = cover.cells;
  if (part.box.empty()) return;
  const Wanted wanted{or_nothing(content.pressure), or_nothing(content.temperature), or_nothing(content.density)};
  for_each_cell(frame.exec, "gas.put", part.box,
                PutContent{{part.box}, part.amount.read(frame.exec), wanted, cell_state(frame, state)});
}

void hold_temperature(const StepFrame& frame, const CoverAmounts& cover, double temperature, GasState& state) {
  const CoverAmounts::Part& part = cover.cells;
  if (part.box.empty()) return;
  for_each_cell(
      frame.exec, "gas.hold_temperature", part.box,
      HoldTemperature{{part.box}, part.amount.read(frame.exec), float(temperature), cell_state(frame, state)});
}

void add_heat(const StepFrame& frame, const CoverAmounts& cover, double energy, GasState& state) {
  const CoverAmounts::Part& part = cover.cells;
  if (part.box.empty()) return;
  for_each_cell(
      frame.exec, "gas.add_heat", part.box,
      AddHeat{
          {part.box}, part.amount.read(frame.exec), float((frame.law.gamma - 1) * energy), cell_state(frame, state)});
}

void burn_fuel(const StepFrame& frame, const GasFire& fire, GasState& state) {
  for_each_cell(frame.exec, "gas.burn", frame.domain.cells,
                BurnFuel{fire.law, float((frame.law.gamma - 1) * fire.heat), float(fire.soot), cell_state(frame, state),
                         state.fuel.update(frame.exec).data, state.smoke.update(frame.exec).data});
}

void pack_flame(const StepFrame& frame, const FuelLaw& law, GasState& state, Buffer<float>& out) {
  for_each_cell(frame.exec, "gas.pack_flame", frame.domain.cells,
                PackFlame{law,
                          cell_state(frame, state),
                          cell_data(frame.exec, state.fuel),
                          {frame.domain.cells},
                          out.write(frame.exec)});
}

double covered_volume(const StepFrame& frame, const CoverAmounts& cover) {
  const CoverAmounts::Part& part = cover.cells;
  if (part.box.empty()) return 0;
  const Field<float>* room = frame.openings.room;
  const double cells = reduce<Sum>(frame.exec, "gas.covered", part.box,
                                   Covered{{part.box},
                                           part.amount.read(frame.exec),
                                           room != nullptr,
                                           room ? room->read(frame.exec) : View<const float>{}});
  return cells * frame.domain.lattice.cell_volume();
}

}  // namespace silt::gas
