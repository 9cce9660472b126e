#include "silt/physics/common/cover_amounts.h"

#include "silt/core/packed.h"
#include "silt/geometry/shape_loop.h"

namespace silt {

namespace {

struct Amount {
  CoverRecipe cover;
  Lattice lattice;
  int axis;  ///< of the faces; -1: cells
  Packed at;
  float* out;
  SILT_HD void operator()(Cell c, ShapeCursor& cursor) const {
    out[at(c)] = cover.at(axis < 0 ? lattice.centre(c) : lattice.face_centre(axis, c), cursor);
  }
};

CoverAmounts::Part amounts_in(const Exec& exec, const Lattice& lattice, const CoverOn& on, const Box& all, int axis) {
  const Box box = on.reach(all);
  CoverAmounts::Part out{box, Buffer<float>(std::size_t(box.count()))};
  for_each_shape_cell(exec, "cover.amounts", box, Amount{on.recipe(), lattice, axis, {box}, out.amount.write(exec)});
  return out;
}

}  // namespace

CoverAmounts cover_amounts(const Exec& exec, const Domain& domain, const Box& box, const Cover& cover, bool faces) {
  const CoverOn on(exec, cover, domain.lattice);
  CoverAmounts out;
  out.cells = amounts_in(exec, domain.lattice, on, box, -1);
  for (int a = 0; a < 3 && faces; ++a) out.faces[a] = amounts_in(exec, domain.lattice, on, domain.faces(a), a);
  return out;
}

}  // namespace silt
