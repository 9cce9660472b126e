#include "silt/solve/stress_operator.h"

#include "silt/core/loops.h"
#include "silt/fields/exterior_derivative.h"
#include "silt/fields/halo.h"

namespace silt {

namespace {

constexpr double root2 = 1.41421356237309505;

/// The two axes across an edge.
struct Across {
  int a, b;
  SILT_HD explicit Across(int edge) : a((edge + 1) % 3), b((edge + 2) % 3) {}
};

/// The lowest and, negated, the highest indices of cells that have grains.
struct Extent {
  View<const float> friction;
  SILT_HD Several<6> operator()(Cell c) const {
    constexpr double none = Min::identity;
    if (!(friction(c) > 0)) return {{none, none, none, none, none, none}};
    return {{double(c.x), double(c.y), double(c.z), -double(c.x), -double(c.y), -double(c.z)}};
  }
};

struct ClearWithout {
  View<const float> friction;
  View<double> x;
  SILT_HD void operator()(Cell c) const {
    if (!(friction(c) > 0)) x(c) = 0;
  }
};

struct Clear {
  View<double> out;
  SILT_HD void operator()(Cell c) const { out(c) = 0; }
};

/// Whether an edge carries shear: every cell of the domain round it has grains, and beyond it are only rough walls.
struct Carries {
  Box cells;
  Int3 a, b;         ///< one step across the edge
  bool holds[3][2];  ///< which sides of the domain are rough walls
  bool periodic[3];
  View<const float> friction;
  View<float> out;

  SILT_HD bool firm(Cell at) const {
    for (int axis = 0; axis < 3; ++axis) {
      const int size = cells.hi[axis] - cells.lo[axis];
      if (periodic[axis] && at[axis] < cells.lo[axis]) at[axis] += size;
      if (periodic[axis] && at[axis] >= cells.hi[axis]) at[axis] -= size;
    }
    if (cells.contains(at)) return friction(at) > 0;
    for (int axis = 0; axis < 3; ++axis) {
      if (at[axis] < cells.lo[axis] && !holds[axis][0]) return false;
      if (at[axis] >= cells.hi[axis] && !holds[axis][1]) return false;
    }
    return true;
  }
  SILT_HD void operator()(Cell c) const {
    out(c) = firm(c) && firm(c - a) && firm(c - b) && firm(c - a - b) ? 1.0f : 0.0f;
  }
};

/// Of a block's diagonal entries the pressure's is the largest: that of d^T * d.
struct Metric {
  Derivative d;
  MacView<const float> inverse_mass;
  View<double> out;
  SILT_HD void operator()(Cell c) const {
    const int n = out.index(c.x, c.y, c.z);
    double sum = 0;
    for (int a = 0; a < 3; ++a)
      if (d.step[a]) sum += double(inverse_mass[a].data[n]) + inverse_mass[a].data[n + d.step[a]];
    out.data[n] = sum > 0 ? sum : 1;
  }
};

/// What the cells round an edge put on it: the mean of their shears.
struct EdgeStress {
  int a, b;  ///< index steps across the edge
  const double* shear;
  View<const float> carries;
  View<double> out;
  SILT_HD void operator()(Cell c) const {
    const int n = out.index(c.x, c.y, c.z);
    const double sum = shear[n] + shear[n - a] + shear[n - b] + shear[n - a - b];
    out.data[n] = 0.25 * root2 * sum * carries.data[n];
  }
};

/// The stress across an axis, of cell n.
struct Normal {
  const double* part[3];
  double weight[3];  ///< 0 for parts that a block does not have
  SILT_HD double operator()(int n) const {
    return weight[0] * part[0][n] + weight[1] * part[1][n] + weight[2] * part[2][n];
  }
};

/// M^-1 D^T x on the faces across one axis: minus the divergence of the stress, over the mass.
struct FaceForce {
  Derivative d;
  int axis;
  Normal normal;
  const double* edge[3];
  View<const float> inverse_mass;
  View<double> out;

  SILT_HD void operator()(Cell c) const {
    const int n = out.index(c.x, c.y, c.z);
    const int b = (axis + 1) % 3, e = (axis + 2) % 3;  // differences along a flat axis vanish
    const double shears = d.ahead(ByIndex<double>{edge[e]}, b, n) + d.ahead(ByIndex<double>{edge[b]}, e, n);
    out.data[n] = -(d.behind(normal, axis, n) + 0.5 * shears) * inverse_mass.data[n];
  }
};

/// D_ab on edges, times h.
struct EdgeRate {
  Derivative d;
  Across across;
  const double *u_a, *u_b;
  View<const float> carries;
  View<double> out;
  SILT_HD void operator()(Cell c) const {
    const int n = out.index(c.x, c.y, c.z);
    out.data[n] = 0.5 * carries.data[n] *
                  (d.behind(ByIndex<double>{u_a}, across.b, n) + d.behind(ByIndex<double>{u_b}, across.a, n));
  }
};

/// D u of a cell.
struct Rates {
  Derivative d;
  StressAxes axes;
  const double* u[3];
  const double* edge[3];

  SILT_HD ConeBlock operator()(int n) const {
    ConeBlock out{.size = axes.size()};
    for (int m = 0; m < axes.dims; ++m) {
      const double along = d.ahead(ByIndex<double>{u[axes.axis[m]]}, axes.axis[m], n);
      for (int k = 0; k < axes.dims; ++k) out.v[k] += axes.normal(m, k) * along;
    }
    for (int round = 0; round < 3; ++round) {
      const int k = axes.shear(round);
      if (k == 0) continue;
      const int a = d.step[(round + 1) % 3], b = d.step[(round + 2) % 3];
      const double* e = edge[round] + n;
      out.v[k] = 0.25 * root2 * (e[0] + e[a] + e[b] + e[a + b]);
    }
    return out;
  }
};

/// out = b + f D u in cells with grains; b may be nothing.
struct Strain {
  Rates rates;
  double factor;
  View<const float> friction;
  StressView<const double> b;
  StressView<double> out;
  SILT_HD void operator()(Cell c) const {
    const int n = out.index(c);
    const bool grains = friction.data[n] > 0;
    const ConeBlock rate = rates(n);
    for (int k = 0; k < rate.size; ++k) {
      const double from = b.part[k] ? b.part[k][n] : 0.0;
      out.part[k][n] = grains ? from + factor * rate.v[k] : 0.0;
    }
  }
};

struct Subtract {
  View<const double> change;
  View<double> u;
  SILT_HD void operator()(Cell c) const { u(c) -= change(c); }
};

}  // namespace

void StressOperator::prepare(const Exec& exec, const Domain& domain, const StressParts& parts) {
  const Layout& layout = parts.friction->layout();
  if (!metric_.allocated() || metric_.layout() != layout || domain.cells != domain_.cells) {
    carries_ = MacField<float>(layout);
    metric_ = Field<double>(layout);
    edge_ = face_ = MacField<double>(layout);
  }
  domain_ = domain;
  parts_ = parts;
  for (int a = 0; a < 3; ++a) for_each_cell(exec, "stress.clear", domain.faces(a), Clear{face_[a].update(exec)});
  find_reach(exec);
  for (int round = 0; round < 3; ++round) {
    if (!StressAxes(layout.active).shear(round)) continue;
    Carries kernel{domain.cells, unit(Across(round).a),      unit(Across(round).b),       {},
                   {},           parts.friction->read(exec), carries_[round].update(exec)};
    for (int a = 0; a < 3; ++a) {
      kernel.periodic[a] = domain.lattice.active[a] && domain.periodic(a);
      for (int end = 0; end < 2; ++end) kernel.holds[a][end] = parts.rough_walls && domain.side(a, end) == Side::wall;
    }
    for_each_cell(exec, "stress.edges", domain.edges(round), kernel);
  }
  for_each_cell(exec, "stress.metric", domain.cells,
                Metric{Derivative(layout), parts.inverse_mass->read(exec), metric_.update(exec)});
}

void StressOperator::find_reach(const Exec& exec) {
  const Several<6> ends = reduce<Each<Min, Min, Min, Min, Min, Min>>(exec, "stress.extent", domain_.cells,
                                                                     Extent{parts_.friction->read(exec)});
  reach_ = domain_;
  for (int a = 0; a < 3; ++a) {
    const bool any = ends[a] < Min::identity;
    if (any && domain_.lattice.active[a] && domain_.periodic(a)) continue;  // all the way round
    reach_.cells.lo[a] = any ? int(ends[a]) : domain_.cells.lo[a];
    reach_.cells.hi[a] = any ? 1 - int(ends[3 + a]) : domain_.cells.lo[a];
  }
}

void StressOperator::clear(const Exec& exec, StressField& x) const {
  for (int k = 0; k < x.size(); ++k)
    for_each_cell(exec, "stress.clear", domain_.cells, ClearWithout{parts_.friction->read(exec), x[k].update(exec)});
}

/// Fills the halo round periodic sides, where there are any; beyond the others the field is zero.
void StressOperator::wrap(const Exec& exec, const Box& box, Field<double>& field) const {
  Domain ring = domain_;
  bool periodic = false;
  for (int a = 0; a < 3; ++a) {
    if (!domain_.lattice.active[a]) continue;
    if (domain_.periodic(a))
      periodic = true;
    else
      ring.sides[a] = {Side::open, Side::open};
  }
  if (periodic) fill_halo(exec, ring, box, {.open_repeats = false, .open_value = 0}, field);
}

/// face = M^-1 D^T x. Zero beyond the domain, as x is, but for periodic sides.
void StressOperator::force(const Exec& exec, StressField& x) {
  for (int k = 0; k < x.size(); ++k) wrap(exec, domain_.cells, x[k]);
  const Derivative d(layout());
  const StressAxes axes(layout().active);
  const StressView<const double> from = x.read(exec);
  for (int round = 0; round < 3; ++round)
    if (const int k = axes.shear(round))
      for_each_cell(exec, "stress.shear", reach_.edges(round),
                    EdgeStress{d.step[Across(round).a], d.step[Across(round).b], from.part[k],
                               carries_[round].read(exec), edge_[round].update(exec)});
  const MacView<const double> e = edge_.read(exec);
  for (int n = 0; n < axes.dims; ++n) {
    Normal normal{{from.part[0], from.part[0], from.part[0]}, {}};
    for (int k = 0; k < axes.dims; ++k) normal.part[k] = from.part[k], normal.weight[k] = axes.normal(n, k);
    const int a = axes.axis[n];
    for_each_cell(
        exec, "stress.force", reach_.faces(a),
        FaceForce{
            d, a, normal, {e.x.data, e.y.data, e.z.data}, (*parts_.inverse_mass)[a].read(exec), face_[a].update(exec)});
    wrap(exec, domain_.faces(a), face_[a]);
  }
}

void StressOperator::edge_rates(const Exec& exec, const MacField<double>& u) {
  for (int round = 0; round < 3; ++round) {
    const Across across(round);
    if (StressAxes(layout().active).shear(round))
      for_each_cell(exec, "stress.edge_rates", reach_.edges(round),
                    EdgeRate{Derivative(layout()), across, u[across.a].read(exec).data, u[across.b].read(exec).data,
                             carries_[round].read(exec), edge_[round].update(exec)});
  }
}

void StressOperator::residual(const Exec& exec, StressField& x, const StressField& b, StressField& out) {
  force(exec, x);
  add_strain(exec, face_, -1, b.read(exec), out);
}

void StressOperator::strain(const Exec& exec, const MacField<double>& u, StressField& out) {
  add_strain(exec, u, 1, {}, out);
}

/// out = b + factor D u.
void StressOperator::add_strain(const Exec& exec, const MacField<double>& u, double factor,
                                const StressView<const double>& b, StressField& out) {
  edge_rates(exec, u);
  const MacView<const double> v = u.read(exec), e = edge_.read(exec);
  const Rates rates{Derivative(layout()),
                    StressAxes(layout().active),
                    {v.x.data, v.y.data, v.z.data},
                    {e.x.data, e.y.data, e.z.data}};
  for_each_cell(exec, "stress.strain", reach_.cells,
                Strain{rates, factor, parts_.friction->read(exec), b, out.update(exec)});
}

void StressOperator::push(const Exec& exec, StressField& x, MacField<double>& u) {
  force(exec, x);
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "stress.push", domain_.faces(a), Subtract{face_[a].read(exec), u[a].update(exec)});
}

}  // namespace silt
