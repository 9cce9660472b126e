#include "silt/physics/gas/solid_force.h"

#include "silt/core/loops.h"
#include "silt/fields/nearest_solid.h"
#include "silt/fields/open_square.h"

namespace silt::gas {

namespace {

struct PushSolid {
  int number;
  NearestSolid nearest;
  Vec3d weight;  ///< of what fills a cell with a density of 1, over the area of a face
  Box cells;
  Int3 active;
  bool ends[3][2];  ///< of the domain, which are no obstacles where they are walls
  View<const float> distance, push, room, density_0;
  MacView<const float> open;

  /// The part of a face that no obstacle covers; walls of the domain are none.
  SILT_HD double uncovered(int a, Cell face) const {
    const bool last = (ends[a][0] && face[a] == cells.lo[a]) || (ends[a][1] && face[a] == cells.hi[a]);
    if (!last) return open[a](face);
    const Int3 b = unit((a + 1) % 3) * active, c = unit((a + 2) % 3) * active;
    return open_square(distance(face), distance(face + b), distance(face + c), distance(face + b + c));
  }
  SILT_HD Several<3> operator()(Cell c) const {
    Several<3> out{};
    if (nearest(c) != number) return out;
    for (int a = 0; a < 3; ++a) {
      if (!active[a]) continue;
      const double closed = uncovered(a, c) - uncovered(a, c + unit(a));
      if (closed != 0) out[a] = closed * double(push(c));
      out[a] -= (1 - room(c)) * density_0(c) * weight[a];
    }
    return out;
  }
};

}  // namespace

Vec3d solid_force(const StepFrame& frame, int number, const Field<float>& push) {
  const Exec& exec = frame.exec;
  const Domain& domain = frame.domain;
  const CutCells& cut = *frame.openings.cut;
  PushSolid kernel{number,
                   nearest_solid(exec, domain, cut),
                   frame.gravity * frame.h(),
                   domain.cells,
                   domain.lattice.active,
                   {},
                   cut.distance.read(exec),
                   push.read(exec),
                   frame.openings.room->read(exec),
                   frame.reference.density.read(exec),
                   cut.open.read(exec)};
  for (int a = 0; a < 3; ++a)
    for (int end = 0; end < 2; ++end) kernel.ends[a][end] = !domain.periodic(a);
  const Several<3> sum = reduce<Each<Sum, Sum, Sum>>(exec, "gas.solid_force", domain.cells, kernel);
  const double area = domain.lattice.cell_volume() / domain.lattice.h;
  return Vec3d{sum[0], sum[1], sum[2]} * area;
}

}  // namespace silt::gas
