#include "silt/fields/level_set.h"

#include <algorithm>
#include <vector>

#include "silt/core/loops.h"
#include "silt/fields/halo.h"
#include "silt/fields/site_plane.h"
#include "silt/fields/tile_order.h"

namespace silt {

namespace {

/// One layer beyond a side, from the three before it.
struct GoOn {
  Int3 inward;  ///< one step into the domain
  int cells;    ///< how many there are that way
  View<float> phi;
  SILT_HD void operator()(Cell c) const {
    const Cell first = c + inward;
    const float a = phi(first), b = cells > 1 ? phi(first + inward) : a;
    phi(c) = cells > 2 ? 3 * (a - b) + phi(first + inward * 2) : 2 * a - b;
  }
};

/// Those that have cells in use are marked.
Buffer<std::uint8_t> tiles_in_use(const TileOrder& order, const Cells& cells) {
  Buffer<std::uint8_t> marks(std::size_t(order.tiles()));
  if (!cells.rows) {
    std::fill_n(marks.host(), marks.size(), std::uint8_t(1));
    return marks;
  }
  for (int n = 0; n < cells.row_count(); ++n) {
    const int y = cells.row_y(n), z = cells.row_z(n);
    cells.visit_row(y, z, [&](int from, int to) {
      const int first = order.number(order.tile_of({from, y, z})), last = order.number(order.tile_of({to - 1, y, z}));
      std::fill(marks.host() + first, marks.host() + last + 1, std::uint8_t(1));
    });
  }
  return marks;
}

/// Of tiles that are marked, the box of cells that the surface passes: between each and its next neighbour on any side.
struct CutBoxes {
  TileOrder order;
  Box cells;
  Int3 active;
  View<const float> phi;
  const std::uint8_t* marks;
  Box* out;
  SILT_HD bool is_cut(int x, int y, int z) const {
    const bool in = phi(x, y, z) < 0;
    return in != (phi(x - 1, y, z) < 0) || in != (phi(x + 1, y, z) < 0) || in != (phi(x, y - 1, z) < 0) ||
           in != (phi(x, y + 1, z) < 0) || in != (phi(x, y, z - 1) < 0) || in != (phi(x, y, z + 1) < 0);
  }
  SILT_HD void operator()(std::int64_t tile) const {
    out[tile] = {};
    if (!marks[tile]) return;
    const Cell lo = order.lowest_cell(int(tile));
    const Box box = intersect({lo, lo + tile_extent(active)}, cells);
    for (int z = box.lo.z; z < box.hi.z; ++z)
      for (int y = box.lo.y; y < box.hi.y; ++y)
        for (int x = box.lo.x; x < box.hi.x; ++x)
          if (is_cut(x, y, z)) out[tile] = hull(out[tile], Box{{x, y, z}, {x + 1, y + 1, z + 1}});
  }
};

/// The cell's part below the plane. Its mean, not its middle, is what the plane has to have: where the surface bends,
/// the middle is off by curvature h^2 / 24, all over the surface to the same side.
struct CellFraction {
  double h;
  Int3 active;
  View<const float> phi, solids;
  View<const unsigned char> where;
  SILT_HD double operator()(Cell c) const {
    if (where.data && !where(c)) return 0;
    const double part = liquid(c);
    return solids.data && part > 0 ? part * (1 - SitePlane::below(solids, c, active, h)) : part;
  }
  SILT_HD double liquid(Cell c) const {
    const double inv_h = 1 / h;
    const double here = phi(c);
    double bend = 0;
    Vec3d slope;
    for (int a = 0; a < 3; ++a) {
      const double above = phi(c + unit(a)), below = phi(c - unit(a));
      slope[a] = 0.5 * inv_h * (above - below);
      bend += (above - here) - (here - below);
    }
    return fraction_below(inv_h * (here + bend / 24), slope);
  }
};

}  // namespace

void fill_level_set_halo(const Exec& exec, const Domain& domain, Field<float>& phi) {
  const Int3 active = domain.lattice.active, n = domain.cells.size();
  const int halo = phi.layout().halo;
  // Axis by axis, each with what those before it have added, so that edges and corners are right too.
  Box box = domain.cells;
  bool wraps = false;
  for (int a = 0; a < 3; ++a) {
    wraps = wraps || (active[a] && domain.periodic(a));
    if (!active[a] || domain.periodic(a)) continue;
    for (int layer = 0; layer < halo; ++layer)
      for (int end = 0; end < 2; ++end) {
        Box slab = box;
        slab.lo[a] = end == 0 ? domain.cells.lo[a] - 1 - layer : domain.cells.hi[a] + layer;
        slab.hi[a] = slab.lo[a] + 1;
        for_each_cell(exec, "level_set.halo", slab,
                      GoOn{unit(a) * (end == 0 ? 1 : -1), n[a] + layer, phi.update(exec)});
      }
    box.lo[a] -= halo, box.hi[a] += halo;
  }
  if (wraps) fill_halo(exec, domain, box, HaloRule{}, phi);
}

Region tiles_near_surface(const Exec& exec, const Domain& domain, const Field<float>& phi, int reach) {
  const TileOrder order(phi.layout());
  const Buffer<std::uint8_t> marks = tiles_in_use(order, domain.cells);
  Buffer<Box> cut_in(marks.size());
  for_each_index(
      exec, "level_set.tiles", order.tiles(),
      CutBoxes{order, domain.cells, domain.lattice.active, phi.read(exec), marks.read(exec), cut_in.write(exec)},
      order.cells_each());
  const Box* cut = std::as_const(cut_in).host();
  std::vector<std::uint8_t> near(marks.size(), 0);
  const Int3 active = domain.lattice.active;
  for (int t = 0; t < order.tiles(); ++t) {
    if (cut[t].empty()) continue;
    const Box round = grow(cut[t], active * (reach + 1));  // the surface is between two of them
    // Round periodic sides too: the box as it is, and one turn to either side.
    for (int turn = 0; turn < 27; ++turn) {
      const Int3 turns{turn % 3 - 1, turn / 3 % 3 - 1, turn / 9 - 1};
      bool there = true;
      for (int a = 0; a < 3; ++a) there = there && (turns[a] == 0 || (active[a] && domain.periodic(a)));
      if (!there) continue;
      const Int3 shift = turns * domain.cells.size();
      const Box seen = intersect({round.lo + shift, round.hi + shift}, domain.cells);
      if (seen.empty()) continue;
      const Int3 lo = order.tile_of(seen.lo), hi = order.tile_of(seen.hi - Int3{1, 1, 1});
      for (int z = lo.z; z <= hi.z; ++z)
        for (int y = lo.y; y <= hi.y; ++y)
          for (int x = lo.x; x <= hi.x; ++x) near[std::size_t(order.number({x, y, z}))] = 1;
    }
  }
  std::vector<Int3> list;
  for (int t = 0; t < order.tiles(); ++t)
    if (near[std::size_t(t)]) list.push_back(order.tile(t));
  return Region(domain.cells, active, list);
}

double level_set_volume(const Exec& exec, const Domain& domain, const Field<float>& phi, const Field<float>* solids,
                        const Field<unsigned char>* where) {
  const Lattice& lattice = domain.lattice;
  const double cells = reduce<Sum>(
      exec, "level_set.volume", domain.cells,
      CellFraction{lattice.h, lattice.active, phi.read(exec), solids ? solids->read(exec) : View<const float>{},
                   where ? where->read(exec) : View<const unsigned char>{}});
  return cells * lattice.cell_volume();
}

}  // namespace silt
