#include "silt/core/loops.h"
#include "silt/fields/cubic_sampler.h"
#include "silt/physics/common/advect_pass.h"

namespace silt {

namespace {

/// to(x) = from(where the flow was dt ago), interpolated linearly [STA99].
template <class Trace>
struct Linear {
  Trace trace;
  float back;
  SampleBounds bounds;
  View<const float> from;
  View<float> to;
  template <class F>
  SILT_HD_INLINE void at(Cell c) const {
    const auto foot = SamplePointOf<F>::template at<Trace::wraps>(bounds, c, trace.template follow<F>(c, back));
    store(CornersOf<F>::at(from, foot).value(), to, c);
  }
};

/// The same, interpolated by monotone cubics.
template <class Trace, bool Flat>
struct Cubic {
  Trace trace;
  float back;
  SampleBounds bounds;
  View<const float> from;
  View<float> to;
  SILT_HD_INLINE void operator()(Cell c) const {
    to(c) = CubicSample<Flat>::at(from, SamplePoint::at<Trace::wraps>(bounds, c, trace.follow(c, back)));
  }
};

struct RunLinear {
  const AdvectPass& pass;
  const Field<float>& from;
  Field<float>& to;
  template <class Trace>
  void operator()(const Trace& trace) const {
    for_each_strip(pass.exec, "advect.linear", pass.box(),
                   Linear<Trace>{trace, pass.back(), pass.bounds(), from.read(pass.exec), to.write(pass.exec)});
  }
};

struct RunCubic {
  const AdvectPass& pass;
  const Field<float>& from;
  Field<float>& to;
  template <class Trace, bool Flat>
  void run(const Trace& trace) const {
    for_each_cell(pass.exec, "advect.cubic", pass.box(),
                  Cubic<Trace, Flat>{trace, pass.back(), pass.bounds(), from.read(pass.exec), to.write(pass.exec)});
  }
  template <class Trace>
  void operator()(const Trace& trace) const {
    if (pass.domain.lattice.active.z)
      run<Trace, false>(trace);
    else if constexpr (Trace::site != 2)
      run<Trace, true>(trace);
  }
};

}  // namespace

void advect_linear(const AdvectPass& pass, const Field<float>& from, Field<float>& to) {
  with_trace(pass, RunLinear{pass, from, to});
}

void advect_cubic(const AdvectPass& pass, const Field<float>& from, Field<float>& to) {
  with_trace(pass, RunCubic{pass, from, to});
}

}  // namespace silt
