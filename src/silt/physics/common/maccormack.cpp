#include "silt/core/loops.h"
#include "silt/physics/common/advect_pass.h"

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
  SILT_HD_INLINE void operator()(Cell c) const {
    const Corners v = Corners::at(from, SamplePoint::at<Trace::wraps>(bounds, c, trace(c, back)));
    to(c) = v.value();
    lowest(c) = v.lowest();
    highest(c) = v.highest();
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
  SILT_HD_INLINE void operator()(Cell c) const {
    const Displacement on = trace(c, -back);
    const float returned = Corners::at(forward, SamplePoint::at<Trace::wraps>(bounds, c, on)).value();
    const float difference = from(c) - returned;  // read in every cell: a load under a condition is not vectorised
    const float missed = sides.within(c, on) ? difference : 0.0f;
    const float value = forward(c) + 0.5f * missed;
    if constexpr (Clamp) {
      const float lo = lowest(c), hi = highest(c);
      to(c) = value < lo ? lo : value > hi ? hi : value;
    } else {
      to(c) = value;
    }
  }
};

struct RunForward {
  const AdvectPass& pass;
  const Field<float>& from;
  Field<float>&to, &lowest, &highest;
  template <class Trace>
  void operator()(const Trace& trace) const {
    const Exec& exec = pass.exec;
    for_each_cell(exec, "advect.forward", pass.box(),
                  Forward<Trace>{trace, pass.back(), pass.bounds(), from.read(exec), to.write(exec), lowest.write(exec),
                                 highest.write(exec)});
  }
};

template <bool Clamp>
struct RunCorrect {
  const AdvectPass& pass;
  const Field<float>&from, &forward, &lowest, &highest;
  Field<float>& to;
  template <class Trace>
  void operator()(const Trace& trace) const {
    const Exec& exec = pass.exec;
    for_each_cell(exec, "advect.correct", pass.box(),
                  Correct<Trace, Clamp>{trace, pass.back(), pass.bounds(), pass.open_sides(), from.read(exec),
                                        forward.read(exec), lowest.read(exec), highest.read(exec), to.write(exec)});
  }
};

}  // namespace

void advect_maccormack(const AdvectPass& pass, const Field<float>& from, AdvectScratch& scratch, Field<float>& to) {
  Field<float>&forward = scratch[0], &lowest = scratch[1], &highest = scratch[2];
  if (pass.options.clamp)
    with_trace(pass, RunForward{pass, from, forward, lowest, highest});
  else
    advect_linear(pass, from, forward);
  pass.fill_halo(forward);
  if (pass.options.clamp)
    with_trace(pass, RunCorrect<true>{pass, from, forward, lowest, highest, to});
  else
    with_trace(pass, RunCorrect<false>{pass, from, forward, lowest, highest, to});
}

}  // namespace silt
