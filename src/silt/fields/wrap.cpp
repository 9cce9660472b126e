#include "silt/fields/wrap.h"

#include "silt/fields/halo.h"

namespace silt {

Domain bare_sides(const Domain& domain) {
  Domain out = domain;
  for (int a = 0; a < 3; ++a)
    if (!domain.lattice.active[a] || !domain.periodic(a)) out.sides[a] = {Side::open, Side::open};
  return out;
}

template <class T>
void wrap_cells(const Exec& exec, const Domain& domain, Field<T>& field) {
  if (!domain.wraps()) return;
  fill_halo(exec, bare_sides(domain), domain.cells, {.open_repeats = false, .open_value = 0}, field);
}

template <class T>
void wrap_faces(const Exec& exec, const Domain& domain, MacField<T>& field) {
  if (!domain.wraps()) return;
  for (int a = 0; a < 3; ++a)
    if (domain.lattice.active[a])
      fill_halo(exec, bare_sides(domain), domain.faces(a), {.open_repeats = false, .open_value = 0}, field[a]);
}

void wrap_edges(const Exec& exec, const Domain& domain, MacField<float>& field) {
  if (!domain.wraps()) return;
  for (int c = 0; c < 3; ++c) {
    Cells box = edges_in_use(domain, c);
    for (int a = 0; a < 3; ++a)
      if (domain.lattice.active[a] && domain.periodic(a)) box.hi[a] = domain.cells.hi[a];
    fill_halo(exec, bare_sides(domain), box, {.open_repeats = false, .open_value = 0}, field[c]);
  }
}

Cells edges_in_use(const Domain& domain, int along) {
  return Cells(domain.edges(along), domain.cells.rows);
}

template void wrap_cells(const Exec&, const Domain&, Field<unsigned char>&);
template void wrap_cells(const Exec&, const Domain&, Field<float>&);
template void wrap_cells(const Exec&, const Domain&, Field<double>&);
template void wrap_faces(const Exec&, const Domain&, MacField<float>&);
template void wrap_faces(const Exec&, const Domain&, MacField<double>&);

}  // namespace silt
