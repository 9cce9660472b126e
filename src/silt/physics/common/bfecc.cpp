#include "silt/core/loops.h"
#include "silt/physics/common/advect_pass.h"

namespace silt {

namespace {

/// Half of what going there and back has lost, put back where the step begins.
///   mended = from + (from - returned) / 2
template <class Trace>
struct Mend {
  Trace trace;
  float back;
  SampleBounds bounds;
  OpenSides sides;
  View<const float> from, forward;
  View<float> mended;
  template <class F>
  SILT_HD_INLINE void at(Cell c) const {
    const DisplacementOf<F> on = trace.template follow<F>(c, -back);
    const auto there = SamplePointOf<F>::template at<Trace::wraps>(bounds, c, on);
    const F returned = CornersOf<F>::at(forward, there).value();
    const F value = load<F>(from, c), difference = value - returned;
    const F missed = sides.within(c, on) ? difference : F{};
    store<F>(value + 0.5f * missed, mended, c);
  }
};

/// The mended field is carried, and held between the eight values of the field itself round the same point.
template <class Trace>
struct CarryWithin {
  Trace trace;
  float back;
  SampleBounds bounds;
  View<const float> from, mended;
  View<float> to;
  template <class F>
  SILT_HD_INLINE void at(Cell c) const {
    const auto foot = SamplePointOf<F>::template at<Trace::wraps>(bounds, c, trace.template follow<F>(c, back));
    const F value = CornersOf<F>::at(mended, foot).value();
    const CornersOf<F> range = CornersOf<F>::at(from, foot);
    const F lo = range.lowest(), hi = range.highest();
    store<F>(value < lo ? lo : value > hi ? hi : value, to, c);
  }
};

struct RunMend {
  const AdvectPass& pass;
  const Field<float>&from, &forward;
  Field<float>& mended;
  template <class Trace>
  void operator()(const Trace& trace) const {
    const Exec& exec = pass.exec;
    for_each_strip(exec, "advect.mend", pass.box(),
                   Mend<Trace>{trace, pass.back(), pass.bounds(), pass.open_sides(), from.read(exec),
                               forward.read(exec), mended.write(exec)});
  }
};

struct RunCarryWithin {
  const AdvectPass& pass;
  const Field<float>&from, &mended;
  Field<float>& to;
  template <class Trace>
  void operator()(const Trace& trace) const {
    const Exec& exec = pass.exec;
    for_each_strip(
        exec, "advect.carry_within", pass.box(),
        CarryWithin<Trace>{trace, pass.back(), pass.bounds(), from.read(exec), mended.read(exec), to.write(exec)});
  }
};

}  // namespace

void advect_bfecc(const AdvectPass& pass, const Field<float>& from, AdvectScratch& scratch, Field<float>& to) {
  Field<float>&forward = scratch[0], &mended = scratch[1];
  advect_linear(pass, from, forward);
  pass.fill_halo(forward);
  with_trace(pass, RunMend{pass, from, forward, mended});
  pass.fill_halo(mended);
  if (pass.options.clamp)
    with_trace(pass, RunCarryWithin{pass, from, mended, to});
  else
    advect_linear(pass, mended, to);
}

}  // namespace silt
