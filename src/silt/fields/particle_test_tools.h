#pragma once

// Shared by the tests of particles here and in the rooms above.

#include <algorithm>
#include <map>
#include <vector>

#include "silt/fields/particle_sort.h"
#include "silt/fields/test_tools.h"

namespace silt::test {

/// So many particles anywhere in a domain, velocities between -1 and 1.
inline Particles random_particles(const Exec& exec, const Domain& domain, std::size_t n, std::uint64_t seed,
                                  Modes modes = Modes::constant) {
  Particles p(domain.lattice.active, modes);
  append(exec, p, n);
  const Int3 size = domain.cells.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (int a = 0; a < 3; ++a) {
      if (!domain.lattice.active[a]) continue;
      const double x = random_unit(seed, i, std::uint64_t(a)) * size[a];
      p.cell[a].host()[i] = domain.cells.lo[a];
      split(float(x), p.cell[a].host()[i], p.offset[a].host()[i]);
      p.velocity[a].host()[i] = float(2 * random_unit(seed, i, std::uint64_t(3 + a)) - 1);
    }
    p.id.host()[i] = p.born++;
    p.age.host()[i] = float(i);
  }
  return p;
}

inline std::vector<std::uint64_t> ids(const Particles& p) {
  return {p.id.host(), p.id.host() + p.count};
}

inline Cell cell_of(const Particles& p, std::size_t i) {
  return read(Exec(Device::cpu, 1), p).cell_at(std::int64_t(i));
}

/// In cells of the lattice.
inline Vec3d position(const Particles& p, std::size_t i) {
  return cell_of(p, i).as<double>() + read(Exec(Device::cpu, 1), p).offset_at(std::int64_t(i)).as<double>();
}

/// Every value of every column, for comparing two.
inline std::map<std::string, std::vector<double>> all_values(Particles& p) {
  std::map<std::string, std::vector<double>> out;
  visit(p, [&](const std::string& name, auto& column) { out[name].assign(column.host(), column.host() + p.count); });
  return out;
}

}  // namespace silt::test
