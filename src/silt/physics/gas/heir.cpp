#include "silt/physics/gas/heir.h"

#include <utility>

#include "silt/core/loops.h"
#include "silt/fields/halo.h"
#include "silt/physics/common/lattice_steps.h"
#include "silt/physics/gas/transport.h"

namespace silt::gas {

namespace {

/// 1 where a cell goes over.
struct FindHeir {
  SidesInStep sides;
  MacView<const float> open;
  View<const float> before, now;
  View<unsigned char> codes;

  SILT_HD bool passes(Cell c) const {
    bool any = false;
    for (int a = 0; a < 3; ++a) any = any || (sides.now.active[a] && (open[a](c) > 0 || open[a](c + unit(a)) > 0));
    return any;
  }
  SILT_HD double operator()(Cell c) const {
    const bool had = before(c) > 0, has = now(c) > 0;
    int code = heir::none;
    if ((had && has) ? !(before(c) == 1 && now(c) == 1) : !has && (had || passes(c))) {
      const unsigned was = sides.was(c), is = sides.is(c);
      const bool goes = had && has && was && is && !(was & is);
      if (goes || !has) {
        const unsigned from = goes || !is ? was : sides.side(c);
        float most = 0;
        for (int a = 0; a < 3; ++a)
          for (int end = 0; end < 2 && sides.now.active[a]; ++end) {
            const Cell beside = end ? c + unit(a) : c - unit(a);
            if (now(beside) > most && OneSide::meet(from, sides.side(beside), a, end))
              most = now(beside), code = heir::towards(a, end);
          }
        if (goes && code != heir::none) code |= heir::goes_over;
      }
    }
    codes(c) = (unsigned char)code;
    return code >= heir::goes_over;
  }
};

/// Values by volume, or with `density` by mass; differences from `reference`, if there is one.
struct GiveToHeirs {
  LatticeSteps at;
  const unsigned char* codes;
  CellData room, density, density_0, reference, from;
  float* to;

  SILT_HD bool gives(int n) const { return codes[n] & heir::goes_over; }
  SILT_HD double weight(int n) const { return room[n] * (density ? double(density_0[n]) + density[n] : 1.0); }
  SILT_HD double value(int n) const { return from[n] + (reference ? double(reference[n]) : 0.0); }
  SILT_HD void operator()(Cell c) const {
    const int n = at.index(c);
    double size = weight(n), sum = size * value(n);
    bool gets = false;
    for (int a = 0; a < 3; ++a)
      for (int end = 0; end < 2 && at.step[a] != 0; ++end) {
        const int m = end ? n + at.step[a] : n - at.step[a];
        if (!gives(m) || !heir::is_of(codes, n, at.step[a], a, end)) continue;
        size += weight(m), sum += weight(m) * value(m), gets = true;
      }
    to[n] = !gets || gives(n) ? from[n] : float(sum / size - (reference ? double(reference[n]) : 0.0));
  }
};

struct GiveRoom {
  LatticeSteps at;
  const unsigned char* codes;
  CellData held;  ///< V before
  float *by_distance, *off, *room;
  SILT_HD void operator()(Cell c) const {
    const int n = at.index(c);
    if (codes[n] & heir::goes_over) {
      by_distance[n] = off[n] = room[n] = 0;
      return;
    }
    float more = 0;
    for (int a = 0; a < 3; ++a)
      for (int end = 0; end < 2 && at.step[a] != 0; ++end) {
        const int m = end ? n + at.step[a] : n - at.step[a];
        if (codes[m] & heir::goes_over && heir::is_of(codes, n, at.step[a], a, end)) more += held[m];
      }
    if (more > 0) off[n] += more, room[n] += more;
  }
};

}  // namespace

SidesInStep sides_in_step(const Exec& exec, const Domain& domain, const Field<float>& before, const Field<float>& now) {
  const Int3 active = domain.lattice.active;
  return {{before.read(exec), active}, {now.read(exec), active}, {}};
}

bool find_heirs(const StepFrame& frame, const SidesInStep& sides, const Field<float>& before, const Field<float>& now,
                Field<unsigned char>& codes) {
  const Exec& exec = frame.exec;
  const bool any = reduce<Max>(exec, "gas.heirs", frame.domain.cells,
                               FindHeir{sides, frame.openings.cut->open.read(exec), before.read(exec), now.read(exec),
                                        codes.update(exec)}) > 0;
  Domain ring = frame.domain;  // nobody beyond sides that do not wrap has an heir here
  for (int a = 0; a < 3; ++a)
    if (!ring.periodic(a)) ring.sides[a] = {Side::open, Side::open};
  fill_halo(exec, ring, ring.cells, {.open_repeats = false, .open_value = heir::none}, codes);
  return any;
}

void hand_over_sides(const StepFrame& frame, const Field<unsigned char>& codes, const RoomsBefore& rooms,
                     GasState& state, Field<float>& scratch, Field<float>& room_scratch) {
  const Exec& exec = frame.exec;
  const Domain& domain = frame.domain;
  const LatticeSteps at(rooms.room.layout());
  const unsigned char* code = codes.read(exec).data;
  copy(exec, rooms.room, room_scratch);
  fill_halo(exec, domain, domain.cells, {}, room_scratch);
  fill_halo(exec, domain, domain.cells, {}, state.density);
  const auto give = [&](Field<float>& values, const Field<float>* reference, bool by_mass) {
    if (!values.allocated()) return;
    if (!scratch.allocated()) scratch = Field<float>(values.layout());
    fill_halo(exec, domain, domain.cells, {}, values);
    for_each_cell(
        exec, "gas.give_to_heirs", domain.cells,
        GiveToHeirs{at, code, cell_data(exec, room_scratch), by_mass ? cell_data(exec, state.density) : nullptr,
                    cell_data(exec, frame.reference.density), reference ? cell_data(exec, *reference) : nullptr,
                    cell_data(exec, values), scratch.update(exec).data});
    std::swap(values, scratch);
  };
  const bool entropy = frame.law.heat == Heat::entropy;
  give(state.heat, entropy ? nullptr : &frame.reference.pressure, entropy);
  give(state.smoke, nullptr, false);
  give(state.fuel, nullptr, false);
  give(state.density, &frame.reference.density, false);
  for_each_cell(exec, "gas.give_room", domain.cells,
                GiveRoom{at, code, cell_data(exec, room_scratch), rooms.by_distance.update(exec).data,
                         rooms.off.update(exec).data, rooms.room.update(exec).data});
  for (Field<float>* field : {&rooms.by_distance, &rooms.off, &rooms.room})
    fill_halo(exec, domain, domain.cells, {}, *field);
}

}  // namespace silt::gas
