#include <cmath>

#include "silt/core/loops.h"
#include "silt/physics/common/advect_pass.h"
#include "silt/physics/common/occupied.h"

namespace silt {

namespace {

/// The first half: the plain result, and the range it was interpolated from.
template <class Trace>
struct Forward {
  Trace trace;
  float back;
  SampleBounds bounds;
  View<const float> from;
  View<float> to, lowest, highest;
  template <class F>
  SILT_HD_INLINE void at(Cell c) const {
    const auto foot = SamplePointOf<F>::template at<Trace::wraps>(bounds, c, trace.template follow<F>(c, back));
    const CornersOf<F> v = CornersOf<F>::at(from, foot);
    store(v.value(), to, c);
    store(v.lowest(), lowest, c);
    store(v.highest(), highest, c);
  }
};

/// The second half: carry the result back, and take off half of what it missed.
///   to = forward + (from - returned) / 2, held between lowest and highest
template <class Trace, bool Clamp>
struct Correct {
  Trace trace;
  float back;
  SampleBounds bounds;
  OpenSides sides;
  View<const float> from, forward, lowest, highest;
  View<float> to;
  template <class F>
  SILT_HD_INLINE void at(Cell c) const {
    const DisplacementOf<F> on = trace.template follow<F>(c, -back);
    const auto there = SamplePointOf<F>::template at<Trace::wraps>(bounds, c, on);
    const F returned = CornersOf<F>::at(forward, there).value();
    const F difference = load<F>(from, c) - returned;
    const F missed = sides.within(c, on) ? difference : F{};
    const F value = load<F>(forward, c) + 0.5f * missed;
    if constexpr (Clamp) {
      const F lo = load<F>(lowest, c), hi = load<F>(highest, c);
      store<F>(value < lo ? lo : value > hi ? hi : value, to, c);
    } else {
      store(value, to, c);
    }
  }
};

/// The cells where the two halves have anything to do.
struct Boxes {
  Box forward, correct;

  static Boxes of(const AdvectPass& pass, const Field<float>& from) {
    const Box all = pass.box();
    // Velocities are zero nowhere; where positions wrap a box is no bound. A GPU would wait for the answer.
    if (pass.site >= 0 || pass.bounds().wraps() || !pass.exec.on_cpu()) return {all, all};
    const Int3 active = pass.domain.lattice.active;
    const double longest = longest_path(pass.exec, pass.domain, std::abs(pass.dt), pass.velocity);
    if (!(longest < 1e6)) return {all, all};
    // As far as a sample reads: two cells round its point.
    const int reach = int(std::ceil(longest)) + 2;
    const Box filled = occupied(pass.exec, from, grow(all, active * default_halo));
    if (filled.empty()) return {};
    // There the forward half has values; those that it makes of them, the other half carries back as far.
    return {intersect(grow(filled, active * (3 * reach)), all), intersect(grow(filled, active * (2 * reach)), all)};
  }
};

struct RunForward {
  const AdvectPass& pass;
  const Box& box;
  const Field<float>& from;
  Field<float>&to, &lowest, &highest;
  template <class Trace>
  void operator()(const Trace& trace) const {
    const Exec& exec = pass.exec;
    for_each_strip(exec, "advect.forward", box,
                   Forward<Trace>{trace, pass.back(), pass.bounds(), from.read(exec), to.write(exec),
                                  lowest.write(exec), highest.write(exec)});
  }
};

template <bool Clamp>
struct RunCorrect {
  const AdvectPass& pass;
  const Box& box;
  const Field<float>&from, &forward, &lowest, &highest;
  Field<float>& to;
  template <class Trace>
  void operator()(const Trace& trace) const {
    const Exec& exec = pass.exec;
    for_each_strip(exec, "advect.correct", box,
                   Correct<Trace, Clamp>{trace, pass.back(), pass.bounds(), pass.open_sides(), from.read(exec),
                                         forward.read(exec), lowest.read(exec), highest.read(exec), to.write(exec)});
  }
};

}  // namespace

void advect_maccormack(const AdvectPass& pass, const Field<float>& from, AdvectScratch& scratch, Field<float>& to) {
  Field<float>&forward = scratch[0], &lowest = scratch[1], &highest = scratch[2];
  const Box all = pass.box();
  if (!pass.options.clamp) {
    advect_linear(pass, from, forward);
    pass.fill_halo(forward);
    return with_trace(pass, RunCorrect<false>{pass, all, from, forward, lowest, highest, to});
  }
  const Boxes boxes = Boxes::of(pass, from);
  with_trace(pass, RunForward{pass, boxes.forward, from, forward, lowest, highest});
  pass.fill_halo(forward);
  if (boxes.correct != all) clear(pass.exec, all, to);
  with_trace(pass, RunCorrect<true>{pass, boxes.correct, from, forward, lowest, highest, to});
}

}  // namespace silt
