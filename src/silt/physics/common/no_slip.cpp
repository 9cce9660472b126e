#include "silt/physics/common/no_slip.h"

#include "silt/core/loops.h"
#include "silt/fields/face_corners.h"

namespace silt {

namespace {

struct LargestGrip {
  View<const float> grip;
  SILT_HD double operator()(Cell c) const { return grip(c); }
};

struct FaceDistance {
  View<const float> distance;
  FaceCorners corners;
  View<float> out;
  SILT_HD void operator()(Cell c) const { out(c) = float(corners.mean(distance, c)); }
};

/// mirror holds E[d] and becomes d / E[d], between -1 and 0, on faces in solids that fluid sticks to; 1 elsewhere.
struct MirrorFactor {
  View<const float> distance, grip, open;
  FaceCorners corners;
  float nearest;  ///< an E[d] below this says nothing [m]
  View<float> mirror;
  SILT_HD void operator()(Cell c) const {
    const float d = float(corners.mean(distance, c));
    const bool sticks = corners.mean(grip, c) >= 0.5;
    if (open(c) > 0 || !sticks) {
      mirror(c) = 1;
      return;
    }
    const float ratio = mirror(c) > nearest ? d / mirror(c) : 0.0f;
    mirror(c) = ratio < -1 ? -1.0f : ratio > 0 ? 0.0f : ratio;
  }
};

struct Mirror {
  View<const float> mirror, solid_velocity;
  View<float> u;
  SILT_HD void operator()(Cell c) const { u(c) = solid_velocity(c) + mirror(c) * (u(c) - solid_velocity(c)); }
};

}  // namespace

FlowInSolids::FlowInSolids(const Exec& exec, const Domain& domain, const CutCells& cut, int layers) {
  for (int a = 0; a < 3; ++a) faces_[a] = extend_faces(exec, domain, a, cut.open, layers);
  if (reduce<Max>(exec, "no_slip.any", domain.corners(), LargestGrip{cut.grip.read(exec)}) <= 0) return;
  mirror_ = MacField<float>(cut.open.layout());
  for (int a = 0; a < 3; ++a) {
    const FaceCorners corners(a, domain.lattice.active);
    for_each_cell(exec, "no_slip.distance", domain.faces(a),
                  FaceDistance{cut.distance.read(exec), corners, mirror_[a].write(exec)});
    faces_[a].run(exec, mirror_[a]);
    for_each_cell(exec, "no_slip.factor", domain.faces(a),
                  MirrorFactor{cut.distance.read(exec), cut.grip.read(exec), cut.open[a].read(exec), corners,
                               float(0.1 * domain.lattice.h), mirror_[a].update(exec)});
  }
}

void FlowInSolids::run(const Exec& exec, const Domain& domain, const CutCells& cut, MacField<float>& velocity) const {
  for (int a = 0; a < 3; ++a) {
    faces_[a].run(exec, velocity[a]);
    if (mirror_[a].allocated())
      for_each_cell(exec, "no_slip.mirror", inner_faces(domain, a),
                    Mirror{mirror_[a].read(exec), cut.solid_velocity[a].read(exec), velocity[a].update(exec)});
  }
}

}  // namespace silt
