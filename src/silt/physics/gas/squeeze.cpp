#include "silt/physics/gas/squeeze.h"

#include "silt/core/loops.h"
#include "silt/physics/gas/lattice_steps.h"

namespace silt::gas {

namespace {

/// Jumps of this part of the speed of sound count by half in the linear term.
constexpr float gentle = 0.02f;
/// q is a viscosity, of an explicit step: the part of a cell that it may spread by along an axis.
constexpr double stable = 0.4;

struct Squeeze {
  LatticeSteps at;
  GasLaw law;
  float linear, quadratic;
  float fastest;  ///< what a step can bear of it [m/s]
  FaceData u;
  CellData density, density_0, pressure, pressure_0;
  float* push;

  SILT_HD_INLINE void along(int axis, int n, float& loss, float& rough) const {
    const float* v = u.part[axis];
    const int s = at.step[axis];
    const float here = v[n] - v[n + s], low = v[n - s] - v[n], high = v[n + s] - v[n + 2 * s];
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
  for_each_cell(exec, "gas.squeeze", frame.domain.cells,
                Squeeze{LatticeSteps(density.layout()), frame.law, float(options.linear), float(options.quadratic),
                        float(stable / (frame.lam() * frame.domain.lattice.dims())), face_data(exec, velocity),
                        cell_data(exec, density), cell_data(exec, frame.reference.density), cell_data(exec, pressure),
                        cell_data(exec, frame.reference.pressure), push.write(exec).data});
}

}  // namespace silt::gas
