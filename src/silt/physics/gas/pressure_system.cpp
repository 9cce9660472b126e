#include "silt/physics/gas/pressure_system.h"

#include "silt/core/loops.h"
#include "silt/fields/halo.h"
#include "silt/physics/common/lattice_steps.h"
#include "silt/physics/gas/open_sides.h"
#include "silt/physics/gas/passable_faces.h"

namespace silt::gas {

namespace {

template <bool Cut>
struct MakeWeight {
  LatticeSteps at;
  int step;
  CellData open, density, density_0;
  float* weight;
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = at.index(c);
    const float rho = 0.5f * ((density_0[n - step] + density[n - step]) + (density_0[n] + density[n]));
    weight[n] = (Cut ? open[n] : 1.0f) / rho;
  }
};

/// us~ = theta u~ + (1 - theta) u.
struct Blend {
  LatticeSteps at;
  float theta;
  CellData before;
  float* us;
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = at.index(c);
    us[n] = theta * us[n] + (1 - theta) * before[n];
  }
};

/// Pressure is carried as the fluxes will carry it: what they did otherwise would come back as Forecast says.
template <Flux F, bool Cut>
struct MakeRow {
  LatticeSteps at;
  GasLaw law;
  double lam, scale;  ///< dt / h; h^2 / (theta dt)^2
  FaceData us, open;
  CellData room, swept, density, density_0, pressure, pressure_0;
  float* screen;
  double *rhs, *guess;

  SILT_HD_INLINE double area(int axis, int n) const { return Cut ? open.part[axis][n] : 1.0; }
  /// Volume that crosses a face, and that times what pressure is higher by there than in a cell.
  SILT_HD_INLINE double through(int axis, int n) const { return area(axis, n) * us.part[axis][n]; }
  SILT_HD_INLINE double climbs(int axis, int face, int s, int cell) const {
    const float carried = face_value<F>(pressure, face, s, us.part[axis][face] * float(lam));
    const double rise = double(carried) - pressure[cell] + 0.5 * (double(pressure_0[face - s]) + pressure_0[face]);
    return through(axis, face) * (rise - pressure_0[cell]);
  }
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = at.index(c);
    double outflow = Cut ? swept[n] / lam : 0.0, climb = 0;
    for (int a = 0; a < 3; ++a) {
      const int s = at.step[a];
      outflow += through(a, n + s) - through(a, n);
      if (s != 0) climb += climbs(a, n + s, s, n) - climbs(a, n, s, n);
    }
    const float rho = density_0[n] + density[n], p = pressure_0[n] + pressure[n];
    const double volume = Cut ? room[n] : 1.0;
    const double stiff = 1 / (double(rho) * law.c2(p, rho));
    screen[n] = float(scale * volume * stiff);
    rhs[n] = scale * (stiff * (volume * pressure[n] - lam * climb) - lam * outflow);
    guess[n] = pressure[n];
  }
};

struct TakeFlow {
  LatticeSteps at;
  int step;
  double factor;  ///< theta^2 dt / h
  CellData density, density_0;
  const double* p;
  float* us;
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = at.index(c);
    const float rho = 0.5f * ((density_0[n - step] + density[n - step]) + (density_0[n] + density[n]));
    us[n] = float(us[n] - factor * (p[n] - p[n - step]) / rho);
  }
};

struct TakeWork {
  LatticeSteps at;
  double theta;
  CellData before;
  const double* p;
  float* work;
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = at.index(c);
    work[n] = float(theta * p[n] + (1 - theta) * before[n]);
  }
};

}  // namespace

SolveReport PressureSystem::solve(const StepFrame& frame, const SolveOptions& options, const GasState& state,
                                  const Field<float>& pressure, MacField<float>& us, Field<float>& work) {
  const Exec& exec = frame.exec;
  const Domain& domain = frame.domain;
  const Openings& openings = frame.openings;
  const LatticeSteps at(pressure.layout());
  const double lam = frame.lam(), theta = frame.theta;
  const CellData rho = cell_data(exec, state.density), rho_0 = cell_data(exec, frame.reference.density);
  const CellData p = cell_data(exec, pressure), p_0 = cell_data(exec, frame.reference.pressure);
  for (int a = 0; a < 3; ++a) {
    const Cells faces = passable_faces(domain, a);
    if (faces.empty()) continue;
    float* w = weights_[a].update(exec).data;
    if (openings.whole())
      for_each_cell(exec, "gas.weight", faces, MakeWeight<false>{at, at.step[a], nullptr, rho, rho_0, w});
    else
      for_each_cell(exec, "gas.weight", faces,
                    MakeWeight<true>{at, at.step[a], cell_data(exec, openings.cut->open[a]), rho, rho_0, w});
    for_each_cell(exec, "gas.blend", faces,
                  Blend{at, float(theta), cell_data(exec, state.velocity[a]), us[a].update(exec).data});
  }
  prepare_open(frame, state.at_sides, state, pressure, us, weights_);
  for (int a = 0; a < 3; ++a) {
    fill_halo(exec, domain, domain.faces(a), {}, weights_[a]);
    fill_halo(exec, domain, domain.faces(a), {}, us[a]);
  }
  const auto rows = [&]<Flux F, bool Cut>() {
    for_each_cell(exec, "gas.row", domain.cells,
                  MakeRow<F, Cut>{at, frame.law, lam, 1 / (theta * theta * lam * lam), face_data(exec, us),
                                  Cut ? face_data(exec, openings.cut->open) : FaceData{},
                                  Cut ? cell_data(exec, *openings.room) : nullptr,
                                  Cut ? cell_data(exec, *openings.swept) : nullptr, rho, rho_0, p, p_0,
                                  screen_.update(exec).data, rhs_.update(exec).data, pressure_.update(exec).data});
  };
  if (frame.flux == Flux::limited)
    openings.whole() ? rows.operator()<Flux::limited, false>() : rows.operator()<Flux::limited, true>();
  else
    openings.whole() ? rows.operator()<Flux::upwind, false>() : rows.operator()<Flux::upwind, true>();
  solver_.prepare(exec, domain, weights_, &screen_);
  const SolveReport report = solver_.solve(exec, options, rhs_, pressure_);
  const double* found = std::as_const(pressure_).read(exec).data;
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "gas.take_flow", inner_faces(domain, a),
                  TakeFlow{at, at.step[a], theta * theta * lam, rho, rho_0, found, us[a].update(exec).data});
  take_open(frame, weights_, pressure_, us);
  for_each_cell(exec, "gas.take_work", domain.cells, TakeWork{at, theta, p, found, work.update(exec).data});
  return report;
}

}  // namespace silt::gas
