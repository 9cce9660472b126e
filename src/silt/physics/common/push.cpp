#include "silt/physics/common/push.h"

#include "silt/core/loops.h"

namespace silt {
namespace {

struct PushFaces {
  float by;
  View<float> u;
  SILT_HD void operator()(Cell c) const { u(c) += by; }
};

struct PushParticles {
  float by;
  float* velocity;
  SILT_HD void operator()(std::int64_t i) const { velocity[i] += by; }
};

}  // namespace

void push_faces(const Exec& exec, const Domain& domain, const Vec3d& by, MacField<float>& velocity) {
  for (int a = 0; a < 3; ++a)
    if (by[a] != 0)
      for_each_cell(exec, "faces.push", domain.faces(a), PushFaces{float(by[a]), velocity[a].update(exec)});
}

void push_particles(const Exec& exec, const Vec3d& by, Particles& particles) {
  for (int a = 0; a < 3; ++a)
    if (particles.active[a])
      for_each_index(exec, "particles.push", std::int64_t(particles.count),
                     PushParticles{float(by[a]), particles.velocity[a].update(exec)});
}

}  // namespace silt
