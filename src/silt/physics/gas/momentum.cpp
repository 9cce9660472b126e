#include "silt/physics/gas/momentum.h"

#include <cmath>

#include "silt/core/loops.h"
#include "silt/physics/common/lattice_steps.h"
#include "silt/physics/gas/passable_faces.h"

namespace silt::gas {

namespace {

/// Loops over faces count axes from the one across them, which is 0: one kernel serves all three.
struct StepsFrom {
  LatticeSteps at;
  int step[3];

  StepsFrom(const Layout& layout, int axis) : at(layout) {
    for (int k = 0; k < 3; ++k) step[k] = at.step[(axis + k) % 3];
  }
  SILT_HD_INLINE int index(Cell c) const { return at.index(c); }
};
FaceData data_from(const Exec& exec, const MacField<float>& field, int axis) {
  const FaceData all = face_data(exec, field);
  return {{all.part[axis], all.part[(axis + 1) % 3], all.part[(axis + 2) % 3]}};
}

enum class Seen { centrally, upwind, limited };

template <Seen How>
struct Forecast {
  StepsFrom at;
  float along;  ///< the part of dt, over h
  float by_pressure, by_q, by_weight;
  FaceData u;
  CellData density, density_0, pressure, q;
  float* us;

  /// Velocity along an axis: across it that of four faces round this one.
  template <int B>
  SILT_HD_INLINE float speed(int n) const {
    const float* v = u.part[B];
    const int s = at.step[0], t = at.step[B];
    return B == 0 ? v[n] : 0.25f * ((v[n] + v[n + t]) + (v[n - s] + v[n - s + t]));
  }
  template <int B>
  SILT_HD_INLINE float carried(int n) const {
    const float* v = u.part[0];
    const int t = at.step[B];
    const float goes = speed<B>(n);
    if constexpr (How == Seen::centrally) {
      return goes * 0.5f * (v[n + t] - v[n - t]);
    } else {
      constexpr Flux flux = How == Seen::limited ? Flux::limited : Flux::upwind;
      const float courant = goes * along;
      return goes * (face_value<flux>(v, n + t, t, courant) - face_value<flux>(v, n, t, courant));
    }
  }
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = at.index(c), low = n - at.step[0];
    const float heavier = 0.5f * (density[low] + density[n]);
    const float rho = 0.5f * (density_0[low] + density_0[n]) + heavier;
    const float brought = along * (carried<0>(n) + carried<1>(n) + carried<2>(n));
    const float pushed = by_pressure * (pressure[n] - pressure[low]) + by_q * (q[n] - q[low]);
    us[n] = u.part[0][n] - brought + (by_weight * heavier - pushed) / rho;
  }
};

/// What one face of the cell about a face lets through.
struct Crossing {
  float mass, momentum, energy;
  float entering, leaving;  ///< mass that comes in, and that goes
};

template <Flux F, bool Cut, bool Conserved, bool Keeps>
struct CarryMomentum {
  StepsFrom at;
  float lam, by_weight;  ///< dt / h; dt g
  FaceData us, carrier;  ///< carrier: mass fluxes, or us again
  CellData u, density, density_0, push, work, open, room, room_before, stands_before, stands_now, density_before;
  float *after, *lost;

  /// Through the face below n along B: between the faces n - step and n.
  template <int B>
  SILT_HD_INLINE Crossing below(int n) const {
    const int t = at.step[B], beside = n - at.step[0];
    const float low = u[n - t], high = u[n];
    const float mass = 0.5f * (carrier.part[B][beside] + carrier.part[B][n]);
    // Behind is where the mass comes from: two faces that are not equally open, or gas of two densities, can have a
    // mean velocity the other way, and what was taken from ahead by it grew.
    const float speed = std::copysign(0.5f * (us.part[B][beside] + us.part[B][n]), mass);
    float momentum = mass * face_value<F>(u, n, t, speed * lam);
    if constexpr (F == Flux::zip && B == 0) {
      // Of velocities that the flow goes with during the step: of those before it what is central grows. Beside solids
      // a product of them knows nothing of how little may pass.
      const float rho = Conserved ? density_0[n - t] + density[n - t] : 1.0f;
      const bool whole = !Cut || (open[n - t] == 1 && open[n] == 1);
      momentum = whole ? rho * us.part[0][n - t] * us.part[0][n] : momentum;  // (3.32)
    }
    // The one that central values carry without loss, and what this momentum differs from theirs by.
    return {mass, momentum, 0.5f * (momentum * (low + high) - mass * low * high), 0, 0};
  }
  template <int B>
  SILT_HD_INLINE void add(int n, Crossing& out) const {
    const Crossing high = below<B>(n + at.step[B]), low = below<B>(n);
    out.mass += high.mass - low.mass;
    out.momentum += high.momentum - low.momentum;
    out.energy += high.energy - low.energy;
    if constexpr (Cut) {
      out.entering += (low.mass > 0 ? low.mass : 0.0f) + (high.mass < 0 ? -high.mass : 0.0f);
      out.leaving += (low.mass < 0 ? -low.mass : 0.0f) + (high.mass > 0 ? high.mass : 0.0f);
    }
  }

  /// About a face.
  SILT_HD_INLINE float mass_about(int n, CellData part, CellData rho) const {
    const int low = n - at.step[0];
    const float at_low = Cut ? part[low] : 1.0f, at_high = Cut ? part[n] : 1.0f;
    return 0.5f * (at_low * (density_0[low] + rho[low]) + at_high * (density_0[n] + rho[n]));
  }
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = at.index(c), low = n - at.step[0];
    Crossing out{};
    add<0>(n, out), add<1>(n, out), add<2>(n, out);
    const float before = u[n];
    const float light = density[low], heavy = density[n];
    const float area = Cut ? open[n] : 1.0f;
    const float at_low = Cut ? room[low] : 1.0f, at_high = Cut ? room[n] : 1.0f;
    const float weight = by_weight * 0.5f * (at_low * light + at_high * heavy);
    const float is = mass_about(n, room, density);
    float mass = is, turned = lam * (out.momentum - before * out.mass);
    if constexpr (Cut) {
      // About a face beside small cells: no lighter than what passes it, and never more than all of it exchanged.
      const float least = area * 0.5f * ((density_0[low] + light) + (density_0[n] + heavy));
      const float crossing = out.entering > out.leaving ? out.entering : out.leaving;
      const float exchanged = lam * (Conserved ? crossing : crossing * least);
      mass = mass > least ? mass : least;
      turned *= exchanged > mass ? mass / exchanged : 1.0f;
    }
    const float pushed = weight - lam * area * (push[n] - push[low]);
    const bool passes = !Cut || area > 0;
    if constexpr (!Conserved) {
      after[n] = passes ? before - turned + pushed / mass : before;
    } else {
      const float now = passes ? before + (pushed - turned) / mass : before;
      after[n] = now;
      if constexpr (Keeps) {
        const float worked = us.part[0][n] * (weight - lam * area * (work[n] - work[low]));
        if constexpr (!Cut) {
          const float carried = lam * (out.energy - 0.5f * before * before * out.mass);
          lost[n] = worked - carried - 0.5f * mass * (now - before) * (now + before);
        } else {
          // What comes to a closed face stays there, as heat. Beside a solid that moves mass comes and goes with it,
          // and has the velocity that is there: only what flows changes that. Elsewhere small cells have shared theirs.
          const bool moves = stands_now[n] != stands_before[n] || stands_now[low] != stands_before[low];
          const float was = mass_about(n, room_before, density_before);
          const float still = lam * out.energy + (passes ? 0.5f * (is * now * now - was * before * before) : 0.0f);
          const float slowed =
              lam * (out.energy - 0.5f * before * before * out.mass) + 0.5f * mass * (now - before) * (now + before);
          const float stopped = lam * (out.energy - before * out.momentum + 0.5f * before * before * out.mass);
          lost[n] = worked - (!moves ? still : passes ? slowed : stopped);
        }
      }
    }
  }
};

/// What is carried to a wall of the domain stays there, as heat. The cell beyond gets half: twice as much is lost.
template <class Carry>
struct StopAtWall {
  Carry carry;
  int end;
  SILT_HD void operator()(Cell c) const {
    const int n = carry.at.index(c);
    const float comes =
        end == 0 ? -carry.template below<0>(n + carry.at.step[0]).energy : carry.template below<0>(n).energy;
    carry.lost[n] = 2 * carry.lam * comes;
  }
};

/// Of its pressure, that what is lost may take from a cell: gas ten million times as cold as its neighbours stays warm.
constexpr float most_taken = 0.9f;

/// Pressures nearer to none than this part of the reference's are as good as vacuum: what differs from the reference,
/// in floats, cannot tell them from it. What is further below is a step that was too long, and is left to be seen.
constexpr float vacuum = 1e-6f;

/// p' with what a cell gets back, p_0 and p' being what it has.
SILT_HD_INLINE float with_heat(float p_0, float p, float got) {
  const float least = -most_taken * (p_0 + p), now = p + (got > least ? got : least), thin = vacuum * p_0;
  return p_0 + now < thin && p_0 + now > -thin ? thin - p_0 : now;
}

template <bool Cut>
struct ReturnHeat {
  LatticeSteps at;
  float factor;  ///< gamma - 1
  FaceData lost;
  CellData push, pressure_0, room;
  float* pressure;

  /// What a cell holds of inner energy, but for a factor.
  SILT_HD_INLINE float holds(int n) const { return (Cut ? room[n] : 1.0f) * (pressure_0[n] + push[n]); }
  SILT_HD_INLINE float share(int axis, int face, int other, float own) const {
    return lost.part[axis][face] * own / (own + holds(other));
  }
  /// By volume.
  SILT_HD_INLINE float heat(int n) const {
    const float own = holds(n);
    if (!(own > 0)) return 0;
    float sum = 0;
    for (int a = 0; a < 3; ++a) {
      const int s = at.step[a];
      if (s == 0) continue;
      sum += share(a, n, n - s, own) + share(a, n + s, n + s, own);
    }
    return factor * sum / (Cut ? room[n] : 1.0f);
  }
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = at.index(c);
    if constexpr (Cut) {
      pressure[n] = heat(n);
    } else {
      pressure[n] = with_heat(pressure_0[n], pressure[n], heat(n));
    }
  }
};

struct AddHeat {
  LatticeSteps at;
  CellData heat, pressure_0;
  float* pressure;
  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = at.index(c);
    pressure[n] = with_heat(pressure_0[n], pressure[n], heat[n]);
  }
};

template <Seen How>
void forecast_along(int axis, const StepFrame& frame, const Ahead& ahead, const MacField<float>& velocity,
                    const Field<float>& density, const Field<float>& pressure, const Field<float>& q,
                    MacField<float>& us) {
  const Exec& exec = frame.exec;
  const double lam = frame.lam();
  for_each_cell(
      exec, "gas.forecast", passable_faces(frame.domain, axis),
      Forecast<How>{StepsFrom(density.layout(), axis), float(ahead.all * lam), float(ahead.pressure * lam),
                    float(ahead.all * lam), float(ahead.all * frame.dt * frame.gravity[axis]),
                    data_from(exec, velocity, axis), cell_data(exec, density), cell_data(exec, frame.reference.density),
                    cell_data(exec, pressure), cell_data(exec, q), us[axis].update(exec).data});
}

template <Flux F, bool Cut, bool Conserved, bool Keeps>
void carry_along(int axis, const StepFrame& frame, const MomentumIn& in, MacField<float>& after,
                 MacField<float>* lost) {
  using Carry = CarryMomentum<F, Cut, Conserved, Keeps>;
  const Exec& exec = frame.exec;
  const Domain& domain = frame.domain;
  const Openings& openings = frame.openings;
  const Carry carry{StepsFrom(in.density.layout(), axis),
                    float(frame.lam()),
                    float(frame.dt * frame.gravity[axis]),
                    data_from(exec, in.us, axis),
                    data_from(exec, Conserved ? in.fluxes.mass : in.us, axis),
                    cell_data(exec, in.velocity[axis]),
                    cell_data(exec, in.density),
                    cell_data(exec, frame.reference.density),
                    cell_data(exec, in.pressures.push),
                    cell_data(exec, in.pressures.work),
                    Cut ? cell_data(exec, openings.cut->open[axis]) : nullptr,
                    Cut ? cell_data(exec, *openings.room) : nullptr,
                    Cut ? cell_data(exec, *openings.room_before) : nullptr,
                    Cut ? cell_data(exec, *openings.by_distance_before) : nullptr,
                    Cut ? cell_data(exec, *openings.by_distance) : nullptr,
                    Cut && Keeps ? cell_data(exec, *in.density_before) : nullptr,
                    after[axis].update(exec).data,
                    Keeps ? (*lost)[axis].update(exec).data : nullptr};
  for_each_cell(exec, "gas.momentum", passable_faces(domain, axis), carry);
  if constexpr (Keeps)
    for (int end = 0; end < 2; ++end) {
      if (domain.side(axis, end) != Side::wall) continue;
      Cells wall = domain.faces(axis);
      (end == 0 ? wall.hi : wall.lo)[axis] = end == 0 ? wall.lo[axis] + 1 : wall.hi[axis] - 1;
      for_each_cell(exec, "gas.at_wall", wall, StopAtWall<Carry>{carry, end});
    }
}

template <Flux F>
void carry_by(int axis, const StepFrame& frame, Carried carried, const MomentumIn& in, MacField<float>& after,
              MacField<float>* lost) {
  const auto with = [&]<bool Cut>() {
    if (carried == Carried::advected)
      carry_along<F, Cut, false, false>(axis, frame, in, after, nullptr);
    else if (lost)
      carry_along<F, Cut, true, true>(axis, frame, in, after, lost);
    else
      carry_along<F, Cut, true, false>(axis, frame, in, after, nullptr);
  };
  frame.openings.whole() ? with.template operator()<false>() : with.template operator()<true>();
}

}  // namespace

void forecast(const StepFrame& frame, const Ahead& ahead, const MacField<float>& velocity, const Field<float>& density,
              const Field<float>& pressure, const Field<float>& q, MacField<float>& us) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!frame.domain.lattice.active[axis]) continue;
    const auto run = [&](auto along) { along(axis, frame, ahead, velocity, density, pressure, q, us); };
    if (!frame.implicit)
      run(forecast_along<Seen::centrally>);
    else
      frame.flux == Flux::limited ? run(forecast_along<Seen::limited>) : run(forecast_along<Seen::upwind>);
  }
}

void carry_momentum(const StepFrame& frame, Carried carried, const MomentumIn& in, MacField<float>& after,
                    MacField<float>* lost) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!frame.domain.lattice.active[axis]) continue;
    const auto run = [&](auto carry) { carry(axis, frame, carried, in, after, lost); };
    switch (frame.flux) {
      case Flux::upwind:
        run(carry_by<Flux::upwind>);
        break;
      case Flux::zip:
        run(carry_by<Flux::zip>);
        break;
      case Flux::limited:
        run(carry_by<Flux::limited>);
        break;
    }
  }
}

void return_heat(const StepFrame& frame, const MacField<float>& lost, const Field<float>& push,
                 Field<float>& pressure) {
  const Exec& exec = frame.exec;
  for_each_cell(exec, "gas.return_heat", frame.domain.cells,
                ReturnHeat<false>{LatticeSteps(pressure.layout()), frame.law.gamma - 1, face_data(exec, lost),
                                  cell_data(exec, push), cell_data(exec, frame.reference.pressure), nullptr,
                                  pressure.update(exec).data});
}

void find_heat(const StepFrame& frame, const MacField<float>& lost, const Field<float>& push, Field<float>& heat) {
  const Exec& exec = frame.exec;
  for_each_cell(exec, "gas.find_heat", frame.domain.cells,
                ReturnHeat<true>{LatticeSteps(heat.layout()), frame.law.gamma - 1, face_data(exec, lost),
                                 cell_data(exec, push), cell_data(exec, frame.reference.pressure),
                                 cell_data(exec, *frame.openings.room), heat.update(exec).data});
}

void add_heat_back(const StepFrame& frame, const Field<float>& heat, Field<float>& pressure) {
  const Exec& exec = frame.exec;
  for_each_cell(exec, "gas.add_heat", frame.domain.cells,
                AddHeat{LatticeSteps(heat.layout()), cell_data(exec, heat), cell_data(exec, frame.reference.pressure),
                        pressure.update(exec).data});
}

}  // namespace silt::gas
