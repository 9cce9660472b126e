#include "silt/physics/common/fit_fluxes.h"

#include "silt/core/loops.h"
#include "silt/physics/common/lattice_steps.h"

namespace silt {

namespace {

SILT_HD inline bool closed(const LatticeSteps& at, const FaceData& open, int n) {
  for (int a = 0; a < 3; ++a)
    if (open.part[a][n] > 0 || open.part[a][n + at.step[a]] > 0) return false;
  return true;
}

struct MissingVolume {
  LatticeSteps at;
  FaceData fluxes, open;
  CellData room_before, room, swelling;  ///< `swelling` may be none
  double dt;
  double* out;
  SILT_HD void operator()(Cell c) const {
    const int n = at.index(c);
    double excess = 0;
    if (!closed(at, open, n)) {
      for (int a = 0; a < 3; ++a) excess += double(fluxes.part[a][n + at.step[a]]) - fluxes.part[a][n];
      excess += double(room[n]) - room_before[n] - (swelling ? dt * swelling[n] : 0.0);
    }
    out[n] = -excess;
  }
};

/// The roomiest cell of a group answers for those that are closed.
struct MissingInClosed {
  LatticeSteps at;
  FaceData open;
  CellData room_before, room;
  const int *begin, *cells;
  double* out;
  SILT_HD void operator()(std::int64_t group) const {
    double lost = 0;
    int roomiest = -1;
    for (int i = begin[group]; i < begin[group + 1]; ++i) {
      const int n = cells[i];
      if (closed(at, open, n))
        lost += double(room_before[n]) - room[n];
      else if (roomiest < 0 || room[n] > room[roomiest])
        roomiest = n;
    }
    if (roomiest >= 0) out[roomiest] += lost;
  }
};

struct CorrectFlux {
  View<const double> q;
  View<const float> open;
  Int3 back;
  View<float> flux;
  SILT_HD void operator()(Cell c) const { flux(c) -= float(open(c) * (q(c) - q(c - back))); }
};

}  // namespace

void missing_volumes(const FluxStep& step, const MacField<float>& open, Field<double>& out) {
  const Exec& exec = step.exec;
  const LatticeSteps at(out.layout());
  const bool swells = step.swelling && step.swelling->allocated();
  for_each_cell(exec, "fit.missing", step.domain.cells,
                MissingVolume{at, face_data(exec, step.fluxes), face_data(exec, open),
                              cell_data(exec, *step.room_before), cell_data(exec, *step.room),
                              swells ? cell_data(exec, *step.swelling) : nullptr, step.dt, out.update(exec).data});
  for_each_index(
      exec, "fit.closed", step.groups->count(),
      MissingInClosed{at, face_data(exec, open), cell_data(exec, *step.room_before), cell_data(exec, *step.room),
                      step.groups->begin().read(exec), step.groups->cells().read(exec), out.update(exec).data});
}

void correct_fluxes(const Exec& exec, const Domain& domain, const Field<double>& q, const MacField<float>& open,
                    MacField<float>& fluxes) {
  for (int a = 0; a < 3; ++a) {
    for_each_cell(
        exec, "fit.correct", domain.faces(a),
        CorrectFlux{q.read(exec), open[a].read(exec), unit(a) * domain.lattice.active, fluxes[a].update(exec)});
    fill_halo_along(exec, domain, a, domain.faces(a), domain.faces(a), HaloRule{}, fluxes[a]);
  }
}

}  // namespace silt
