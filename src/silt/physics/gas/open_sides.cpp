#include "silt/physics/gas/open_sides.h"

#include <algorithm>

#include "silt/core/loops.h"
#include "silt/physics/gas/open_face.h"

namespace silt::gas {

namespace {

/// Of sound through the domain, within which the pressure on a side falls back.
constexpr double passages = 10;

/// Impedance and pull of a face.
struct Sound {
  GasLaw law;
  float relax;  ///< dt / (10 L): times c, K dt
  CellData density, density_0, pressure, pressure_0;

  SILT_HD float rho(int n) const { return density_0[n] + density[n]; }
  SILT_HD float speed(int n) const { return std::sqrt(law.c2(pressure_0[n] + pressure[n], rho(n))); }
  /// What is left of p_b after the step; all of it where something blows in: see BlowIn.
  SILT_HD float kept(int n, const InletNow* in) const { return in ? 1.0f : 1 / (1 + relax * speed(n)); }
};

/// p_b of a face where nothing has happened yet: that inside, and what begins to blow.
SILT_HD inline float begin(const OpenFace& on, const Sound& sound, Cell c, float u) {
  const int n = on.inside(c);
  const InletNow* in = on.inlet(c);
  return sound.pressure[n] - (in ? 2 * sound.rho(n) * sound.speed(n) * (in->outwards - on.outwards(u)) : 0.0f);
}

struct BeginOpen {
  OpenFace on;
  Sound sound;
  CellData u;
  float* side;
  SILT_HD void operator()(Cell c) const { side[on.packed(c)] = begin(on, sound, c, u[on.face(c)]); }
};

struct BlowIn {
  OpenFace on;
  Sound sound;
  CellData u;
  float* side;
  SILT_HD void operator()(Cell c) const {
    const InletNow* in = on.inlet(c);
    if (!in && !on.closed(c)) return;
    float& p_b = side[on.packed(c)];
    const float now = u[on.face(c)];
    if (now == 0) {  // it was closed, or nothing blows yet
      p_b = begin(on, sound, c, now);
    } else if (in) {
      const int n = on.inside(c);
      const float pull = 2 * in->relax * sound.speed(n), missing = on.outwards(now) - (in->outwards - in->change);
      p_b += sound.rho(n) * sound.speed(n) * (missing * pull / (1 + 0.5f * pull) - 2 * in->change);
    }
  }
};

struct FillOpen {
  OpenFace on;
  GasLaw law;
  int layers;
  CellData u, density_0, pressure_0;
  const float* side;
  float *density, *heat, *pressure;

  /// Of gas that enters, less the reference's: air, squeezed, or what blows.
  SILT_HD float entering(const InletNow* in, float p, int m) const {
    if (!in || law.heat == Heat::linear) return p / law.c2(pressure_0[m], density_0[m]);
    return (pressure_0[m] + p) / (law.gas_constant * in->temperature) - density_0[m];
  }
  SILT_HD void operator()(Cell c) const {
    const int n = on.inside(c);
    const InletNow* in = on.inlet(c);
    const float on_face = on.closed(c) ? pressure[n] : side[on.packed(c)];
    const bool leaves = on.closed(c) || on.outwards(u[on.face(c)]) > 0, given = in && in->fast;
    for (int k = 1; k <= layers; ++k) {
      const int m = on.beyond(c, k);
      const float p = given ? in->pressure - pressure_0[m] : 2 * on_face - pressure[n];
      const float rho = entering(in, in && !given ? on_face : p, m);
      pressure[m] = p;
      density[m] = leaves ? density[n] : rho;
      if (law.heat == Heat::entropy)
        heat[m] = leaves ? heat[n]
                  : in   ? law.factor_of_pressure(pressure_0[m] + (given ? p : on_face), density_0[m] + rho) - 1
                         : law.factor_of_pressure(pressure_0[m], density_0[m]) - 1;
    }
  }
};

struct PrepareOpen {
  OpenFace on;
  Sound sound;
  float lam, theta;
  CellData u;
  const float* side;
  float *us, *weight;

  SILT_HD void operator()(Cell c) const {
    const int f = on.face(c), n = on.inside(c);
    const InletNow* in = on.inlet(c);
    if (on.closed(c) || (in && in->fast)) {
      weight[f] = 0;
      us[f] = in ? in->velocity[on.axis] : 0.0f;
      return;
    }
    const float before = on.outwards(u[f]), kept = sound.kept(n, in), rho = sound.rho(n);
    const float stiff = 2 * theta * lam * kept * sound.speed(n), push = 2 * theta * lam / rho;
    // `us` holds theta u~ + (1 - theta) u; u~ without the pull of what stands beyond.
    const float next = (on.outwards(us[f]) - (1 - theta) * before) / theta;
    const float end = (next + stiff * before - push * kept * side[on.packed(c)]) / (1 + stiff);
    us[f] = on.outwards(theta * end + (1 - theta) * before);
    weight[f] = 2 / (rho * (1 + stiff));
  }
};

struct TakeOpen {
  OpenFace on;
  double factor;  ///< theta^2 dt / h
  CellData weight;
  const double* p;
  float* us;
  SILT_HD void operator()(Cell c) const {
    const int f = on.face(c);
    us[f] += on.outwards(float(factor * weight[f] * p[on.inside(c)]));
  }
};

struct FillOpenPush {
  OpenFace on;
  Sound sound;
  int layers;
  float lam, share;  ///< share: of the end of the step in its mean
  const float* side;
  float *push, *work;

  /// p_b on the mean of the step: with p the pressure inside, d u = 2 dt / (rho h) (p - p_b), p_b += share rho c d u.
  SILT_HD float mean(float inside, float p_b, int n) const {
    const float gain = 2 * lam * share * sound.speed(n);
    return p_b + (inside - p_b) * gain / (1 + gain);
  }
  SILT_HD void operator()(Cell c) const {
    const int n = on.inside(c);
    const float p_b = on.closed(c) ? push[n] : side[on.packed(c)];
    const float pushed = 2 * mean(push[n], p_b, n), worked = 2 * mean(work[n], p_b, n);
    for (int k = 1; k <= layers; ++k) {
      const int m = on.beyond(c, k);
      push[m] = pushed - push[n];
      work[m] = worked - work[n];
    }
  }
};

struct FollowOpen {
  OpenFace on;
  Sound sound;
  float lam, share;  ///< as FillOpenPush has them
  CellData before, push;
  float *after, *side;

  SILT_HD void operator()(Cell c) const {
    const int f = on.face(c), n = on.inside(c);
    const InletNow* in = on.inlet(c);
    if (on.closed(c) || (in && in->fast)) return;
    float& p_b = side[on.packed(c)];
    // p_b went with what the pressures changed; what the flow has brought along it resists as well.
    const float pushed = lam * (push[n] - push[on.beyond(c, 1)]) / sound.rho(n),
                gain = 2 * lam * share * sound.speed(n);
    const float brought = on.outwards(after[f] - before[f]) - pushed;
    after[f] -= on.outwards(brought * gain / (1 + gain));
    // Against what leaves faster than sound nothing comes in: the pressure is that inside.
    if (on.outwards(after[f]) >= sound.speed(n))
      p_b = sound.pressure[n];
    else
      p_b = sound.kept(n, in) * (p_b + sound.rho(n) * sound.speed(n) * on.outwards(after[f] - before[f]));
  }
};

Sound sound_of(const StepFrame& frame, const OpenSide& side, const GasState& state, const Field<float>& pressure) {
  const Exec& exec = frame.exec;
  const double length = frame.h() * frame.domain.cells.size()[side.axis];
  return {frame.law,
          float(frame.dt / (passages * length)),
          cell_data(exec, state.density),
          cell_data(exec, frame.reference.density),
          cell_data(exec, pressure),
          cell_data(exec, frame.reference.pressure)};
}

}  // namespace

std::vector<OpenSide> open_sides(const Domain& domain) {
  std::vector<OpenSide> out;
  for (int axis = 0; axis < 3; ++axis)
    for (int end = 0; end < 2; ++end) {
      if (!domain.lattice.active[axis] || domain.side(axis, end) != Side::open) continue;
      Box faces = domain.faces(axis);
      (end == 0 ? faces.hi[axis] : faces.lo[axis]) = end == 0 ? faces.lo[axis] + 1 : faces.hi[axis] - 1;
      out.push_back({axis, end, faces});
    }
  return out;
}

void begin_open(const StepFrame& frame, const Field<float>& pressure, GasState& state) {
  const Exec& exec = frame.exec;
  const std::vector<OpenSide> sides = open_sides(frame.domain);
  for (std::size_t i = 0; i < sides.size(); ++i)
    for_each_cell(
        exec, "gas.open.begin", sides[i].faces,
        BeginOpen{open_face(frame, i, sides[i], pressure.layout()), sound_of(frame, sides[i], state, pressure),
                  cell_data(exec, state.velocity[sides[i].axis]), state.at_sides[i].update(exec)});
}

void blow_in(const StepFrame& frame, const Field<float>& pressure, GasState& state) {
  const Exec& exec = frame.exec;
  const std::vector<OpenSide> sides = open_sides(frame.domain);
  for (std::size_t i = 0; i < sides.size(); ++i)
    if (frame.inlets && (*frame.inlets)[i].any())
      for_each_cell(exec, "gas.open.blow", sides[i].faces,
                    BlowIn{open_face(frame, i, sides[i], pressure.layout()), sound_of(frame, sides[i], state, pressure),
                           cell_data(exec, state.velocity[sides[i].axis]), state.at_sides[i].update(exec)});
}

void fill_open(const StepFrame& frame, const std::vector<Buffer<float>>& at_sides, GasState& state,
               Field<float>& pressure) {
  const Exec& exec = frame.exec;
  const std::vector<OpenSide> sides = open_sides(frame.domain);
  for (std::size_t i = 0; i < sides.size(); ++i)
    for_each_cell(
        exec, "gas.open", sides[i].faces,
        FillOpen{open_face(frame, i, sides[i], pressure.layout()), frame.law, pressure.layout().halo,
                 cell_data(exec, state.velocity[sides[i].axis]), cell_data(exec, frame.reference.density),
                 cell_data(exec, frame.reference.pressure), at_sides[i].read(exec), state.density.update(exec).data,
                 state.heat.allocated() ? state.heat.update(exec).data : nullptr, pressure.update(exec).data});
}

void prepare_open(const StepFrame& frame, const std::vector<Buffer<float>>& at_sides, const GasState& state,
                  const Field<float>& pressure, MacField<float>& us, MacField<float>& weights) {
  const Exec& exec = frame.exec;
  const std::vector<OpenSide> sides = open_sides(frame.domain);
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const int a = sides[i].axis;
    for_each_cell(
        exec, "gas.open.prepare", sides[i].faces,
        PrepareOpen{open_face(frame, i, sides[i], pressure.layout()), sound_of(frame, sides[i], state, pressure),
                    float(frame.lam()), float(frame.theta), cell_data(exec, state.velocity[a]), at_sides[i].read(exec),
                    us[a].update(exec).data, weights[a].update(exec).data});
  }
}

void take_open(const StepFrame& frame, const MacField<float>& weights, const Field<double>& solved,
               MacField<float>& us) {
  const Exec& exec = frame.exec;
  const std::vector<OpenSide> sides = open_sides(frame.domain);
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const int a = sides[i].axis;
    for_each_cell(exec, "gas.open.take", sides[i].faces,
                  TakeOpen{open_face(frame, i, sides[i], solved.layout()), frame.theta * frame.theta * frame.lam(),
                           cell_data(exec, weights[a]), solved.read(exec).data, us[a].update(exec).data});
  }
}

void fill_open_push(const StepFrame& frame, const std::vector<Buffer<float>>& at_sides, const GasState& state,
                    const Field<float>& pressure, Field<float>& push, Field<float>& work) {
  const Exec& exec = frame.exec;
  const std::vector<OpenSide> sides = open_sides(frame.domain);
  for (std::size_t i = 0; i < sides.size(); ++i)
    for_each_cell(exec, "gas.open.push", sides[i].faces,
                  FillOpenPush{open_face(frame, i, sides[i], push.layout()), sound_of(frame, sides[i], state, pressure),
                               push.layout().halo, float(frame.lam()), frame.implicit ? float(frame.theta) : 0.5f,
                               at_sides[i].read(exec), push.update(exec).data, work.update(exec).data});
}

void follow_open(const StepFrame& frame, const MacField<float>& before, const Field<float>& pressure,
                 const Field<float>& push, GasState& state) {
  const Exec& exec = frame.exec;
  const std::vector<OpenSide> sides = open_sides(frame.domain);
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const int a = sides[i].axis;
    for_each_cell(
        exec, "gas.open.follow", sides[i].faces,
        FollowOpen{open_face(frame, i, sides[i], pressure.layout()), sound_of(frame, sides[i], state, pressure),
                   float(frame.lam()), frame.implicit ? float(frame.theta) : 0.5f, cell_data(exec, before[a]),
                   cell_data(exec, push), state.velocity[a].update(exec).data, state.at_sides[i].update(exec)});
  }
}

}  // namespace silt::gas
