#include "silt/physics/common/flux_transport.h"

#include <algorithm>
#include <cmath>

#include "silt/core/loops.h"
#include "silt/physics/common/lattice_steps.h"
#include "silt/physics/common/occupied.h"

namespace silt {

namespace {

struct VolumeFlux {
  View<const float> u, open, inlet;  ///< `inlet` may be none
  float on;                          ///< dt / h
  View<float> out;
  SILT_HD_INLINE void operator()(Cell c) const { out(c) = on * (open(c) * u(c) + (inlet.data ? inlet(c) : 0.0f)); }
};

/// The value that a cell gives to a face, averaged over what passes: `behind` and `ahead` are the rises to the cell
/// from its neighbour on the far side, and from the cell to its neighbour across the face; `courant` is the part of the
/// cell that passes this face, `out` the part that leaves it by either. Third order (eq. 13 of [LEO91]), less its own
/// value; then held between nothing and `ahead`, and where what is left in the cell stays beyond its neighbour behind.
SILT_HD_INLINE float rise_to_face(float behind, float ahead, float courant, float out) {
  const float third = (1.0f / 6) * (1 - courant) * ((2 - courant) * ahead + (1 + courant) * behind);
  constexpr float almost = 0.999f;  // so that rounding leaves no cell with less than nothing
  const float left = almost * behind * (1 - out) / (out > 1e-6f ? out : 1e-6f);
  const float up = ahead < third ? (ahead < left ? ahead : left) : (third < left ? third : left);
  const float down = ahead > third ? (ahead > left ? ahead : left) : (third > left ? third : left);
  return ahead * behind > 0 ? (ahead > 0 ? up : down) : 0.0f;
}

/// Values on the faces across one axis, by the index of the cell above.
template <bool Cut>
struct FaceValue {
  int step;    ///< along the axis
  float part;  ///< of the step
  CellData flux, volume, single, values;

  SILT_HD_INLINE float operator()(int n) const {
    const float through = part * flux[n], below = part * flux[n - step], above = part * flux[n + step];
    const bool forward = through > 0;
    const float low = values[n - step], high = values[n], lower = values[n - 2 * step], higher = values[n + step];
    const float volume_low = volume[n - step], volume_high = volume[n];  // read, then chosen: loops vectorise
    const float own = forward ? low : high, ahead = forward ? high - low : low - high;
    float behind = forward ? low - lower : high - higher;
    const float back = forward ? -below : above;
    const float size = forward ? volume_low : volume_high, passes = forward ? through : -through;
    float inverse = 1 / size;
    if constexpr (Cut) {
      // Nothing comes from behind a closed face, and what stands there is not to be looked at.
      behind = back != 0 ? behind : 0.0f;
      const float single_low = single[n - step], single_high = single[n];
      behind *= forward ? single_low : single_high;
      inverse = size > 0 ? inverse : 1.0f;
    }
    const float courant = passes * inverse, leaves = courant + (back > 0 ? back : 0.0f) * inverse;
    return own + rise_to_face(behind, ahead, courant < 1 ? courant : 1.0f, leaves < 1 ? leaves : 1.0f);
  }
};

/// What a cell holds after a sweep.
template <bool Cut>
struct HeldAfter {
  FaceValue<Cut> face;
  SILT_HD_INLINE float operator()(int n) const {
    const int s = face.step;
    return face.volume[n] * face.values[n] + face.part * (face.flux[n] * face(n) - face.flux[n + s] * face(n + s));
  }
};

/// What is too little for a float to keep its digits is nothing: such tails would only spread, and slowly.
constexpr float next_to_nothing = 1e-30f;

template <bool Cut>
struct SweepCells {
  LatticeSteps at;
  HeldAfter<Cut> held;
  CellData next;
  float* to;
  SILT_HD_INLINE static float kept(float value) {
    return value > next_to_nothing || value < -next_to_nothing || value != value ? value : 0.0f;
  }
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = at.index(c);
    if constexpr (Cut) {
      const float size = next[n], value = held.face.values[n], amount = held(n);
      to[n] = size > 0 ? kept(amount / (size > 0 ? size : 1.0f)) : value;
    } else {
      to[n] = kept(held(n) / next[n]);
    }
  }
};

/// All cells of a group get its mean.
template <class Held>
struct SweepGroups {
  const int *begin, *cells;
  Held held;
  float* to;
  SILT_HD void operator()(std::int64_t group) const {
    double amount = 0, size = 0;
    for (int i = begin[group]; i < begin[group + 1]; ++i) amount += held(cells[i]), size += held.size_after(cells[i]);
    if (size > 0)
      for (int i = begin[group]; i < begin[group + 1]; ++i) to[cells[i]] = float(amount / size);
  }
};

/// What there is before any sweep: a value, by volume, or a share of one.
struct HeldNow {
  CellData volume, whole, values;  ///< `whole` may be none
  SILT_HD double size_after(int n) const { return whole ? double(volume[n]) * whole[n] : double(volume[n]); }
  SILT_HD double operator()(int n) const { return size_after(n) * values[n]; }
};

struct GroupedValue {
  HeldAfter<true> held;
  CellData next;
  SILT_HD double operator()(int n) const { return held(n); }
  SILT_HD double size_after(int n) const { return next[n]; }
};

template <bool Cut>
struct FaceAmount {
  LatticeSteps at;
  FaceValue<Cut> face;
  float* out;
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = at.index(c);
    out[n] = face.part * face.flux[n] * face(n);
  }
};

constexpr float no_amount = 1e-30f, next_to_none = 1e-6f;

/// Shares of an amount, which go with the amount that passes: as values do with volume. Of a cell with next to none of
/// it beside, which has no share worth looking at, or in a group, each face passes on that of the cell behind it.
template <bool Cut>
struct HeldShare {
  int step;
  CellData amounts, volume, next, before, after, share, single;
  SILT_HD_INLINE float passes(int n) const {
    const float amount = amounts[n], below = amounts[n - step], above = amounts[n + step];
    const bool forward = amount > 0;
    const float low = share[n - step], high = share[n], lower = share[n - 2 * step], higher = share[n + step];
    const float has_low = before[n - step], has_high = before[n], has_lower = before[n - 2 * step],
                has_higher = before[n + step];
    const float held_low = volume[n - step] * has_low, held_high = volume[n] * has_high;
    const float own = forward ? low : high, ahead = forward ? high - low : low - high;
    const float behind = forward ? low - lower : high - higher, back = forward ? -below : above;
    const float held = forward ? held_low : held_high, far_end = forward ? has_lower : has_higher;
    const float other = forward ? has_high : has_low, least = far_end < other ? far_end : other;
    float counts = back != 0 && least > next_to_none && held > no_amount ? 1.0f : 0.0f;
    if constexpr (Cut) {
      const float single_low = single[n - step], single_high = single[n];
      counts *= forward ? single_low : single_high;
    }
    const float inverse = 1 / (held > no_amount ? held : 1.0f), courant = (forward ? amount : -amount) * inverse;
    const float leaves = courant + (back > 0 ? back : 0.0f) * inverse;
    return amount *
           (own + rise_to_face(counts * behind, ahead, courant < 1 ? courant : 1.0f, leaves < 1 ? leaves : 1.0f));
  }
  SILT_HD_INLINE float operator()(int n) const {
    return volume[n] * before[n] * share[n] + passes(n) - passes(n + step);
  }
  SILT_HD_INLINE float size_after(int n) const { return next[n] * after[n]; }
};

template <bool Cut>
struct SweepShares {
  LatticeSteps at;
  HeldShare<Cut> held;
  float* to;
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = at.index(c);
    const float size = held.size_after(n), kept = held.share[n], amount = held(n);
    const float mixed = amount / (size > no_amount ? size : 1.0f);
    to[n] = size > no_amount ? (mixed < 0 ? 0.0f : mixed > 1 ? 1.0f : mixed) : kept;
  }
};

struct ToShare {
  View<const float> whole;
  View<float> part;
  SILT_HD_INLINE void operator()(Cell c) const {
    const float of = whole(c), share = part(c) / (of > no_amount ? of : 1.0f);
    part(c) = of > no_amount ? (share < 0 ? 0.0f : share > 1 ? 1.0f : share) : 0.0f;
  }
};

struct FromShare {
  View<const float> whole;
  View<float> part;
  SILT_HD_INLINE void operator()(Cell c) const { part(c) *= whole(c); }
};

struct StartVolume {
  View<const float> room, swelling;  ///< may be none
  float dt;
  View<float> out;
  SILT_HD_INLINE void operator()(Cell c) const {
    out(c) = (room.data ? room(c) : 1.0f) + (swelling.data ? dt * swelling(c) : 0.0f);
  }
};

struct NextVolume {
  LatticeSteps at;
  int step;
  float part;
  CellData flux, now;
  float* next;
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = at.index(c);
    next[n] = now[n] - part * (flux[n + step] - flux[n]);
  }
};

/// What leaves a cell along each axis, and that less what comes in; 0 along flat axes.
struct Leaving {
  float out[3] = {0, 0, 0}, net[3] = {0, 0, 0};
};

/// Into how many parts a step has to be taken so that no cell gives more in a sweep than it has: with the middle sweeps
/// of a pair (z y x x y z) apart, and as one. A sweep finds W less the net of those before it.
struct Parts {
  float apart, joined;
};
SILT_HD_INLINE Parts parts_needed(const Leaving& by, float volume) {
  const float x = by.out[0], y = by.out[1], z = by.out[2], nx = by.net[0], ny = by.net[1], nz = by.net[2];
  const float total = nx + ny + nz, left = total > 0 ? volume - total : volume;
  const auto larger = [](float a, float b) { return a >= b || a != a ? a : b; };
  const float outer = larger(larger(z, y + nz), larger(y + (total + nx), z + (total + nx + ny)));
  const float apart = larger(outer, larger(x + (nz + ny), x + total)), joined = larger(outer, 2 * x + (nz + ny));
  constexpr float least = 1e-6f;
  const float inverse = x + y + z == 0 ? 0.0f : 1 / (left > least ? left : least);
  return {apart * inverse, joined * inverse};
}

struct CellNeeds {
  LatticeSteps at;
  FaceData flux;
  CellData volume, single;  ///< may be none: whole cells, none of them in groups

  SILT_HD_INLINE Several<2> operator()(Cell c) const {
    const int n = at.index(c);
    Leaving by;
    for (int a = 0; a < 3; ++a) {
      const float low = flux.part[a][n], high = flux.part[a][n + at.step[a]];
      by.out[a] = (high > 0 ? high : 0.0f) + (low < 0 ? -low : 0.0f);
      by.net[a] = high - low;
    }
    const Parts need = parts_needed(by, volume ? volume[n] : 1.0f);
    const float counts = single ? single[n] : 1.0f;
    return {{counts * need.apart, counts * need.joined}};
  }
};

struct GroupNeeds {
  LatticeSteps at;
  FaceData flux;
  CellData volume;
  const int *begin, *cells;
  double* needs;  ///< two a group

  SILT_HD bool holds(std::int64_t group, int n) const {
    for (int i = begin[group]; i < begin[group + 1]; ++i)
      if (cells[i] == n) return true;
    return false;
  }
  SILT_HD void operator()(std::int64_t group) const {
    Leaving by;
    float size = 0;
    for (int i = begin[group]; i < begin[group + 1]; ++i) {
      const int n = cells[i];
      size += volume[n];
      for (int a = 0; a < 3; ++a) {
        const int s = at.step[a];
        const float low = flux.part[a][n], high = flux.part[a][n + s];
        by.net[a] += high - low;
        if (high > 0 && !holds(group, n + s)) by.out[a] += high;
        if (low < 0 && !holds(group, n - s)) by.out[a] -= low;
      }
    }
    const Parts need = parts_needed(by, size);
    needs[2 * group] = need.apart, needs[2 * group + 1] = need.joined;
  }
};

View<const float> view_or_none(const Exec& exec, const Field<float>* field) {
  return field && field->allocated() ? field->read(exec) : View<const float>{};
}

template <bool Cut>
FaceValue<Cut> face_values(const FluxStep& step, int axis, double part, const Field<float>& volume,
                           const Field<float>& values) {
  const Exec& exec = step.exec;
  return {LatticeSteps(values.layout()).step[axis],
          float(part),
          cell_data(exec, step.fluxes[axis]),
          cell_data(exec, volume),
          Cut ? cell_data(exec, step.groups->single()) : nullptr,
          cell_data(exec, values)};
}

/// The cells that values can have come to after so many cells along an axis, from those in `box`.
Box reach(const FluxStep& step, Box box, int axis) {
  const Domain& domain = step.domain;
  const int beside = step.cut() ? step.groups->extent() : 0;
  box = grow(box, (unit(axis) + Int3{beside, beside, beside}) * domain.lattice.active);
  for (int a = 0; a < 3; ++a)
    if (domain.periodic(a)) box.lo[a] = domain.cells.lo[a], box.hi[a] = domain.cells.hi[a];
  return intersect(box, domain.cells);
}

}  // namespace

void volume_fluxes(const Exec& exec, const Domain& domain, double dt, const MacField<float>& velocity,
                   const CutCells& cut, MacField<float>& out) {
  const bool inlets = cut.inlet[0].allocated();
  for (int a = 0; a < 3; ++a) {
    if (!domain.lattice.active[a]) continue;
    for_each_cell(exec, "transport.fluxes", domain.faces(a),
                  VolumeFlux{velocity[a].read(exec), cut.open[a].read(exec),
                             inlets ? cut.inlet[a].read(exec) : View<const float>{}, float(dt / domain.lattice.h),
                             out[a].update(exec)});
    fill_halo_along(exec, domain, a, domain.faces(a), domain.faces(a), HaloRule{}, out[a]);
  }
}

void FluxTransport::start_volumes(const FluxStep& step, const Cells& cells) {
  for_each_cell(step.exec, "transport.volume", cells,
                StartVolume{view_or_none(step.exec, step.room_before), view_or_none(step.exec, step.swelling),
                            float(step.dt), now_.update(step.exec)});
}

bool FluxTransport::plan(const FluxStep& step) {
  const Exec& exec = step.exec;
  const Domain& domain = step.domain;
  const LatticeSteps at(now_.layout());
  const bool whole = !step.cut() && !(step.swelling && step.swelling->allocated());
  if (!whole) start_volumes(step, domain.cells);
  Several<2> need =
      reduce<Each<Max, Max>>(exec, "transport.needs", domain.cells,
                             CellNeeds{at, face_data(exec, step.fluxes), whole ? nullptr : cell_data(exec, now_),
                                       step.cut() ? cell_data(exec, step.groups->single()) : nullptr});
  if (step.cut() && !step.groups->empty()) {
    Buffer<double> needs(std::size_t(2 * step.groups->count()));
    for_each_index(exec, "transport.group_needs", step.groups->count(),
                   GroupNeeds{at, face_data(exec, step.fluxes), cell_data(exec, now_), step.groups->begin().read(exec),
                              step.groups->cells().read(exec), needs.write(exec)});
    const double* each = std::as_const(needs).host();
    for (std::size_t i = 0; i < needs.size(); ++i) need[int(i % 2)] = Max::combine(each[i], need[int(i % 2)]);
  }
  sweeps_.clear();
  constexpr double rounding = 1 + 1e-3;
  if (!(need[0] * rounding <= 2 * most_pairs)) return false;
  const int pairs = std::max(1, int(std::ceil(0.5 * need[0] * rounding)));
  const bool joined = need[1] * rounding <= 2 * pairs;
  const double part = 0.5 / pairs;
  for (int p = 0; p < pairs; ++p) {
    for (int a = 2; a >= 0; --a)
      if (domain.lattice.active[a]) sweeps_.push_back({a, part});
    if (joined) sweeps_.back().part *= 2;
    for (int a = joined ? 1 : 0; a < 3; ++a)
      if (domain.lattice.active[a]) sweeps_.push_back({a, part});
  }
  return true;
}

void FluxTransport::even_out(const FluxStep& step, const Field<float>* whole, Field<float>& values) {
  if (!step.cut()) return;
  const Exec& exec = step.exec;
  float* to = values.update(exec).data;
  const HeldNow held{cell_data(exec, now_), whole ? cell_data(exec, *whole) : nullptr, to};
  for_each_index(exec, "transport.even_out", step.groups->count(),
                 SweepGroups<HeldNow>{step.groups->begin().read(exec), step.groups->cells().read(exec), held, to});
}

void FluxTransport::next_volumes(const FluxStep& step, const Cells& cells, const Sweep& sweep, bool last) {
  const Exec& exec = step.exec;
  const LatticeSteps at(now_.layout());
  if (last)
    for_each_cell(exec, "transport.volume", cells,
                  StartVolume{view_or_none(exec, step.room), {}, 0, next_.update(exec)});
  else
    for_each_cell(exec, "transport.next_volume", cells,
                  NextVolume{at, at.step[sweep.axis], float(sweep.part), cell_data(exec, step.fluxes[sweep.axis]),
                             cell_data(exec, now_), next_.update(exec).data});
}

void FluxTransport::sweep(const FluxStep& step, const Cells& cells, const Sweep& sweep, const Field<float>& from,
                          Field<float>& to) {
  const Exec& exec = step.exec;
  const LatticeSteps at(from.layout());
  if (!step.cut()) {
    for_each_cell(exec, "transport.sweep", cells,
                  SweepCells<false>{at,
                                    {face_values<false>(step, sweep.axis, sweep.part, now_, from)},
                                    cell_data(exec, next_),
                                    to.update(exec).data});
    return;
  }
  const HeldAfter<true> held{face_values<true>(step, sweep.axis, sweep.part, now_, from)};
  for_each_cell(exec, "transport.sweep_cut", cells,
                SweepCells<true>{at, held, cell_data(exec, next_), to.update(exec).data});
  for_each_index(exec, "transport.sweep_groups", step.groups->count(),
                 SweepGroups<GroupedValue>{step.groups->begin().read(exec),
                                           step.groups->cells().read(exec),
                                           {held, cell_data(exec, next_)},
                                           to.update(exec).data});
}

void FluxTransport::carry_shares(const FluxStep& step, const Cells& cells, const Sweep& sweep,
                                 const Field<float>& before, const Field<float>& after,
                                 const std::vector<Field<float>*>& shares) {
  const Exec& exec = step.exec;
  const LatticeSteps at(before.layout());
  Box faces = cells;
  faces.hi[sweep.axis] += 1;
  if (step.cut())
    for_each_cell(exec, "transport.amounts", faces,
                  FaceAmount<true>{at, face_values<true>(step, sweep.axis, sweep.part, now_, before),
                                   amounts_.update(exec).data});
  else
    for_each_cell(exec, "transport.amounts", faces,
                  FaceAmount<false>{at, face_values<false>(step, sweep.axis, sweep.part, now_, before),
                                    amounts_.update(exec).data});
  const Cells all = step.domain.faces(sweep.axis);
  fill_halo_along(exec, step.domain, sweep.axis, all, all, HaloRule{}, amounts_);
  for (Field<float>* share : shares) {
    fill_halo_along(exec, step.domain, sweep.axis, step.domain.cells, cells, step.beyond, *share);
    const auto parts = [&](auto held) {
      held.step = at.step[sweep.axis];
      held.amounts = cell_data(exec, amounts_), held.share = cell_data(exec, *share);
      held.volume = cell_data(exec, now_), held.next = cell_data(exec, next_);
      held.before = cell_data(exec, before), held.after = cell_data(exec, after);
      held.single = step.cut() ? cell_data(exec, step.groups->single()) : nullptr;
      return held;
    };
    float* to = share_.update(exec).data;
    if (!step.cut()) {
      for_each_cell(exec, "transport.shares", cells, SweepShares<false>{at, parts(HeldShare<false>{}), to});
    } else {
      const HeldShare<true> held = parts(HeldShare<true>{});
      for_each_cell(exec, "transport.shares_cut", cells, SweepShares<true>{at, held, to});
      for_each_index(
          exec, "transport.group_shares", step.groups->count(),
          SweepGroups<HeldShare<true>>{step.groups->begin().read(exec), step.groups->cells().read(exec), held, to});
    }
    std::swap(*share, share_);
  }
}

void FluxTransport::carry(const FluxStep& step, Field<float>& values) {
  carry(step, values, {});
}

void FluxTransport::carry(const FluxStep& step, Field<float>& values, std::vector<Field<float>*> parts) {
  const Exec& exec = step.exec;
  const Domain& domain = step.domain;
  // A GPU would wait for the answer. Shares of nothing may be anything.
  const bool everywhere = !exec.on_cpu();
  Box box = domain.cells;
  if (!everywhere) {
    box = occupied(exec, values, domain.cells);
    if (box.empty()) return;  // and so are its parts
    clear(exec, domain.cells, other_);
  }
  Box last = box;
  for (const Sweep& sweep : sweeps_) last = reach(step, last, sweep.axis);
  const Cells volumes =
      step.cut() || domain.wraps() ? Box(domain.cells) : intersect(grow(last, domain.lattice.active), domain.cells);
  if (!parts.empty() && !share_.allocated()) amounts_ = share_ = Field<float>(values.layout());
  for (Field<float>* part : parts)
    for_each_cell(exec, "transport.to_share", domain.cells, ToShare{values.read(exec), part->update(exec)});
  start_volumes(step, volumes);
  for (Field<float>* part : parts) even_out(step, &values, *part);
  even_out(step, nullptr, values);
  if (step.cut() && !everywhere)
    box = intersect(grow(box, domain.lattice.active * step.groups->extent()), domain.cells);
  for (std::size_t i = 0; i < sweeps_.size(); ++i) {
    box = reach(step, box, sweeps_[i].axis);
    next_volumes(step, volumes, sweeps_[i], i + 1 == sweeps_.size());
    const int axis = sweeps_[i].axis;
    fill_halo_along(exec, domain, axis, domain.cells, box, step.beyond, values);
    // What comes in from beyond other sides is the same as far as one looks, whatever volume it is of.
    if (domain.periodic(axis)) fill_halo_along(exec, domain, axis, domain.cells, box, HaloRule{}, now_);
    sweep(step, box, sweeps_[i], values, other_);
    if (!parts.empty()) carry_shares(step, box, sweeps_[i], values, other_, parts);
    std::swap(values, other_);
    std::swap(now_, next_);
  }
  for (Field<float>* part : parts)
    for_each_cell(exec, "transport.from_share", domain.cells, FromShare{values.read(exec), part->update(exec)});
}

}  // namespace silt
