#include "silt/physics/common/ghost_pressures.h"

#include "silt/core/loops.h"
#include "silt/fields/halo.h"
#include "silt/fields/hodge_star.h"

namespace silt {
namespace {

/// 1 / theta - 1 up to which a change of the pressure may change its ghost as much.
constexpr float usual_gain = 3;
/// By how much crossings may be moved along the surface's normal [cells].
constexpr float most_moved = 0.3f;
/// The cosine of an edge to the surface's normal below which it goes along the surface, and tells nothing of its level.
constexpr float along = 0.02f;

struct Clear {
  View<float> to;
  SILT_HD void operator()(Cell c) const {
    if (to(c) != 0) to(c) = 0;  // zeros that nobody has written take no memory
  }
};

struct ShareGhosts {
  static constexpr bool uneven = true;
  Box cells;
  Int3 active;
  float dt_over_h;
  View<const float> phi;
  View<const double> pressure;
  MacView<const float> open;
  MacView<float> star, kick, u;

  /// From a cell of air to one of liquid.
  struct Edge {
    int axis;
    Cell face;
    float end;   ///< 1: the liquid is at the upper end, -1: at the lower
    float over;  ///< 1 - theta
    float rise;  ///< of the pressure, towards the liquid; per cell, as P and p
    float p;     ///< of the liquid's cell
  };

  /// Of the pressure along an axis, the mean over the pairs of liquid cells round one; 0 if there are none.
  SILT_HD float slope(Cell c, int a) const {
    double sum = 0;
    int count = 0;
    for (int z = -active.z; z <= active.z; ++z)
      for (int y = -active.y; y <= active.y; ++y)
        for (int x = -active.x; x <= active.x; ++x) {
          const Cell high = c + Int3{x, y, z}, low = high - unit(a);
          if (high[a] < c[a] || !cells.contains(low) || !cells.contains(high) || !(open[a](high) > 0)) continue;
          const double above = pressure(high), below = pressure(low);
          if (above != 0 && below != 0) sum += above - below, ++count;
        }
    return count > 0 ? float(sum / count) : 0;
  }
  /// The edges of a cell of air; none, unless they go along several axes and no solid cuts them.
  SILT_HD int find(Cell c, Edge* edges) const {
    int count = 0, axes = 0;
    for (int a = 0; a < 3; ++a) {
      if (!active[a]) continue;
      const int before = count;
      for (int end = -1; end <= 1; end += 2) {
        const Cell liquid = c + unit(a) * end, face = end < 0 ? c : liquid;
        if (!cells.contains(liquid) || !(phi(liquid) < 0) || !(star[a](face) > 0)) continue;
        if (open[a](face) < 1) return 0;
        edges[count++] = {a, face, float(end), 1 - 1 / star[a](face), 0, float(pressure(liquid))};
      }
      axes += count > before;
    }
    return axes > 1 ? count : 0;
  }
  /// P of the cell: the mean of the edges', at most what leaves all their liquid cells a pressure. Less than 0: they
  /// say nothing of the kind.
  SILT_HD float ghost(Cell c, Edge* edges, int count) const {
    float sum = 0, least = 0, squares = 0;
    for (int i = 0; i < count; ++i) {
      Edge& e = edges[i];
      e.rise = slope(c, e.axis) * e.end;
      if (!(e.rise > 0)) return -1;
      sum += e.over * e.rise;
      if (i == 0 || e.rise < least) least = e.rise;
      if (i == 0 || e.axis != edges[i - 1].axis) squares += e.rise * e.rise;
    }
    const float mean = sum / float(count), most = (1 - least_theta) * least, ghost = mean < most ? mean : most;
    if (!(least * least > along * along * squares)) return -1;
    for (int i = 0; i < count; ++i) {
      const float moved = ghost - edges[i].over * edges[i].rise;
      if (!(moved * moved <= most_moved * most_moved * squares)) return -1;
    }
    return ghost;
  }
  SILT_HD void operator()(Cell c) const {
    if (phi(c) < 0) return;
    Edge edges[6];
    const int count = find(c, edges);
    const float mean = count > 0 ? ghost(c, edges, count) : -1;
    if (!(mean > 0)) return;
    float expected = 0, before = 0;
    bool known = true;
    for (int i = 0; i < count; ++i) {
      expected += edges[i].rise - mean;
      before += edges[i].p;
      known = known && edges[i].p > 0;
    }
    const float b = mean / expected, shared = b * before;  // P of the last step's pressures
    const float needed = float(count) * b, most = needed > usual_gain ? needed : usual_gain;
    for (int i = 0; i < count; ++i) {
      const Edge& e = edges[i];
      const float gain = known ? shared / e.p : mean / (e.rise - mean);
      star[e.axis](e.face) = 1 + (known && gain > most ? most : gain);
      if (!known || gain <= most) continue;
      const float push = -e.end * (shared - most * e.p) * dt_over_h;
      kick[e.axis](e.face) = push;
      u[e.axis](e.face) += push;
    }
  }
};

}  // namespace

void share_ghost_pressures(const Exec& exec, const Domain& domain, const CutCells& cut, const Field<float>& phi,
                           const Field<double>& pressure, double dt, MacField<float>& star, MacField<float>& kick,
                           MacField<float>& velocity) {
  const Lattice& lattice = domain.lattice;
  for (int a = 0; a < 3; ++a) for_each_cell(exec, "ghosts.clear", domain.faces(a), Clear{kick[a].update(exec)});
  if (lattice.dims() < 2) return;
  for_each_cell(exec, "ghosts.share", domain.cells,
                ShareGhosts{domain.cells, lattice.active, float(dt / lattice.h), phi.read(exec), pressure.read(exec),
                            cut.open.read(exec), star.update(exec), kick.update(exec), velocity.update(exec)});
  for (int a = 0; a < 3; ++a)
    if (lattice.active[a]) fill_halo(exec, domain, domain.faces(a), {}, star[a]);
}

}  // namespace silt
