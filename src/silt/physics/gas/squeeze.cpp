#include "silt/physics/gas/squeeze.h"

#include "silt/core/loops.h"
#include "silt/physics/gas/lattice_steps.h"

namespace silt::gas {

namespace {

struct Squeeze {
  LatticeSteps at;
  GasLaw law;
  float linear, quadratic;
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
    push[n] = rho * jump * (linear * sound + quadratic * jump);
  }
};

}  // namespace

void squeeze(const StepFrame& frame, const SqueezeOptions& options, const MacField<float>& velocity,
             const Field<float>& density, const Field<float>& pressure, Field<float>& push) {
  const Exec& exec = frame.exec;
  for_each_cell(exec, "gas.squeeze", frame.domain.cells,
                Squeeze{LatticeSteps(density.layout()), frame.law, float(options.linear), float(options.quadratic),
                        face_data(exec, velocity), cell_data(exec, density), cell_data(exec, frame.reference.density),
                        cell_data(exec, pressure), cell_data(exec, frame.reference.pressure), push.write(exec).data});
}

}  // namespace silt::gas
