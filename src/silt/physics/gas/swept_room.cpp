#include "silt/physics/gas/swept_room.h"

#include "silt/core/loops.h"
#include "silt/fields/face_corners.h"
#include "silt/fields/halo.h"
#include "silt/fields/one_side.h"
#include "silt/fields/open_square.h"
#include "silt/physics/common/lattice_steps.h"
#include "silt/physics/gas/heir.h"
#include "silt/physics/gas/passable_faces.h"

namespace silt::gas {

namespace {

constexpr int instants = 16;
constexpr double smallest_opening = 1e-3;
/// Of what two cells differ by in how far off they are, the part that goes over in a step: with six neighbours less
/// than a sixth is stable.
constexpr float evens_out = 0.125f;
/// Of the room that distances say there is, how much it may be off by. Beyond that gas is squeezed.
constexpr float most_off = 0.25f;

/// Only corners that belong to the side of both cells count, or gas would pass a plate through cells that it cuts in
/// two.
struct MeanOpening {
  SidesInStep sides;
  int axis;
  FaceCorners corners;
  View<float> open;

  SILT_HD void operator()(Cell c) const {
    const View<const float>&before = sides.before.distance, &after = sides.now.distance;
    const Int3 at[4] = {{}, corners.s, corners.t, corners.s + corners.t};
    int outside = 0;
    for (const Int3& corner : at) outside += (before(c + corner) >= 0) + (after(c + corner) >= 0);
    if (outside == 8 || outside == 0) return;
    const unsigned below = sides.side(c - unit(axis)), above = sides.side(c);
    bool counts[4];
    for (int k = 0; k < 4; ++k) counts[k] = above & OneSide::bit(at[k]) && below & OneSide::bit(at[k] + unit(axis));
    double sum = 0;
    for (int i = 0; i < instants; ++i) {
      const double t = (i + 0.5) / instants;
      double d[4];
      for (int k = 0; k < 4; ++k) {
        const Cell corner = c + at[k];
        d[k] = before(corner) + t * (double(after(corner)) - before(corner));
        if (d[k] >= 0 && !counts[k]) d[k] = -d[k] - 1e-12;
      }
      sum += open_square(d[0], d[1], d[2], d[3]);
    }
    const double mean = sum / instants;
    open(c) = mean < smallest_opening ? 0.0f : float(mean);
  }
};

struct AddRoom {
  View<const float> now, off;
  View<float> room;
  SILT_HD void operator()(Cell c) const { room(c) = now(c) > 0 ? now(c) + off(c) : 0.0f; }
};

/// dt div((1 - A) u_solid), and how far off that leaves V. Where two solids meet, and where they grow, faces do not
/// tell what sweeps a cell: there it is the change by distances.
struct SweptRoom {
  LatticeSteps at;
  Int3 active;
  double lam;  ///< dt / h
  bool by_faces, several;
  FaceData open, solid;
  View<const float> distance, nearest;
  CellData before, now, off;  ///< V by distances, and how far off it was
  float *swept, *left;

  SILT_HD double closes(int axis, int n) const { return (1 - double(open.part[axis][n])) * solid.part[axis][n]; }
  SILT_HD bool one_solid(Cell c) const {
    if (!several) return true;
    float number = -1;
    for (int k = 0; k < 8; ++k) {
      const Cell corner = c + Int3{k & 1, k >> 1 & 1, k >> 2 & 1} * active;
      if (number >= 0 && nearest(corner) != number) return false;
      number = nearest(corner);
    }
    return true;
  }
  SILT_HD void operator()(Cell c) const {
    const int n = at.index(c);
    double sum = 0;
    if (by_faces && one_solid(c)) {
      for (int a = 0; a < 3; ++a)
        if (const int s = at.step[a]; s != 0) sum += closes(a, n + s) - closes(a, n);
      sum *= lam;
    } else {
      sum = double(now[n]) - before[n];
    }
    swept[n] = float(sum);
    left[n] = float(off[n] + (before[n] + sum - now[n]));
  }
};

/// What is left of cells that a solid has filled goes to their heirs, as what was in them does: see hand_over.
struct Inherit {
  LatticeSteps at;
  const unsigned char* heirs;
  CellData now, left;
  float* off;
  SILT_HD float from(int n, int axis, int end) const {
    const int s = at.step[axis], other = end ? n + s : n - s;
    return !(now[other] > 0) && heir::is_of(heirs, n, s, axis, end) ? left[other] : 0.0f;
  }
  SILT_HD void operator()(Cell c) const {
    const int n = at.index(c);
    float sum = now[n] > 0 ? left[n] : 0.0f;
    if (now[n] > 0)
      for (int a = 0; a < 3; ++a)
        if (at.step[a] != 0) sum += from(n, a, 0) + from(n, a, 1);
    off[n] = sum;
  }
};

/// Small cells keep nothing of what they are off by: a hundredth of a cell could be more than they have.
struct Slip {
  int axis, step;
  LatticeSteps at;
  float per_step;  ///< h / dt
  const unsigned char* partner;
  CellData open, now, off;
  float* slip;
  SILT_HD void operator()(Cell c) const {
    const int n = at.index(c), low = n - step;
    float goes = 0;
    if (partner[low] == 2 + 2 * axis) goes += off[low];
    if (partner[n] == 1 + 2 * axis) goes -= off[n];
    if (partner[low] == 0 && partner[n] == 0 && now[low] > 0 && now[n] > 0)
      goes += evens_out * open[n] * (off[low] - off[n]);
    slip[n] = goes * per_step;
  }
};

struct TakeRoom {
  LatticeSteps at;
  float lam;
  FaceData slip;
  CellData now;
  float *swept, *off, *room;
  SILT_HD void operator()(Cell c) const {
    const int n = at.index(c);
    const float by_distance = now[n];
    room[n] = by_distance;
    if (!(by_distance > 0)) return;
    float more = off[n];
    for (int a = 0; a < 3; ++a)
      if (const int s = at.step[a]; s != 0) more -= lam * (slip.part[a][n + s] - slip.part[a][n]);
    const float most = most_off * by_distance, held = more > most ? most : more < -most ? -most : more;
    off[n] = held;
    room[n] = by_distance + held;
    if (held != more) swept[n] += held - more;  // squeezes the gas that is there
  }
};

}  // namespace

void swept_room(const StepFrame& frame, const Field<unsigned char>& partner, const Field<unsigned char>& heirs,
                const SweptRooms& rooms) {
  const Exec& exec = frame.exec;
  const Domain& domain = frame.domain;
  const CutCells& cut = *frame.openings.cut;
  const LatticeSteps at(rooms.room.layout());
  const bool several = cut.nearest.allocated();
  const float lam = float(frame.lam());
  const CellData now = cell_data(exec, rooms.now);
  for_each_cell(exec, "gas.swept", domain.cells,
                SweptRoom{at, domain.lattice.active, frame.lam(), !cut.growth.allocated(), several,
                          face_data(exec, cut.open), face_data(exec, cut.closed_velocity()), cut.distance.read(exec),
                          several ? cut.nearest.read(exec) : View<const float>{}, cell_data(exec, rooms.before), now,
                          cell_data(exec, rooms.off), rooms.swept.update(exec).data, rooms.left.update(exec).data});
  fill_halo(exec, domain, domain.cells, {}, rooms.left);
  for_each_cell(exec, "gas.inherit", domain.cells,
                Inherit{at, heirs.read(exec).data, now, cell_data(exec, rooms.left), rooms.off.update(exec).data});
  fill_halo(exec, domain, domain.cells, {}, rooms.off);
  for (int a = 0; a < 3; ++a) {
    for_each_cell(exec, "gas.slip", gas::inner_faces(domain, a),
                  Slip{a, at.step[a], at, 1 / lam, partner.read(exec).data, cell_data(exec, cut.open[a]), now,
                       cell_data(exec, rooms.off), rooms.slip[a].update(exec).data});
    fill_halo(exec, domain, domain.faces(a), {}, rooms.slip[a]);
  }
  for_each_cell(exec, "gas.take_room", domain.cells,
                TakeRoom{at, lam, face_data(exec, rooms.slip), now, rooms.swept.update(exec).data,
                         rooms.off.update(exec).data, rooms.room.update(exec).data});
  fill_halo(exec, domain, domain.cells, {}, rooms.swept);
  fill_halo(exec, domain, domain.cells, {}, rooms.room);
}

void add_rooms(const Exec& exec, const Domain& domain, const Field<float>& now, const Field<float>& off,
               Field<float>& room) {
  for_each_cell(exec, "gas.add_room", domain.cells, AddRoom{now.read(exec), off.read(exec), room.update(exec)});
  fill_halo(exec, domain, domain.cells, {}, room);
}

void mean_opening(const Exec& exec, const Domain& domain, const SidesInStep& sides, MacField<float>& open) {
  for (int a = 0; a < 3; ++a) {
    for_each_cell(exec, "gas.mean_opening", passable_faces(domain, a),
                  MeanOpening{sides, a, FaceCorners(a, domain.lattice.active), open[a].update(exec)});
    fill_halo(exec, domain, domain.faces(a), {}, open[a]);
  }
}

}  // namespace silt::gas
