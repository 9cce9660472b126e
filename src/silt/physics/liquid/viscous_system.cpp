#include "silt/physics/liquid/viscous_system.h"

#include "silt/core/loops.h"
#include "silt/fields/halo.h"
#include "silt/physics/liquid/viscous_sites.h"

namespace silt {

namespace {

/// Faces in the air that liquid beside them drags along have no mass of their own; a system needs some [cells].
constexpr double least_mass = 1e-6;
/// What strong viscosity leaves after a while is rest, not ever smaller numbers that no longer fit a float [m/s].
constexpr double at_rest = 1e-18;

/// What the sites of a liquid weigh.
struct Amounts {
  double h, strength;  ///< strength: nu dt / h^2; dt / h^2 where the viscosity varies
  Int3 active;
  View<const float> surface, viscosities, distance, grip;

  /// The part of the site's volume that is liquid. `back`: the cells round it are c - back to c.
  SILT_HD double liquid(Cell c, Int3 back) const { return surface.data ? SitePlane::below(surface, c, -back, h) : 1.0; }
  /// The part that solids leave. Those that liquid sticks to are looked at elsewhere, when `unless_sticky`.
  SILT_HD double room(Cell c, Int3 back, bool unless_sticky) const {
    const Int3 reach = active - back;
    if (std::abs(distance(c)) > 2 * h) return distance(c) > 0 ? 1 : 0;
    if (unless_sticky && grip(c) >= 0.5f) return 1;
    return 1 - SitePlane::below(distance, c, reach, h);
  }
  SILT_HD double nu_dt(Cell c, Int3 back) const {
    return viscosities.data ? strength * SitePlane::of(viscosities, c, -back).value : strength;
  }
  SILT_HD double stiffness(Cell c, Int3 back) const { return nu_dt(c, back) * liquid(c, back) * room(c, back, true); }
};

/// The stretching of a cell along an axis:  1/2 weight (scale dx + known)^2.
struct Stretch {
  Amounts amounts;
  ViscousFaces faces;

  /// `upper`: the cell's upper face.
  SILT_HD Difference difference(Cell upper) const { return faces.between(upper, faces.sites.axis); }
  SILT_HD double weight(Cell upper, const Difference& d) const {
    return d.exists ? 2 * amounts.stiffness(upper - unit(faces.sites.axis), {}) * d.share : 0.0;
  }
  /// What is known of it pulls at the upper face, and pushes at the lower.
  SILT_HD double pull(Cell upper) const {
    const Difference d = difference(upper);
    return d.known == 0 ? 0.0 : weight(upper, d) * d.scale * d.known;
  }
};

/// The shear on an edge:  1/2 weight (scale dx_a + scale dx_b + known)^2,  a and b the two axes after that of the edge.
struct Shear {
  Amounts amounts;
  ViscousFaces first, second;
  struct Pair {
    Difference d[2];
    double known;
  };

  SILT_HD Pair differences(Cell c) const {
    Pair out{{first.between(c, second.sites.axis), second.between(c, first.sites.axis)}, 0};
    if (out.d[0].exists && out.d[1].exists) out.known = out.d[0].known + out.d[1].known;
    return out;
  }
  SILT_HD double weight(Cell c, const Pair& pair) const {
    if (!pair.d[0].exists || !pair.d[1].exists) return 0;
    const double share = pair.d[0].share < pair.d[1].share ? pair.d[0].share : pair.d[1].share;
    return amounts.stiffness(c, unit(first.sites.axis) + unit(second.sites.axis)) * share;
  }
  /// What is known of it pulls at the upper face of its n-th axis, and pushes at the lower.
  SILT_HD double pull(int n, Cell c) const {
    const Pair pair = differences(c);
    return pair.known == 0 ? 0.0 : weight(c, pair) * pair.d[n].scale * pair.known;
  }
};

struct BuildStretch {
  Stretch stretch;
  View<float> own;
  SILT_HD void operator()(Cell c) const {
    const Difference d = stretch.difference(c);
    own(c) = float(stretch.weight(c, d) * d.scale * d.scale);
  }
};

struct BuildShear {
  Shear shear;
  View<float> own_first, own_second, cross;
  SILT_HD void operator()(Cell c) const {
    const Shear::Pair pair = shear.differences(c);
    const double weight = shear.weight(c, pair), first = pair.d[0].scale, second = pair.d[1].scale;
    own_first(c) = float(weight * first * first);
    own_second(c) = float(weight * second * second);
    cross(c) = float(weight * first * second);
  }
};

struct BuildMass {
  Amounts amounts;
  ViscousFaces faces;
  MacView<const float> own;
  View<float> mass;
  SILT_HD void operator()(Cell c) const {
    const FaceSites& sites = faces.sites;
    if (!sites.moves(c)) {
      mass(c) = 0;
      return;
    }
    const Int3 back = unit(sites.axis);
    const double here = amounts.liquid(c, back) * amounts.room(c, back, false) * (sites.on_boundary(c) ? 0.5 : 1);
    double pulled = 0;
    for (int b = 0; b < 3; ++b)
      if (amounts.active[b]) pulled += double(own[b](c)) + own[b](c + unit(b));
    mass(c) = float(here > least_mass ? here : pulled > 0 ? least_mass : 0.0);
  }
};

/// b of component a: b = m u* - sum over its strains of  weight scale known,  upper less lower.
struct RightSide {
  Stretch stretch;
  Shear shears[2];  ///< of the edges along a + 2 and a + 1: there a is the first, then the second axis
  Int3 active;
  View<const float> mass, before;
  View<double> out;

  SILT_HD double operator()(Cell c) const {
    double b = 0;
    if (mass(c) > 0) {
      const int a = stretch.faces.sites.axis;
      double pull = stretch.pull(c) - stretch.pull(c + unit(a));
      for (int n = 0; n < 2; ++n) {
        const int other = (a + 1 + n) % 3;
        if (active[other]) pull += shears[n].pull(n, c) - shears[n].pull(n, c + unit(other));
      }
      b = double(mass(c)) * before(c) - pull;
    }
    out(c) = b;
    return b * b;
  }
};

/// (A x) of component a at index n.
template <class T>
struct Product {
  int step[3];  ///< along a, a + 1 and a + 2; 0 along a flat axis
  const float *mass, *own[3], *cross[2];
  const T* x[3];

  SILT_HD double operator()(int n) const {
    const T* u = x[0];
    double sum = double(mass[n]) * u[n];
    for (int k = 0; k < 3; ++k) {
      const int s = step[k];
      sum += own[k][n] * (double(u[n]) - u[n - s]) - own[k][n + s] * (double(u[n + s]) - u[n]);
    }
    for (int k = 0; k < 2; ++k) {
      const int s = step[k + 1], a = step[0];
      const T* v = x[k + 1];
      sum += cross[k][n] * (double(v[n]) - v[n - a]) - cross[k][n + s] * (double(v[n + s]) - v[n + s - a]);
    }
    return mass[n] > 0 ? sum : 0.0;
  }
};

struct Apply {
  Product<float> product;
  View<double> out;
  SILT_HD double operator()(Cell c) const {
    const int n = out.index(c.x, c.y, c.z);
    const double ax = product(n);
    out.data[n] = ax;
    return product.x[0][n] * ax;
  }
};

struct Residual {
  Product<double> product;
  View<const double> b;
  View<double> out;
  SILT_HD double operator()(Cell c) const {
    const int n = out.index(c.x, c.y, c.z);
    const double r = b.data[n] - product(n);
    out.data[n] = r;
    return r * r;
  }
};

struct Take {
  FaceSites sites;
  View<const float> mass;
  View<const double> x;
  View<float> velocity;
  SILT_HD void operator()(Cell c) const {
    if (mass(c) > 0)
      velocity(c) = std::abs(x(c)) < at_rest ? 0.0f : float(x(c));
    else if (!sites.moves(c) && sites.sticks(c) && !sites.on_boundary(c))
      velocity(c) = sites.solid_velocity(c);
  }
};

struct Clear {
  View<float> out;
  SILT_HD void operator()(Cell c) const { out(c) = 0; }
};

ViscousFaces viscous_faces(const Exec& exec, const Domain& domain, const ViscousLiquid& liquid, int axis) {
  ViscousFaces out{face_sites(exec, domain, *liquid.solids, axis), float(3 * domain.lattice.h), {}, {}};
  for (int b = 0; b < 3; ++b)
    for (int end = 0; end < 2; ++end) {
      out.sticks[b][end] = domain.side(b, end) == Side::wall && liquid.walls[b][end].no_slip;
      out.wall_velocity[b][end] = liquid.walls[b][end].velocity[axis];
    }
  return out;
}

Amounts amounts_of(const Exec& exec, const Domain& domain, const ViscousLiquid& liquid, double dt) {
  const double h = domain.lattice.h;
  return {h,
          (liquid.viscosities ? 1 : liquid.viscosity) * dt / (h * h),
          domain.lattice.active,
          liquid.surface ? liquid.surface->read(exec) : View<const float>{},
          liquid.viscosities ? liquid.viscosities->read(exec) : View<const float>{},
          liquid.solids->distance.read(exec),
          liquid.solids->grip.read(exec)};
}

template <class T>
Product<T> product_of(const Exec& exec, const ViscousSystem& system, const MacField<float>& cross, const MacField<T>& x,
                      int a) {
  const Layout& layout = system.layout();
  const int strides[3] = {1, layout.stride_y, layout.stride_z};
  Product<T> out;
  out.mass = system.mass()[a].read(exec).data;
  for (int k = 0; k < 3; ++k) {
    const int axis = (a + k) % 3;
    out.step[k] = strides[axis];
    out.own[k] = system.own(a)[axis].read(exec).data;
    out.x[k] = x[axis].read(exec).data;
  }
  // What couples a to the next axis sits on edges along the one after it.
  for (int k = 0; k < 2; ++k) out.cross[k] = cross[(a + 2 - k) % 3].read(exec).data;
  return out;
}

}  // namespace

ViscousSystem::ViscousSystem(const Layout& layout)
    : mass_(layout), own_{MacField<float>(layout), MacField<float>(layout), MacField<float>(layout)}, cross_(layout) {}

void ViscousSystem::prepare(const Exec& exec, const Domain& domain, const ViscousLiquid& liquid, double dt) {
  if (domain.cells != domain_.cells || domain.sides != domain_.sides)
    for (MacField<float>* fields : {&mass_, &own_[0], &own_[1], &own_[2], &cross_})
      for (int a = 0; a < 3; ++a)
        for_each_cell(exec, "viscous.clear", layout().storage(), Clear{(*fields)[a].write(exec)});
  domain_ = ring_ = domain;
  liquid_ = liquid;
  dt_ = dt;
  const Int3 active = domain.lattice.active;
  for (int a = 0; a < 3; ++a)
    if (!active[a] || !domain.periodic(a)) ring_.sides[a] = {Side::open, Side::open};
  const Amounts amounts = amounts_of(exec, domain, liquid, dt);
  for (int a = 0; a < 3; ++a)
    if (active[a])
      for_each_cell(exec, "viscous.stretch", domain.faces(a),
                    BuildStretch{{amounts, viscous_faces(exec, domain, liquid, a)}, own_[a][a].update(exec)});
  for (int along = 0; along < 3; ++along) {
    const int a = (along + 1) % 3, b = (along + 2) % 3;
    if (active[a] && active[b])
      for_each_cell(
          exec, "viscous.shear", domain.edges(along),
          BuildShear{{amounts, viscous_faces(exec, domain, liquid, a), viscous_faces(exec, domain, liquid, b)},
                     own_[a][b].update(exec),
                     own_[b][a].update(exec),
                     cross_[along].update(exec)});
  }
  for (int a = 0; a < 3; ++a) {
    if (!active[a]) continue;
    const Box faces = domain.faces(a);
    for (int b = 0; b < 3; ++b)
      if (active[b] && domain.periodic(b)) fill_halo(exec, ring_, faces, HaloRule{}, own_[a][b]);
    for_each_cell(
        exec, "viscous.mass", faces,
        BuildMass{amounts, viscous_faces(exec, domain, liquid, a), own_[a].read(exec), mass_[a].update(exec)});
  }
}

double ViscousSystem::right_side(const Exec& exec, const MacField<float>& velocity, MacField<double>& b) const {
  const Amounts amounts = amounts_of(exec, domain_, liquid_, dt_);
  double sum = 0;
  for (int a = 0; a < 3; ++a) {
    if (!domain_.lattice.active[a]) continue;
    const auto faces = [&](int axis) { return viscous_faces(exec, domain_, liquid_, axis % 3); };
    const RightSide kernel{
        {amounts, faces(a)},    {{amounts, faces(a), faces(a + 1)}, {amounts, faces(a + 2), faces(a)}},
        domain_.lattice.active, mass_[a].read(exec),
        velocity[a].read(exec), b[a].update(exec)};
    sum += reduce<Sum>(exec, "viscous.right_side", domain_.faces(a), kernel);
  }
  return sum;
}

/// Round periodic sides, where there are any; beyond the others x is zero, and stays so.
template <class T>
void ViscousSystem::wrap(const Exec& exec, MacField<T>& x) const {
  const Int3 active = domain_.lattice.active;
  bool wraps = false;
  for (int a = 0; a < 3; ++a) wraps = wraps || (active[a] && domain_.periodic(a));
  for (int a = 0; a < 3 && wraps; ++a)
    if (active[a]) fill_halo(exec, ring_, domain_.faces(a), {.open_repeats = false, .open_value = 0}, x[a]);
}

double ViscousSystem::apply(const Exec& exec, MacField<float>& x, MacField<double>& out) const {
  wrap(exec, x);
  double sum = 0;
  for (int a = 0; a < 3; ++a)
    sum += reduce<Sum>(exec, "viscous.apply", domain_.faces(a),
                       Apply{product_of(exec, *this, cross_, x, a), out[a].update(exec)});
  return sum;
}

double ViscousSystem::residual(const Exec& exec, MacField<double>& x, const MacField<double>& b,
                               MacField<double>& out) const {
  wrap(exec, x);
  double sum = 0;
  for (int a = 0; a < 3; ++a)
    sum += reduce<Sum>(exec, "viscous.residual", domain_.faces(a),
                       Residual{product_of(exec, *this, cross_, x, a), b[a].read(exec), out[a].update(exec)});
  return sum;
}

void ViscousSystem::take(const Exec& exec, const MacField<double>& x, MacField<float>& velocity) const {
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "viscous.take", domain_.faces(a),
                  Take{face_sites(exec, domain_, *liquid_.solids, a), mass_[a].read(exec), x[a].read(exec),
                       velocity[a].update(exec)});
}

}  // namespace silt
