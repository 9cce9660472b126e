#include "silt/physics/gas/follow_solids.h"

#include <cmath>

#include "silt/core/loops.h"
#include "silt/fields/face_corners.h"
#include "silt/physics/gas/passable_faces.h"

namespace silt::gas {

namespace {

struct Follow {
  int axis;
  Int3 active;
  Box free;  ///< faces that are no walls of the domain
  FaceCorners corners;
  View<const float> distance, grip, open;
  MacView<const float> velocity, solid;
  View<float> out;

  /// Rise of the distance along an axis, on the mean of the face; any unit.
  SILT_HD double rise(Cell c, int b) const {
    if (b == axis) return 0.5 * (corners.mean(distance, c + unit(b)) - corners.mean(distance, c - unit(b)));
    const Int3 along = unit(b) * active, across = corners.s == along ? corners.t : corners.s;
    return 0.5 * ((double(distance(c + along)) - distance(c)) +
                  (double(distance(c + along + across)) - distance(c + across)));
  }
  /// A component at the face.
  SILT_HD static double at_face(const View<const float>& v, Cell c, int axis, int b) {
    if (b == axis) return v(c);
    const Cell low = c - unit(axis);
    return 0.25 * ((double(v(c)) + v(c + unit(b))) + (double(v(low)) + v(low + unit(b))));
  }
  SILT_HD void operator()(Cell c) const {
    out(c) = velocity[axis](c);
    if (!free.contains(c) || open(c) > 0 || corners.mean(grip, c) >= 0.5) return;
    double square = 0, slower = 0, along = 0;
    for (int b = 0; b < 3; ++b) {
      if (!active[b]) continue;
      const double n = rise(c, b);
      square += n * n;
      slower += n * (at_face(solid[b], c, axis, b) - at_face(velocity[b], c, axis, b));
      if (b == axis) along = n;
    }
    if (square > 0) out(c) += float(along * slower / square);
  }
};

}  // namespace

void follow_solids(const StepFrame& frame, const MacField<float>& velocity, MacField<float>& out) {
  const Exec& exec = frame.exec;
  const CutCells& cut = *frame.openings.cut;
  const Int3 active = frame.domain.lattice.active;
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "gas.follow_solids", frame.domain.faces(a),
                  Follow{a, active, passable_faces(frame.domain, a), FaceCorners(a, active), cut.distance.read(exec),
                         cut.grip.read(exec), cut.open[a].read(exec), velocity.read(exec),
                         cut.solid_velocity.read(exec), out[a].update(exec)});
}

}  // namespace silt::gas
