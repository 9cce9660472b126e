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

/// Shares of an amount: each face passes on that of the cell behind it, with the amount that passes.
struct HeldShare {
  int step;
  CellData amounts, volume, next, before, after, share;
  SILT_HD_INLINE float passes(int n) const {
    const float low = share[n - step], high = share[n], amount = amounts[n];
    return amount * (amount > 0 ? low : high);
  }
  SILT_HD_INLINE float operator()(int n) const {
    return volume[n] * before[n] * share[n] + passes(n) - passes(n + step);
  }
  SILT_HD_INLINE float size_after(int n) const { return next[n] * after[n]; }
};

constexpr float no_amount = 1e-30f;

struct SweepShares {
  LatticeSteps at;
  HeldShare held;
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

/// Axes in the order of the first half of a pair of half steps.
struct SweepOrder {
  int axis[3];
  int count;
};

/// Of how many parts of a step a sweep may be, at most, so that no cell gives more than it has: one over what is
/// returned. First with the middle sweeps of a pair apart, then as one. `out` leaves the cell along each axis, `net` is
/// that less what comes in; a sweep finds W less the net of those before it.
SILT_HD Several<2> parts_needed(const SweepOrder& order, const double (&out)[3], const double (&net)[3],
                                double volume) {
  double total = 0, most = 0;
  for (int i = 0; i < order.count; ++i) total += net[order.axis[i]], most += out[order.axis[i]];
  if (most == 0) return {{0, 0}};
  const double left = total > 0 ? volume - total : volume;
  double apart = 0, joined = 0, before = 0;
  const int last = order.count - 1;
  const auto larger = [](double a, double b) { return a >= b || a != a ? a : b; };
  for (int i = 0; i <= last; ++i) {
    const int a = order.axis[i];
    apart = larger(apart, out[a] + before);
    joined = larger(joined, (i == last ? 2 : 1) * out[a] + before);
    before += net[a];
  }
  for (int i = last; i >= 0; --i) {
    const int a = order.axis[i];
    apart = larger(apart, out[a] + before);
    if (i < last) joined = larger(joined, out[a] + before);
    before += net[a];
  }
  constexpr double least = 1e-9;
  return {{apart / (left > least ? left : least), joined / (left > least ? left : least)}};
}

struct CellNeeds {
  LatticeSteps at;
  SweepOrder order;
  FaceData flux;
  CellData volume, single;  ///< `single` may be none

  SILT_HD Several<2> operator()(Cell c) const {
    const int n = at.index(c);
    if (single && single[n] == 0) return {{0, 0}};
    double out[3] = {0, 0, 0}, net[3] = {0, 0, 0};
    for (int i = 0; i < order.count; ++i) {
      const int a = order.axis[i];
      const double low = flux.part[a][n], high = flux.part[a][n + at.step[a]];
      out[a] = (high > 0 ? high : 0) - (low < 0 ? low : 0);
      net[a] = high - low;
    }
    return parts_needed(order, out, net, volume[n]);
  }
};

struct GroupNeeds {
  LatticeSteps at;
  SweepOrder order;
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
    double out[3] = {0, 0, 0}, net[3] = {0, 0, 0}, size = 0;
    for (int i = begin[group]; i < begin[group + 1]; ++i) {
      const int n = cells[i];
      size += volume[n];
      for (int k = 0; k < order.count; ++k) {
        const int a = order.axis[k], s = at.step[a];
        const double low = flux.part[a][n], high = flux.part[a][n + s];
        net[a] += high - low;
        if (high > 0 && !holds(group, n + s)) out[a] += high;
        if (low < 0 && !holds(group, n - s)) out[a] -= low;
      }
    }
    const Several<2> need = parts_needed(order, out, net, size);
    needs[2 * group] = need[0], needs[2 * group + 1] = need[1];
  }
};

SweepOrder order_of(const Domain& domain) {
  SweepOrder out{{0, 0, 0}, 0};
  for (int a = 2; a >= 0; --a)
    if (domain.lattice.active[a]) out.axis[out.count++] = a;
  return out;
}

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
    fill_halo(exec, domain, domain.faces(a), HaloRule{}, out[a]);
  }
}

void FluxTransport::start_volumes(const FluxStep& step, const Cells& cells) {
  for_each_cell(step.exec, "transport.volume", cells,
                StartVolume{view_or_none(step.exec, step.room_before), view_or_none(step.exec, step.swelling),
                            float(step.dt), now_.update(step.exec)});
  fill_halo(step.exec, step.domain, step.domain.cells, HaloRule{}, now_);
}

bool FluxTransport::plan(const FluxStep& step) {
  const Exec& exec = step.exec;
  const Domain& domain = step.domain;
  const SweepOrder order = order_of(domain);
  const LatticeSteps at(now_.layout());
  start_volumes(step, domain.cells);
  Several<2> need = reduce<Each<Max, Max>>(exec, "transport.needs", domain.cells,
                                           CellNeeds{at, order, face_data(exec, step.fluxes), cell_data(exec, now_),
                                                     step.cut() ? cell_data(exec, step.groups->single()) : nullptr});
  if (step.cut() && !step.groups->empty()) {
    Buffer<double> needs(std::size_t(2 * step.groups->count()));
    for_each_index(exec, "transport.group_needs", step.groups->count(),
                   GroupNeeds{at, order, face_data(exec, step.fluxes), cell_data(exec, now_),
                              step.groups->begin().read(exec), step.groups->cells().read(exec), needs.write(exec)});
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
    for (int i = 0; i < order.count; ++i) sweeps_.push_back({order.axis[i], part});
    if (joined) sweeps_.back().part *= 2;
    for (int i = order.count - 1 - (joined ? 1 : 0); i >= 0; --i) sweeps_.push_back({order.axis[i], part});
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
  fill_halo(exec, step.domain, step.domain.cells, HaloRule{}, next_);
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
  for (Field<float>* share : shares) {
    fill_halo(exec, step.domain, step.domain.cells, step.beyond, *share);
    const HeldShare held{at.step[sweep.axis],    cell_data(exec, amounts_), cell_data(exec, now_),
                         cell_data(exec, next_), cell_data(exec, before),   cell_data(exec, after),
                         cell_data(exec, *share)};
    for_each_cell(exec, "transport.shares", cells, SweepShares{at, held, share_.update(exec).data});
    if (step.cut())
      for_each_index(exec, "transport.group_shares", step.groups->count(),
                     SweepGroups<HeldShare>{step.groups->begin().read(exec), step.groups->cells().read(exec), held,
                                            share_.update(exec).data});
    std::swap(*share, share_);
  }
}

void FluxTransport::carry(const FluxStep& step, Field<float>& values) {
  carry(step, values, {});
}

void FluxTransport::carry(const FluxStep& step, Field<float>& values, std::vector<Field<float>*> parts) {
  const Exec& exec = step.exec;
  const Domain& domain = step.domain;
  // A GPU would wait for the answer; parts have zeros of their own.
  const bool everywhere = !exec.on_cpu() || !parts.empty();
  Box box = domain.cells;
  if (!everywhere) {
    box = occupied(exec, values, domain.cells);
    if (box.empty()) return;
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
    fill_halo(exec, domain, domain.cells, step.beyond, values);
    sweep(step, box, sweeps_[i], values, other_);
    if (!parts.empty()) carry_shares(step, box, sweeps_[i], values, other_, parts);
    std::swap(values, other_);
    std::swap(now_, next_);
  }
  for (Field<float>* part : parts)
    for_each_cell(exec, "transport.from_share", domain.cells, FromShare{values.read(exec), part->update(exec)});
}

}  // namespace silt
