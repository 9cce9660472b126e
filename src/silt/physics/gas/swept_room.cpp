#include "silt/physics/gas/swept_room.h"

#include "silt/core/loops.h"
#include "silt/fields/face_corners.h"
#include "silt/fields/halo.h"
#include "silt/fields/open_square.h"
#include "silt/physics/gas/heir.h"
#include "silt/physics/gas/passable_faces.h"

namespace silt::gas {

namespace {

constexpr int instants = 16;
constexpr double smallest_opening = 1e-3;

struct MeanOpening {
  View<const float> before, after;
  FaceCorners corners;
  View<float> open;

  SILT_HD void operator()(Cell c) const {
    const Cell at[4] = {c, c + corners.s, c + corners.t, c + corners.s + corners.t};
    int outside = 0;
    for (const Cell& corner : at) outside += (before(corner) >= 0) + (after(corner) >= 0);
    if (outside == 8 || outside == 0) return;
    double sum = 0;
    for (int i = 0; i < instants; ++i) {
      const double t = (i + 0.5) / instants;
      double d[4];
      for (int k = 0; k < 4; ++k) d[k] = before(at[k]) + t * (double(after(at[k])) - before(at[k]));
      sum += open_square(d[0], d[1], d[2], d[3]);
    }
    const double mean = sum / instants;
    open(c) = mean < smallest_opening ? 0.0f : float(mean);
  }
};

struct SweptRoom {
  LatticeSteps at;
  FaceData open;
  CellData before, room;
  float* swept;

  SILT_HD bool closed(int n) const {
    for (int a = 0; a < 3; ++a)
      if (open.part[a][n] > 0 || open.part[a][n + at.step[a]] > 0) return false;
    return true;
  }
  SILT_HD float inherited(int from, int n) const {
    return room[from] != before[from] && closed(from) && heir(at, room, from) == n ? room[from] - before[from] : 0.0f;
  }
  SILT_HD void operator()(Cell c) const {
    const int n = at.index(c);
    float sum = 0;
    if (!closed(n)) {
      sum = room[n] - before[n];
      for (int a = 0; a < 3; ++a)
        if (const int s = at.step[a]; s != 0) sum += inherited(n - s, n) + inherited(n + s, n);
    }
    swept[n] = sum;
  }
};

}  // namespace

void swept_room(const Exec& exec, const Domain& domain, const MacField<float>& open, const Field<float>& room_before,
                const Field<float>& room, Field<float>& swept) {
  for_each_cell(exec, "gas.swept", domain.cells,
                SweptRoom{LatticeSteps(room.layout()), face_data(exec, open), cell_data(exec, room_before),
                          cell_data(exec, room), swept.update(exec).data});
}

void mean_opening(const Exec& exec, const Domain& domain, const Field<float>& before, const Field<float>& after,
                  MacField<float>& open) {
  for (int a = 0; a < 3; ++a) {
    for_each_cell(
        exec, "gas.mean_opening", passable_faces(domain, a),
        MeanOpening{before.read(exec), after.read(exec), FaceCorners(a, domain.lattice.active), open[a].update(exec)});
    fill_halo(exec, domain, domain.faces(a), {}, open[a]);
  }
}

}  // namespace silt::gas
