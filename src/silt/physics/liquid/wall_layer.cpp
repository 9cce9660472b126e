#include "silt/physics/liquid/wall_layer.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "silt/core/loops.h"
#include "silt/fields/face_corners.h"

namespace silt {
namespace {

/// How far from a solid the middle of a cell is that touches it [cells].
constexpr double beside = 1.2;
/// Of a layer's depth: with less liquid than so much it ends there.
constexpr double full = 0.75;

/// int_0^y erf(s / l) ds + l / sqrt(pi).
SILT_HD double sum_of_erf(double y, double l) {
  const double x = y / l;
  return y * std::erf(x) + l * std::numbers::inv_sqrtpi * std::exp(-x * x);
}

/// E of a layer of length l.
SILT_HD double stream_share(double l, const LayerPart& part) {
  return l > 0 ? (sum_of_erf(part.y1, l) - sum_of_erf(part.y0, l)) / (part.y1 - part.y0) : 1.0;
}

/// E(s) / E(before) of a film, s = nu t / depth^2. Its two forms meet at s = 0.2 to 0.001.
SILT_HD double film_kept(double before, double s) {
  constexpr double pi = std::numbers::pi, late = 0.2;
  const double early_part = 1 - 2 * std::sqrt((s < late ? s : late) / pi);
  const double late_part = s < late ? 1.0 : std::exp(-0.25 * pi * pi * (s - (before < late ? late : before)));
  return before < late ? early_part / (1 - 2 * std::sqrt(before / pi)) * late_part : late_part;
}

/// sqrt(pi) times the displacement thickness 0.038 U t (U^2 t / nu)^(-1/5).
SILT_HD double turbulent_length(double viscosity, double wet_for, double speed) {
  const double way = std::abs(speed) * wet_for;
  return way > 0 ? 0.038 / std::numbers::inv_sqrtpi * way * std::pow(way * std::abs(speed) / viscosity, -0.2) : 0.0;
}

/// Whether a cell is wet: liquid to the pressure, or with a particle in it.
struct Wet {
  View<const unsigned char> air;
  CellRanges::View ranges;
  SILT_HD bool operator()(Cell c) const { return !air(c) || ranges.count(c) > 0; }
};

/// What `before` has at a place [cells from the middle of c], of the wet cells round it; 0 where all are dry.
struct WettedAt {
  View<const double> before;
  Box cells;
  Int3 period;  ///< [cells]; 0: not periodic
  SILT_HD double operator()(Cell c, const Vec3f& from) const {
    Int3 low;
    Vec3f part;
    for (int a = 0; a < 3; ++a) {
      const float whole = std::floor(from[a]);
      low[a] = c[a] + int(whole), part[a] = from[a] - whole;
    }
    double sum = 0, weight = 0;
    for (int n = 0; n < 8; ++n) {
      Cell at = low;
      double w = 1;
      for (int a = 0; a < 3; ++a) {
        at[a] += n >> a & 1, w *= n >> a & 1 ? part[a] : 1 - part[a];
        if (period[a]) at[a] += at[a] < cells.lo[a] ? period[a] : at[a] >= cells.hi[a] ? -period[a] : 0;
      }
      if (w == 0 || !cells.contains(at) || !(before(at) > 0)) continue;
      sum += w * before(at), weight += w;
    }
    return weight > 0 ? sum / weight : 0;
  }
};

/// Cells beside a wall of the domain.
struct AgeBesideWall {
  Wet wet;
  double dt;
  View<double> wetted;
  SILT_HD void operator()(Cell c) const { wetted(c) = wet(c) ? wetted(c) + dt : 0; }
};
struct AgeBesideMovingWall {
  Wet wet;
  double dt;
  WettedAt at;
  Vec3f back;  ///< where the wall was [cells]
  View<double> wetted;
  SILT_HD void operator()(Cell c) const { wetted(c) = wet(c) ? at(c, back) + dt : 0; }
};

/// Cells anywhere: those that touch a solid.
struct AgeBesideSolids {
  Wet wet;
  double dt;
  View<const float> distance, grip;
  Int3 active;
  float near;
  WettedAt at;
  MacView<const float> solid_velocity;
  float back;  ///< -dt / h; 0: solids are still
  View<double> wetted;

  SILT_HD bool touches(Cell c) const {
    float d = 0, g = 0;
    for (int n = 0; n < 8; ++n) {
      const Cell corner = c + Int3{n & 1, n >> 1 & 1, n >> 2} * active;
      d += 0.125f * distance(corner), g += 0.125f * grip(corner);
    }
    return d < near && g >= 0.5f;
  }
  SILT_HD void operator()(Cell c) const {
    if (!touches(c) || !wet(c)) {
      wetted(c) = 0;
      return;
    }
    Vec3f from{};
    for (int a = 0; a < 3; ++a)
      if (active[a]) from[a] = 0.5f * back * (solid_velocity[a](c) + solid_velocity[a](c + unit(a)));
    wetted(c) = at(c, from) + dt;
  }
};

struct CopyWetted {
  View<const double> from;
  View<double> to;
  SILT_HD void operator()(Cell c) const { to(c) = from(c); }
};

/// Of a face: how long the wall beside it has been wet, and how full the cells on its two sides are, those that are.
struct BesideFace {
  Int3 along;
  Box cells;
  View<const double> wetted;
  CellRanges::View ranges;
  double each;  ///< cells that a particle fills

  struct Found {
    double wet_for, filled;
  };
  SILT_HD Found operator()(Cell c) const {
    double age = 0, filled = 0;
    int wet = 0;
    for (int side = 0; side < 2; ++side) {
      const Cell at = side == 0 ? c - along : c;
      if (!cells.contains(at) || !(wetted(at) > 0)) continue;
      age += wetted(at), filled += each * ranges.count(at), ++wet;
    }
    return wet ? Found{age / wet, filled / wet} : Found{0, 0};
  }
};

/// Faces of the cells beside a wall of the domain, across an axis along it.
struct RubWall {
  BesideFace beside_face;
  double viscosity, dt, h;
  float wall;  ///< its velocity [m/s]
  View<float> u;
  SILT_HD void operator()(Cell c) const {
    const auto [wet_for, filled] = beside_face(c);
    if (!(filled > 0)) return;
    const double own = u(c) - wall;
    const LayerPart part{0, h * (filled < 1 ? filled : 1), filled < full};
    u(c) = float(wall + own * share_kept(viscosity, wet_for, dt, own, part));
  }
};

/// Faces near solids.
struct RubSolids {
  BesideFace beside_face;
  double viscosity, dt, h;
  View<const float> distance, grip, open, solid;
  FaceCorners corners;
  View<float> u;
  SILT_HD void operator()(Cell c) const {
    const double d = corners.mean(distance, c);
    if (!(open(c) > 0) || d >= h || corners.mean(grip, c) < 0.5) return;
    const auto [wet_for, filled] = beside_face(c);
    if (!(filled > 0)) return;
    const double y0 = d > 0.5 * h ? d - 0.5 * h : 0.0, room = d + 0.5 * h - y0;
    if (!(room > 0)) return;
    const double deep = filled * h < room ? filled * h : room;
    const double own = u(c) - solid(c);
    const LayerPart part{y0, y0 + deep, y0 == 0 && deep < full * room};
    u(c) = float(solid(c) + own * share_kept(viscosity, wet_for, dt, own, part));
  }
};

}  // namespace

SILT_HD double share_kept(double viscosity, double wet_for, double dt, double speed, const LayerPart& part) {
  const double before = wet_for - dt > 0 ? wet_for - dt : 0;
  if (part.film) {
    const double rate = viscosity / (part.y1 * part.y1);
    return film_kept(rate * before, rate * wet_for);
  }
  constexpr double transition = 3e5;  // of U^2 t / nu
  const bool turbulent = std::abs(speed) * std::abs(speed) * wet_for > transition * viscosity;
  const double now = turbulent ? turbulent_length(viscosity, wet_for, speed) : 2 * std::sqrt(viscosity * wet_for);
  const double then = turbulent ? turbulent_length(viscosity, before, speed) : 2 * std::sqrt(viscosity * before);
  return stream_share(now, part) / stream_share(then, part);
}

void age_wetted(const Exec& exec, const Domain& domain, const WallLayer& layer, const Field<unsigned char>& air,
                const CellRanges& ranges, Field<double>& scratch, Field<double>& wetted) {
  const double h = domain.lattice.h;
  const Wet wet{air.read(exec), ranges.read(exec)};
  bool moves = layer.solids && layer.solids_move;
  for (int a = 0; a < 3; ++a)
    for (const SideWall& wall : layer.walls[a]) moves = moves || (wall.no_slip && length(wall.velocity) > 0);
  if (moves)
    for_each_cell(exec, "wall_layer.before", domain.cells,
                  CopyWetted{std::as_const(wetted).read(exec), scratch.update(exec)});
  WettedAt before{std::as_const(moves ? scratch : wetted).read(exec), domain.cells, {}};
  for (int a = 0; a < 3; ++a)
    if (domain.lattice.active[a] && domain.periodic(a)) before.period[a] = domain.cells.size()[a];
  Cells rest = domain.cells;  // every cell once: those beside one wall, of the others those beside the next
  for (int a = 0; a < 3; ++a)
    for (int end = 0; end < 2; ++end) {
      const SideWall& wall = layer.walls[a][end];
      if (!domain.lattice.active[a] || domain.side(a, end) != Side::wall || !wall.no_slip || rest.empty()) continue;
      Cells layer_cells = rest;
      if (end == 0)
        layer_cells.hi[a] = rest.lo[a] += 1;
      else
        layer_cells.lo[a] = rest.hi[a] -= 1;
      if (length(wall.velocity) > 0)
        for_each_cell(exec, "wall_layer.belt", layer_cells,
                      AgeBesideMovingWall{wet, layer.dt, before, (wall.velocity * (-layer.dt / h)).as<float>(),
                                          wetted.update(exec)});
      else
        for_each_cell(exec, "wall_layer.age", layer_cells, AgeBesideWall{wet, layer.dt, wetted.update(exec)});
    }
  if (!layer.solids || rest.empty()) return;
  for_each_cell(
      exec, "wall_layer.solids", rest,
      AgeBesideSolids{wet, layer.dt, layer.solids->distance.read(exec), layer.solids->grip.read(exec),
                      domain.lattice.active, float(beside * h), before, layer.solids->solid_velocity.read(exec),
                      layer.solids_move ? float(-layer.dt / h) : 0.0f, wetted.update(exec)});
}

void rub_walls(const Exec& exec, const Domain& domain, const WallLayer& layer, const CellRanges& ranges,
               const Field<double>& wetted, MacField<float>& velocity) {
  const Lattice& lattice = domain.lattice;
  for (int a = 0; a < 3; ++a) {
    if (!lattice.active[a]) continue;
    const BesideFace beside_face{unit(a), domain.cells, wetted.read(exec), ranges.read(exec),
                                 1.0 / (1 << lattice.dims())};
    for (int b = 0; b < 3; ++b)
      for (int end = 0; end < 2; ++end) {
        const SideWall& wall = layer.walls[b][end];
        if (b == a || !lattice.active[b] || domain.side(b, end) != Side::wall || !wall.no_slip) continue;
        Cells faces = inner_faces(domain, a);
        (end == 0 ? faces.hi[b] : faces.lo[b]) = end == 0 ? faces.lo[b] + 1 : faces.hi[b] - 1;
        for_each_cell(exec, "wall_layer.rub_wall", faces,
                      RubWall{beside_face, layer.viscosity, layer.dt, lattice.h, float(wall.velocity[a]),
                              velocity[a].update(exec)});
      }
    if (!layer.solids) continue;
    for_each_cell(exec, "wall_layer.rub_solids", inner_faces(domain, a),
                  RubSolids{beside_face, layer.viscosity, layer.dt, lattice.h, layer.solids->distance.read(exec),
                            layer.solids->grip.read(exec), layer.solids->open[a].read(exec),
                            layer.solids->solid_velocity[a].read(exec), FaceCorners(a, lattice.active),
                            velocity[a].update(exec)});
  }
}

}  // namespace silt
