#include "silt/physics/common/no_slip.h"

#include <cmath>

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

/// Closed faces that fluid on both sides of a plate would be carried on into, and take from: those with open faces
/// round them whose surfaces look opposite ways. 1 where it is one, with `mirror` 0: it has the solid's velocity.
struct FindShared {
  int axis;
  Int3 active;
  Box faces;  ///< of the domain
  View<const float> distance, open;
  FaceCorners corners;
  float deep;  ///< no plate of two cells is so deep [m]
  View<float> mirror;

  /// Rise of the distance on a face along an axis; any unit.
  SILT_HD double rise(Cell c, int b) const {
    if (b == axis) return 0.5 * (corners.mean(distance, c + unit(b)) - corners.mean(distance, c - unit(b)));
    const Int3 along = unit(b) * active, across = corners.s == along ? corners.t : corners.s;
    return 0.5 * ((double(distance(c + along)) - distance(c)) +
                  (double(distance(c + along + across)) - distance(c + across)));
  }
  SILT_HD bool shared(Cell c) const {
    constexpr double opposite = -0.5;  // cosine
    double first[3] = {};
    bool any = false;
    for (int k = -active.z; k <= active.z; ++k)
      for (int j = -active.y; j <= active.y; ++j)
        for (int i = -active.x; i <= active.x; ++i) {
          const Cell beside = c + Int3{i, j, k};
          if (!faces.contains(beside) || !(open(beside) > 0)) continue;
          double n[3] = {}, square = 0, along = 0;
          for (int b = 0; b < 3; ++b) {
            if (active[b]) n[b] = rise(beside, b);
            square += n[b] * n[b];
          }
          if (!(square > 0)) continue;
          for (int b = 0; b < 3; ++b) n[b] /= std::sqrt(square), along += n[b] * first[b];
          if (any && along < opposite) return true;
          for (int b = 0; b < 3 && !any; ++b) first[b] = n[b];
          any = true;
        }
    return false;
  }
  SILT_HD double operator()(Cell c) const {
    if (open(c) > 0) return 0;
    const double d = corners.mean(distance, c);
    if (d < -deep || !shared(c)) return 0;
    if (mirror.data) mirror(c) = 0;
    return 1;
  }
};

struct Keep {
  View<float> mirror;
  SILT_HD void operator()(Cell c) const { mirror(c) = 1; }
};

struct Mirror {
  View<const float> mirror, solid_velocity;
  View<float> u;
  SILT_HD void operator()(Cell c) const { u(c) = solid_velocity(c) + mirror(c) * (u(c) - solid_velocity(c)); }
};

}  // namespace

FlowInSolids::FlowInSolids(const Exec& exec, const Domain& domain, const CutCells& cut, int layers) {
  for (int a = 0; a < 3; ++a) faces_[a] = extend_faces(exec, domain, a, cut.open, layers);
  const bool sticks = reduce<Max>(exec, "no_slip.any", domain.corners(), LargestGrip{cut.grip.read(exec)}) > 0;
  const Int3 active = domain.lattice.active;
  const auto find_shared = [&](int a, View<float> mirror) {
    return reduce<Max>(exec, "no_slip.shared", inner_faces(domain, a),
                       FindShared{a, active, domain.faces(a), cut.distance.read(exec), cut.open[a].read(exec),
                                  FaceCorners(a, active), float(domain.lattice.h), mirror}) > 0;
  };
  bool thin = false;
  for (int a = 0; a < 3; ++a) thin = (active[a] && find_shared(a, {})) || thin;
  if (!sticks && !thin) return;
  mirror_ = MacField<float>(cut.open.layout());
  for (int a = 0; a < 3; ++a) {
    const FaceCorners corners(a, active);
    if (sticks) {
      for_each_cell(exec, "no_slip.distance", domain.faces(a),
                    FaceDistance{cut.distance.read(exec), corners, mirror_[a].write(exec)});
      faces_[a].run(exec, mirror_[a]);
      for_each_cell(exec, "no_slip.factor", domain.faces(a),
                    MirrorFactor{cut.distance.read(exec), cut.grip.read(exec), cut.open[a].read(exec), corners,
                                 float(0.1 * domain.lattice.h), mirror_[a].update(exec)});
    } else {
      for_each_cell(exec, "no_slip.keep", domain.faces(a), Keep{mirror_[a].write(exec)});
    }
    if (thin && active[a]) find_shared(a, mirror_[a].update(exec));
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
