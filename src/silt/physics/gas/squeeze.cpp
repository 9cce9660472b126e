#include "silt/physics/gas/squeeze.h"

#include "silt/core/loops.h"
#include "silt/physics/common/lattice_steps.h"

namespace silt::gas {

namespace {

/// Jumps of this part of the speed of sound count by half in the linear term.
constexpr float gentle = 0.02f;
/// q is a viscosity, of an explicit step: the part of a cell that it may spread by along an axis.
constexpr double stable = 0.4;

template <bool Cut>
struct Squeeze {
  LatticeSteps at;
  GasLaw law;
  float linear, quadratic;
  float fastest;  ///< what a step can bear of it [m/s]
  FaceData u, open, solid;
  CellData density, density_0, pressure, pressure_0;
  float* push;

  /// Velocity on the mean of a face: that of the solid where one closes it. A jet through a gap is no shock, and gas
  /// that runs against a surface may be.
  SILT_HD_INLINE float mean(int axis, int n) const {
    const float v = u.part[axis][n];
    if constexpr (!Cut) return v;
    const float part = open.part[axis][n];
    return part * v + (1 - part) * solid.part[axis][n];
  }
  SILT_HD_INLINE void along(int axis, int n, float& loss, float& rough) const {
    const int s = at.step[axis];
    const float before = mean(axis, n - s), first = mean(axis, n), last = mean(axis, n + s);
    const float here = first - last, low = before - first, high = last - mean(axis, n + 2 * s);
    const float mean = 0.5f * (low + high), least = low < high ? low : high;
    float smooth = mean < 2 * least ? mean : 2 * least;
    smooth = smooth < here ? smooth : here;
    smooth = smooth > 0 ? smooth : 0.0f;
    loss += here;
    rough += here > 0 ? here - smooth : 0.0f;
  }

  SILT_HD_INLINE void operator()(Cell c) const {
    const int n = at.index(c);
    float loss = 0, rough = 0;
    along(0, n, loss, rough), along(1, n, loss, rough), along(2, n, loss, rough);
    float jump = rough < loss ? rough : loss;
    jump = jump > 0 ? jump : 0.0f;
    const float rho = density_0[n] + density[n], p = pressure_0[n] + pressure[n];
    const float sound = std::sqrt(law.c2(p, rho));
    // Of jumps that are no shocks the linear part would slow flows down by their Mach number.
    const float shock = jump / (jump + gentle * sound);
    const float speed = linear * shock * sound + quadratic * jump;
    push[n] = rho * jump * (speed < fastest ? speed : fastest);
  }
};

}  // namespace

void squeeze(const StepFrame& frame, const SqueezeOptions& options, const MacField<float>& velocity,
             const Field<float>& density, const Field<float>& pressure, Field<float>& push) {
  const Exec& exec = frame.exec;
  const auto run = [&]<bool Cut>() {
    const CutCells* cut = frame.openings.cut;
    for_each_cell(exec, "gas.squeeze", frame.domain.cells,
                  Squeeze<Cut>{LatticeSteps(density.layout()), frame.law, float(options.linear),
                               float(options.quadratic), float(stable / (frame.lam() * frame.domain.lattice.dims())),
                               face_data(exec, velocity), Cut ? face_data(exec, cut->open) : FaceData{},
                               Cut ? face_data(exec, cut->solid_velocity) : FaceData{}, cell_data(exec, density),
                               cell_data(exec, frame.reference.density), cell_data(exec, pressure),
                               cell_data(exec, frame.reference.pressure), push.write(exec).data});
  };
  frame.openings.whole() ? run.template operator()<false>() : run.template operator()<true>();
}

}  // namespace silt::gas
