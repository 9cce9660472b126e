#include "silt/physics/gas/transport.h"

#include "silt/core/loops.h"
#include "silt/physics/common/lattice_steps.h"
#include "silt/physics/gas/heir.h"

namespace silt::gas {

namespace {

template <Flux F, bool Cut>
struct FindFlux {
  LatticeSteps at;
  int step;   ///< along the axis
  float lam;  ///< dt / h
  Heat kind;
  CellData u, open, slip, density, density_0, heat, pressure_0;
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
    if constexpr (Cut) take_along(n, slip[n]);
  }
  /// Room that goes from cell to cell takes what is in it along.
  SILT_HD_INLINE void take_along(int n, float goes) const {
    if (goes == 0) return;
    const int from = goes > 0 ? n - step : n;
    const float more = (0.5f * (density_0[n - step] + density_0[n]) + density[from]) * goes;
    mass[n] += more;
    if (kind == Heat::energy)
      flow[n] += (0.5f * (pressure_0[n - step] + pressure_0[n]) + heat[from]) * goes;
    else if (kind == Heat::entropy)
      flow[n] += heat[from] * more;
  }
};

/// Net outflow of a cell.
SILT_HD_INLINE float outflow(const LatticeSteps& at, const FaceData& through, int n) {
  return (through.part[0][n + 1] - through.part[0][n]) + (through.part[1][n + at.step[1]] - through.part[1][n]) +
         (through.part[2][n + at.step[2]] - through.part[2][n]);
}

/// What all forms share. Where solids cut cells, amounts change: V (rho_0 + rho') is what it was less what left, V now
/// and before being different where solids move.
template <bool Cut>
struct TakeFlux {
  LatticeSteps at;
  GasLaw law;
  float lam;  ///< dt / h
  bool implicit;
  FaceData u, open, mass, flow;
  CellData room, room_before, swept, density_0, pressure_0;
  float *density, *heat, *pressure, *push, *work;

  /// By how much a cell's gas swells in the step, over its whole volume.
  SILT_HD_INLINE float swells(int n) const {
    if constexpr (!Cut) {
      return lam * outflow(at, u, n);
    } else {
      const auto out = [&](int axis) {
        const int s = at.step[axis];
        return open.part[axis][n + s] * u.part[axis][n + s] - open.part[axis][n] * u.part[axis][n];
      };
      return lam * (out(0) + out(1) + out(2)) + swept[n];
    }
  }
  /// A value by volume, as a difference from `from`, after a cell has lost so much. What is left in a cell that a solid
  /// has just filled is kept whole: see hand_over.
  SILT_HD_INLINE float after(float value, float from, float lost, int n) const {
    if constexpr (!Cut) {
      return value - lost;
    } else {
      const float left = room_before[n] * value - lost, now = room[n];
      return now > 0 ? (left + from * (room_before[n] - now)) / now : left + from * room_before[n];
    }
  }
  /// What the momentum feels of p': in an explicit step the mean, of which a half comes when all cells are done.
  SILT_HD_INLINE void add_push(int n, float before, float now) const {
    push[n] += implicit ? work[n] : Cut ? 0.5f * before : 0.5f * (before + now);
  }
};

template <bool Cut>
struct TakeEnergy : TakeFlux<Cut> {
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = this->at.index(c);
    const float gamma = this->law.gamma, grows = this->swells(n);
    const float p_0 = this->pressure_0[n], before = this->pressure[n], p = p_0 + before;
    this->density[n] =
        this->after(this->density[n], this->density_0[n], this->lam * outflow(this->at, this->mass, n), n);
    // Half a step's adiabatic change; as a quotient where it swells, so that it stays positive whatever the step. Small
    // cells share theirs with their neighbours.
    const float half = 0.5f * gamma * (Cut ? (this->room[n] < 0.5f ? 0.0f : grows / this->room[n]) : grows);
    const float middle = half > 0 ? (before - p_0 * half) / (1 + half) : before - p * half;  // less p_0
    const float against = this->implicit ? this->work[n] : middle;
    const float lost = this->lam * outflow(this->at, this->flow, n) + (gamma - 1) * (p_0 + against) * grows;
    const float now = this->after(before, p_0, lost, n);
    this->pressure[n] = now;
    this->work[n] = against;
    this->add_push(n, before, now);
  }
};

template <bool Cut>
struct TakeEntropy : TakeFlux<Cut> {
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = this->at.index(c);
    const float lost = this->lam * outflow(this->at, this->mass, n), factor = this->heat[n], before = this->pressure[n];
    const float now = this->after(this->density[n], this->density_0[n], lost, n), rho = this->density_0[n] + now;
    this->density[n] = now;
    // Carried with the mass: what leaves takes its own along.
    const float changed = this->lam * outflow(this->at, this->flow, n) - factor * lost;
    if constexpr (Cut) {
      // By volume, as cells share it: see factors_of_amounts. All of what is left where a solid has filled the cell.
      const float part = this->room[n], mass = part > 0 ? rho * part : now;
      this->heat[n] = (factor * mass - changed) / (part > 0 ? part : 1.0f);
    } else {
      this->heat[n] = factor - changed / rho;
      this->pressure[n] = this->law.pressure_of_factor(1 + this->heat[n], rho) - this->pressure_0[n];
    }
    this->add_push(n, before, this->pressure[n]);
  }
};

template <bool Cut>
struct TakeLinear : TakeFlux<Cut> {
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = this->at.index(c);
    const float before = this->pressure[n];
    this->density[n] =
        this->after(this->density[n], this->density_0[n], this->lam * outflow(this->at, this->mass, n), n);
    const float p = this->law.linear_c2 * this->density[n];
    this->pressure[n] = p;
    this->add_push(n, before, p);
  }
};

struct FactorsOfAmounts {
  LatticeSteps at;
  CellData density, density_0, room;
  float* heat;
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = at.index(c);
    if (room[n] > 0) heat[n] /= density_0[n] + density[n];
  }
};

struct AddHalf {
  LatticeSteps at;
  CellData pressure;
  float* push;
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = at.index(c);
    push[n] += 0.5f * pressure[n];
  }
};

struct Copy {
  CellData from;
  float* to;
  SILT_HD void operator()(std::int64_t i) const { to[i] = from[i]; }
};

/// Cells without room give all they have left, or still got, to their heirs.
struct HandOver {
  LatticeSteps at;
  const unsigned char* heirs;
  CellData room, left;
  float* values;

  SILT_HD float from(int n, int axis, int end) const {
    const int s = at.step[axis], other = end ? n + s : n - s;
    return !(room[other] > 0) && heir::is_of(heirs, n, s, axis, end) ? left[other] : 0.0f;
  }
  SILT_HD void operator()(Cell c) const {
    const int n = at.index(c);
    float sum = left[n];
    if (room[n] > 0)
      for (int a = 0; a < 3; ++a)
        if (at.step[a] != 0) sum += (from(n, a, 0) + from(n, a, 1)) / room[n];
    values[n] = sum;
  }
};

/// Gathered cell by cell: nothing else needs these fluxes.
template <Flux F, bool Cut>
struct CarryAmount {
  LatticeSteps at;
  float lam;
  FaceData u, open, slip;
  CellData room, room_before, from;
  float* to;

  template <int Axis>
  SILT_HD_INLINE float through(int n) const {
    const float v = u.part[Axis][n], value = face_value<F>(from, n, at.step[Axis], v * lam);
    if constexpr (!Cut) return v * value;
    const float goes = slip.part[Axis][n];
    return open.part[Axis][n] * v * value + goes * from[goes > 0 ? n - at.step[Axis] : n];
  }
  template <int Axis>
  SILT_HD_INLINE float leaves(int n) const {
    return through<Axis>(n + at.step[Axis]) - through<Axis>(n);
  }
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = at.index(c);
    const float lost = lam * (leaves<0>(n) + leaves<1>(n) + leaves<2>(n));
    if constexpr (!Cut)
      to[n] = from[n] - lost;
    else
      to[n] = (room_before[n] * from[n] - lost) / (room[n] > 0 ? room[n] : 1.0f);
  }
};

template <Flux F, bool Cut>
void carry(const StepFrame& frame, const MacField<float>& us, const Field<float>& from, Field<float>& to) {
  const Exec& exec = frame.exec;
  for_each_cell(exec, "gas.carry_amount", frame.domain.cells,
                CarryAmount<F, Cut>{LatticeSteps(from.layout()), float(frame.lam()), face_data(exec, us),
                                    Cut ? face_data(exec, frame.openings.cut->open) : FaceData{},
                                    Cut ? face_data(exec, *frame.openings.slip) : FaceData{},
                                    Cut ? cell_data(exec, *frame.openings.room) : nullptr,
                                    Cut ? cell_data(exec, *frame.openings.room_before) : nullptr, cell_data(exec, from),
                                    to.update(exec).data});
}

template <Flux F, bool Cut>
void find_flux(const StepFrame& frame, const MacField<float>& us, const GasState& state, FaceFluxes& out) {
  const Exec& exec = frame.exec;
  const LatticeSteps at(state.density.layout());
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "gas.flux", frame.domain.faces(a),
                  FindFlux<F, Cut>{at, at.step[a], float(frame.lam()), frame.law.heat, cell_data(exec, us[a]),
                                   Cut ? cell_data(exec, frame.openings.cut->open[a]) : nullptr,
                                   Cut ? cell_data(exec, (*frame.openings.slip)[a]) : nullptr,
                                   cell_data(exec, state.density), cell_data(exec, frame.reference.density),
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
                            face_data(exec, fluxes.mass),
                            face_data(exec, fluxes.heat),
                            Cut ? cell_data(exec, *frame.openings.room) : nullptr,
                            Cut ? cell_data(exec, *frame.openings.room_before) : nullptr,
                            Cut ? cell_data(exec, *frame.openings.swept) : nullptr,
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

void factors_of_amounts(const StepFrame& frame, GasState& state) {
  const Exec& exec = frame.exec;
  for_each_cell(exec, "gas.factors", frame.domain.cells,
                FactorsOfAmounts{LatticeSteps(state.heat.layout()), cell_data(exec, state.density),
                                 cell_data(exec, frame.reference.density), cell_data(exec, *frame.openings.room),
                                 state.heat.update(exec).data});
}

void add_half(const StepFrame& frame, const Field<float>& pressure, Field<float>& push) {
  for_each_cell(frame.exec, "gas.add_half", frame.domain.cells,
                AddHalf{LatticeSteps(push.layout()), cell_data(frame.exec, pressure), push.update(frame.exec).data});
}

void copy(const Exec& exec, const Field<float>& from, Field<float>& to) {
  if (!to.allocated()) to = Field<float>(from.layout());
  for_each_index(exec, "gas.copy", from.layout().size, Copy{from.values().read(exec), to.values().write(exec)});
}

void hand_over(const StepFrame& frame, const Field<unsigned char>& heirs, const Field<float>& left,
               Field<float>& values) {
  const Exec& exec = frame.exec;
  for_each_cell(exec, "gas.hand_over", frame.domain.cells,
                HandOver{LatticeSteps(values.layout()), heirs.read(exec).data, cell_data(exec, *frame.openings.room),
                         cell_data(exec, left), values.update(exec).data});
}

}  // namespace silt::gas
