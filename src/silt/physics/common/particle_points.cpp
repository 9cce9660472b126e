#include "silt/physics/common/particle_points.h"

namespace silt {

Points points_of(const std::string& material, const Lattice& lattice, const Particles& particles) {
  const std::size_t n = particles.count;
  const ParticleView view = read(Exec(Device::cpu, 1), particles);
  Points out;
  out.material = material;
  out.radius = float(0.5 * lattice.h);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3d at = view.cell_at(std::int64_t(i)).as<double>() + view.offset_at(std::int64_t(i)).as<double>();
    out.positions.push_back(lattice.origin + at * lattice.h);
    Vec3f v{};
    for (int a = 0; a < 3; ++a)
      if (view.velocity[a]) v[a] = view.velocity[a][i];
    out.velocities.push_back(v);
  }
  out.id.assign(particles.id.host(), particles.id.host() + n);
  out.age.assign(particles.age.host(), particles.age.host() + n);
  out.source.assign(particles.source.host(), particles.source.host() + n);
  out.colour.assign(particles.colour.host(), particles.colour.host() + n);
  return out;
}

}  // namespace silt
