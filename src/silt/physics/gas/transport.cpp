#include "silt/physics/gas/transport.h"

#include "silt/core/loops.h"
#include "silt/physics/gas/lattice_steps.h"

namespace silt::gas {

namespace {

template <Flux F, bool Cut>
struct FindFlux {
  LatticeSteps at;
  int step;   ///< along the axis
  float lam;  ///< dt / h
  Heat kind;
  CellData u, open, density, density_0, heat, pressure_0;
  float *mass, *flow;

  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = at.index(c);
    const float v = u[n], courant = v * lam;
    const float rho = 0.5f * (density_0[n - step] + density_0[n]) + face_value<F>(density, n, step, courant);
    const float through = Cut ? open[n] * v : v;
    mass[n] = rho * through;
    if (kind == Heat::energy)
      flow[n] = (0.5f * (pressure_0[n - step] + pressure_0[n]) + face_value<F>(heat, n, step, courant)) * through;
    else if (kind == Heat::entropy)
      flow[n] = face_value<F>(heat, n, step, courant) * rho * through;
  }
};

/// Net outflow of a cell.
SILT_HD_INLINE float outflow(const LatticeSteps& at, const FaceData& through, int n) {
  return (through.part[0][n + 1] - through.part[0][n]) + (through.part[1][n + at.step[1]] - through.part[1][n]) +
         (through.part[2][n + at.step[2]] - through.part[2][n]);
}

/// By how much volume a cell swells in a second, over h^2: what leaves through its open faces, and what solids take.
template <bool Cut>
SILT_HD_INLINE float swelling(const LatticeSteps& at, const FaceData& u, const FaceData& open, const FaceData& solid,
                              int n) {
  if constexpr (!Cut) {
    return outflow(at, u, n);
  } else {
    const auto through = [&](int axis, int m) {
      const float part = open.part[axis][m];
      return part * u.part[axis][m] + (1 - part) * solid.part[axis][m];
    };
    return (through(0, n + 1) - through(0, n)) + (through(1, n + at.step[1]) - through(1, n)) +
           (through(2, n + at.step[2]) - through(2, n));
  }
}

/// What all forms share.
template <bool Cut>
struct TakeFlux {
  LatticeSteps at;
  GasLaw law;
  float lam;  ///< dt / h
  bool implicit;
  FaceData u, open, solid, mass, flow;
  CellData room, density_0, pressure_0;
  float *density, *heat, *pressure, *push, *work;

  /// 1 / V; 0 of cells within solids.
  SILT_HD_INLINE float per_room(int n) const {
    if constexpr (!Cut)
      return 1;
    else
      return room[n] > 0 ? 1 / room[n] : 0.0f;
  }
  SILT_HD_INLINE float swells(int n) const { return lam * per_room(n) * swelling<Cut>(at, u, open, solid, n); }

  /// p' before and after: what the momentum feels of it.
  SILT_HD_INLINE void add_push(int n, float before, float after) const {
    push[n] += implicit ? work[n] : 0.5f * (before + after);
  }
};

template <bool Cut>
struct TakeEnergy : TakeFlux<Cut> {
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = this->at.index(c);
    const float on = this->lam * this->per_room(n), grows = this->swells(n), gamma = this->law.gamma;
    const float p_0 = this->pressure_0[n], before = this->pressure[n], p = p_0 + before;
    this->density[n] -= on * outflow(this->at, this->mass, n);
    // Half a step's adiabatic change; as a quotient where it swells, so that it stays positive whatever the step.
    const float half = 0.5f * gamma * grows;
    const float middle = half > 0 ? p / (1 + half) : p * (1 - half);
    const float against = this->implicit ? p_0 + this->work[n] : middle;
    const float after = before - on * outflow(this->at, this->flow, n) - (gamma - 1) * against * grows;
    this->pressure[n] = after;
    this->work[n] = against - p_0;
    this->add_push(n, before, after);
  }
};

template <bool Cut>
struct TakeEntropy : TakeFlux<Cut> {
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = this->at.index(c);
    const float on = this->lam * this->per_room(n), lost = on * outflow(this->at, this->mass, n);
    const float rho = this->density_0[n] + this->density[n] - lost, factor = this->heat[n], before = this->pressure[n];
    this->density[n] -= lost;
    this->heat[n] = factor - (on * outflow(this->at, this->flow, n) - factor * lost) / rho;
    const float after = this->law.pressure_of_factor(1 + this->heat[n], rho) - this->pressure_0[n];
    this->pressure[n] = after;
    this->add_push(n, before, after);
  }
};

template <bool Cut>
struct TakeLinear : TakeFlux<Cut> {
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = this->at.index(c);
    const float before = this->pressure[n];
    this->density[n] -= this->lam * this->per_room(n) * outflow(this->at, this->mass, n);
    const float after = this->law.linear_c2 * this->density[n];
    this->pressure[n] = after;
    this->add_push(n, before, after);
  }
};

/// Gathered cell by cell: nothing else needs these fluxes.
template <Flux F, bool Cut>
struct CarryAmount {
  LatticeSteps at;
  float lam;
  FaceData u, open;
  CellData room, from;
  float* to;

  template <int Axis>
  SILT_HD_INLINE float through(int n) const {
    const float v = u.part[Axis][n], value = face_value<F>(from, n, at.step[Axis], v * lam);
    return Cut ? open.part[Axis][n] * v * value : v * value;
  }
  template <int Axis>
  SILT_HD_INLINE float leaves(int n) const {
    return through<Axis>(n + at.step[Axis]) - through<Axis>(n);
  }
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = at.index(c);
    const float part = Cut ? (room[n] > 0 ? 1 / room[n] : 0.0f) : 1.0f;
    to[n] = from[n] - lam * part * (leaves<0>(n) + leaves<1>(n) + leaves<2>(n));
  }
};

template <Flux F, bool Cut>
void carry(const StepFrame& frame, const MacField<float>& us, const Field<float>& from, Field<float>& to) {
  const Exec& exec = frame.exec;
  for_each_cell(exec, "gas.carry_amount", frame.domain.cells,
                CarryAmount<F, Cut>{LatticeSteps(from.layout()), float(frame.lam()), face_data(exec, us),
                                    Cut ? face_data(exec, frame.openings.cut->open) : FaceData{},
                                    Cut ? cell_data(exec, *frame.openings.room) : nullptr, cell_data(exec, from),
                                    to.update(exec).data});
}

template <Flux F, bool Cut>
void find_flux(const StepFrame& frame, const MacField<float>& us, const GasState& state, FaceFluxes& out) {
  const Exec& exec = frame.exec;
  const LatticeSteps at(state.density.layout());
  for (int a = 0; a < 3; ++a)
    for_each_cell(
        exec, "gas.flux", frame.domain.faces(a),
        FindFlux<F, Cut>{at, at.step[a], float(frame.lam()), frame.law.heat, cell_data(exec, us[a]),
                         Cut ? cell_data(exec, frame.openings.cut->open[a]) : nullptr, cell_data(exec, state.density),
                         cell_data(exec, frame.reference.density),
                         state.heat.allocated() ? cell_data(exec, state.heat) : nullptr,
                         cell_data(exec, frame.reference.pressure), out.mass[a].write(exec).data,
                         out.heat[a].write(exec).data});
}

template <bool Cut>
void take_flux(const StepFrame& frame, const MacField<float>& us, const FaceFluxes& fluxes, GasState& state,
               Field<float>& pressure, StepPressures& pressures) {
  const Exec& exec = frame.exec;
  const TakeFlux<Cut> parts{LatticeSteps(state.density.layout()),
                            frame.law,
                            float(frame.lam()),
                            frame.implicit,
                            face_data(exec, us),
                            Cut ? face_data(exec, frame.openings.cut->open) : FaceData{},
                            Cut ? face_data(exec, frame.openings.cut->solid_velocity) : FaceData{},
                            face_data(exec, fluxes.mass),
                            face_data(exec, fluxes.heat),
                            Cut ? cell_data(exec, *frame.openings.room) : nullptr,
                            cell_data(exec, frame.reference.density),
                            cell_data(exec, frame.reference.pressure),
                            state.density.update(exec).data,
                            state.heat.allocated() ? state.heat.update(exec).data : nullptr,
                            pressure.update(exec).data,
                            pressures.push.update(exec).data,
                            pressures.work.update(exec).data};
  switch (frame.law.heat) {
    case Heat::energy:
      return for_each_cell(exec, "gas.take.energy", frame.domain.cells, TakeEnergy<Cut>{parts});
    case Heat::entropy:
      return for_each_cell(exec, "gas.take.entropy", frame.domain.cells, TakeEntropy<Cut>{parts});
    case Heat::linear:
      return for_each_cell(exec, "gas.take.linear", frame.domain.cells, TakeLinear<Cut>{parts});
  }
}

}  // namespace

void find_fluxes(const StepFrame& frame, const MacField<float>& us, const GasState& state, FaceFluxes& out) {
  const auto run = [&](auto find) { find(frame, us, state, out); };
  const bool whole = frame.openings.whole();
  if (frame.flux == Flux::limited)
    whole ? run(find_flux<Flux::limited, false>) : run(find_flux<Flux::limited, true>);
  else
    whole ? run(find_flux<Flux::upwind, false>) : run(find_flux<Flux::upwind, true>);
}

void take_fluxes(const StepFrame& frame, const MacField<float>& us, const FaceFluxes& fluxes, GasState& state,
                 Field<float>& pressure, StepPressures& pressures) {
  const auto run = [&](auto take) { take(frame, us, fluxes, state, pressure, pressures); };
  frame.openings.whole() ? run(take_flux<false>) : run(take_flux<true>);
}

void carry_amount(const StepFrame& frame, const MacField<float>& us, const Field<float>& from, Field<float>& to) {
  const auto run = [&](auto how) { how(frame, us, from, to); };
  const bool whole = frame.openings.whole();
  if (frame.flux == Flux::limited)
    whole ? run(carry<Flux::limited, false>) : run(carry<Flux::limited, true>);
  else
    whole ? run(carry<Flux::upwind, false>) : run(carry<Flux::upwind, true>);
}

}  // namespace silt::gas
