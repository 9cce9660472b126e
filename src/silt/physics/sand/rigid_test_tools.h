#pragma once

// Shared by the tests of this room: rigid cells, their faces, and a velocity.

#include <functional>

#include "silt/fields/test_tools.h"
#include "silt/physics/sand/rigid_motion.h"
#include "silt/physics/sand/sand_kernels.h"

namespace silt::test {

inline const Exec serial(Device::cpu, 1);

/// Sand everywhere in a box, rigid where `is` says so; faces weigh differently.
struct RigidCells {
  Domain domain;
  Layout layout;
  Field<unsigned char> rigid;
  MacField<float> star, mass, velocity;
  RigidGroups groups;
  RigidMotions motions;

  RigidCells(Int3 cells, const std::function<bool(Cell)>& is, Side along_x = Side::wall) {
    const Int3 active{1, cells.y > 1, cells.z > 1};
    domain = {{{}, 0.1, active}, Box{{0, 0, 0}, cells}, {}};
    domain.sides[0] = {along_x, along_x};
    layout = make_layout(domain.cells, active);
    rigid = Field<unsigned char>(layout);
    star = mass = velocity = MacField<float>(layout);
    for_each(domain.cells, [&](Cell c) { rigid.at(c) = is(c); });
    wrap_marks(serial, domain, rigid);
    for (int a = 0; a < 3; ++a)
      for_each(domain.faces(a), [&](Cell c) {
        const bool wall = !domain.periodic(a) && (c[a] == 0 || c[a] == cells[a]);
        star[a].at(c) = wall ? 0.0f : 1.0f;
        mass[a].at(c) = float(0.6 + 0.4 * noise(7 + std::uint64_t(a), c));
        velocity[a].at(c) = float(noise(17 + std::uint64_t(a), c));
      });
  }
  void find(const Exec& exec = serial) {
    find_rigid_groups(domain, rigid, star, groups);
    motions.prepare(exec, domain, groups, rigid, star, mass);
  }
  /// The motions with the momenta of the velocity.
  std::vector<RigidMotion> moving(const Exec& exec = serial) {
    const std::vector<RigidPush> momenta = motions.momenta(exec, velocity);
    std::vector<RigidMotion> out;
    for (int n = 0; n < groups.count(); ++n) out.push_back(motions.motion(n, momenta[std::size_t(n)]));
    return out;
  }
  /// From the first cell of the group to a face [cells].
  Vec3d from_origin(int axis, Cell face, int group) const {
    for (std::size_t i = 0; i < groups.run_count; ++i)
      if (groups.runs.host()[i].group == group) {
        Vec3d r = (face - groups.runs.host()[i].origin).as<double>();
        r[axis] -= 0.5;
        return r;
      }
    return {};
  }
  /// visit(axis, face) for the faces of rigid cells that are sand's.
  void visit_faces(const std::function<void(int, Cell)>& visit) const {
    for (int a = 0; a < domain.lattice.dims(); ++a)
      for_each(domain.faces(a), [&](Cell c) {
        if (star[a](c) > 0 && (rigid(c) || rigid(c - unit(a)))) visit(a, c);
      });
  }
};

}  // namespace silt::test
