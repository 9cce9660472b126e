#include "silt/solve/poisson.h"

#include "silt/core/loops.h"
#include "silt/fields/halo.h"

namespace silt {

namespace {

constexpr HaloRule zero_beyond_open{.open_repeats = false, .open_value = 0};

struct Diagonal {
  MacView<const float> w;
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    const auto [i, j, k] = c;
    // A flat axis has weight 0 everywhere.
    out(c) = w.x(i, j, k) + w.x(i + 1, j, k) + w.y(i, j, k) + w.y(i, j + 1, k) + w.z(i, j, k) + w.z(i, j, k + 1);
  }
};

struct AddScreen {
  View<const float> screen;
  View<float> diagonal;
  SILT_HD void operator()(Cell c) const { diagonal(c) += screen(c); }
};

/// sum_f w_f (x_c - x_neighbour), each product in T.
template <class T, class X>
struct Laplacian {
  MacView<const float> w;
  X x;
  SILT_HD double operator()(Cell c) const {
    const auto [i, j, k] = c;
    const T m = x(i, j, k);
    return w.x(i, j, k) * (m - x(i - 1, j, k)) + w.x(i + 1, j, k) * (m - x(i + 1, j, k))    //
           + w.y(i, j, k) * (m - x(i, j - 1, k)) + w.y(i, j + 1, k) * (m - x(i, j + 1, k))  //
           + w.z(i, j, k) * (m - x(i, j, k - 1)) + w.z(i, j, k + 1) * (m - x(i, j, k + 1));
  }
};

/// The same in plain runs, with the weights of the two faces across x, which differ at a run's ends.
template <class T, class X>
struct PlainLaplacian {
  float weight, left, right;
  X x;
  SILT_HD T operator()(Cell c) const {
    const auto [i, j, k] = c;
    const T m = x(i, j, k);
    return (left * (m - x(i - 1, j, k)) + right * (m - x(i + 1, j, k))) +
           weight * (((m - x(i, j - 1, k)) + (m - x(i, j + 1, k))) + ((m - x(i, j, k - 1)) + (m - x(i, j, k + 1))));
  }
  PlainLaplacian with_ends(float l, float r) const { return {weight, l, r, x}; }
};

struct Hold {
  View<const unsigned char> held;
  View<float> diagonal;
  SILT_HD void operator()(Cell c) const { diagonal(c) = held(c) ? 0.0f : diagonal(c); }
};

/// Either with k_c x_c.
template <class Stencil>
struct Screened {
  Stencil laplacian;
  View<const float> screen;
  SILT_HD double operator()(Cell c) const {
    return laplacian(c) + double(screen(c)) * double(laplacian.x(c.x, c.y, c.z));
  }
  Screened with_ends(float left, float right) const { return {laplacian.with_ends(left, right), screen}; }
};

/// Any of them without the rows that are left out.
template <class A>
struct Masked {
  A a;
  View<const float> diagonal;
  SILT_HD double operator()(Cell c) const {
    const double ax = a(c);
    return diagonal(c) > 0 ? ax : 0.0;
  }
};

template <class A>
struct ApplyDot {
  A a;
  View<const float> x;
  View<double> out;
  SILT_HD double operator()(Cell c) const {
    const double ax = a(c);
    out(c) = ax;
    return x(c) * ax;
  }
  ApplyDot with_ends(float left, float right) const { return {a.with_ends(left, right), x, out}; }
};

template <class A>
struct ResidualNorm {
  A a;
  View<const double> b;
  View<double> out;
  SILT_HD double operator()(Cell c) const {
    const double r = b(c) - a(c);
    out(c) = r;
    return r * r;
  }
  ResidualNorm with_ends(float left, float right) const { return {a.with_ends(left, right), b, out}; }
};

template <class A>
struct SquaredResidual {
  A a;
  View<const double> b;
  SILT_HD double operator()(Cell c) const {
    const double r = b(c) - a(c);
    return r * r;
  }
  SquaredResidual with_ends(float left, float right) const { return {a.with_ends(left, right), b}; }
};

/// s = z + beta s.
struct Combine {
  View<const float> z, before;
  float beta;
  View<float> s;
  SILT_HD void operator()(Cell c) const { s(c) = z(c) + beta * before(c); }
};

template <class A>
struct Energy {
  A a;
  View<const float> s;
  SILT_HD double operator()(Cell c) const { return double(s(c)) * double(a(c)); }  // a float would underflow first
  Energy with_ends(float left, float right) const { return {a.with_ends(left, right), s}; }
};

template <class A>
struct Advance {
  A a;
  double alpha;
  View<const float> s;
  View<double> x, r;
  View<float> narrow;
  SILT_HD double operator()(Cell c) const {
    x(c) += alpha * s(c);
    const double rest = r(c) - alpha * a(c);
    r(c) = rest;
    narrow(c) = float(rest);
    return rest * rest;
  }
  Advance with_ends(float left, float right) const { return {a.with_ends(left, right), alpha, s, x, r, narrow}; }
};

}  // namespace

void PoissonOperator::prepare(const Exec& exec, const Domain& domain, const MacField<float>& weights,
                              const Field<float>* screen, const Field<unsigned char>* held) {
  if (!diagonal_.allocated() || diagonal_.layout() != weights.layout() || domain.cells != domain_.cells)
    diagonal_ = Field<float>(weights.layout());
  domain_ = domain;
  weights_ = &weights;
  screen_ = screen;
  has_held_ = held != nullptr;
  used_.move_to(domain.cells, diagonal_);
  for_each_cell(exec, "poisson.diagonal", domain.cells, Diagonal{weights.read(exec), diagonal_.update(exec)});
  if (screen)
    for_each_cell(exec, "poisson.screen", domain.cells, AddScreen{screen->read(exec), diagonal_.update(exec)});
  if (held) for_each_cell(exec, "poisson.hold", domain.cells, Hold{held->read(exec), diagonal_.update(exec)});
  plain_ = find_plain_runs(exec, domain.cells, weights, diagonal_);
}

template <class T>
void PoissonOperator::fill(const Exec& exec, Field<T>& x) const {
  fill_halo(exec, domain_, domain_.cells, zero_beyond_open, x);
}

bool PoissonOperator::periodic() const {
  for (int a = 0; a < 3; ++a)
    if (layout().active[a] && domain_.periodic(a)) return true;
  return false;
}

/// use(kernel) of what `make(stencil)` is: the stencil on x, products in T, with the screen where there is one, in its
/// general form and in the one for plain runs.
template <class T, class X, class Make, class Use>
auto PoissonOperator::with_kernel(const Exec& exec, const X& x, const Make& make, const Use& use) const {
  const auto over_parts = [&](const auto& general, const auto& plain) {
    return plain_.any() ? use(with_plain(plain_, make(general), make(plain))) : use(make(general));
  };
  // A plain cell is never held.
  const auto over = [&]<class General>(const General& general, const auto& plain) {
    return has_held_ ? over_parts(Masked<General>{general, diagonal_.read(exec)}, plain) : over_parts(general, plain);
  };
  const Laplacian<T, X> general{weights_->read(exec), x};
  const float w = plain_.weight;
  const PlainLaplacian<T, X> plain{w, w, w, x};
  if (!screen_) return over(general, plain);
  const View<const float> screen = screen_->read(exec);
  return over(Screened<Laplacian<T, X>>{general, screen}, Screened<PlainLaplacian<T, X>>{plain, screen});
}

/// The sum over cells of what `make(stencil)` gives there.
template <class T, class X, class Make>
double PoissonOperator::sum(const Exec& exec, const char* name, const X& x, const Make& make) const {
  return with_kernel<T>(exec, x, make,
                        [&](const auto& kernel) { return reduce<Sum>(exec, name, domain_.cells, kernel); });
}

double PoissonOperator::apply(const Exec& exec, Field<float>& x, Field<double>& out) const {
  fill(exec, x);
  const View<double> to = out.write(exec);
  return sum<double>(exec, "poisson.apply", x.read(exec), [&](const auto& a) {
    return ApplyDot<std::decay_t<decltype(a)>>{a, x.read(exec), to};
  });
}

double PoissonOperator::residual(const Exec& exec, Field<double>& x, const Field<double>& b, Field<double>& out) const {
  fill(exec, x);
  const View<double> to = out.write(exec);
  return sum<double>(exec, "poisson.residual", x.read(exec), [&](const auto& a) {
    return ResidualNorm<std::decay_t<decltype(a)>>{a, b.read(exec), to};
  });
}

double PoissonOperator::residual_norm2(const Exec& exec, Field<double>& x, const Field<double>& b) const {
  fill(exec, x);
  return sum<double>(exec, "poisson.residual_norm", x.read(exec), [&](const auto& a) {
    return SquaredResidual<std::decay_t<decltype(a)>>{a, b.read(exec)};
  });
}

double PoissonOperator::next_direction(const Exec& exec, const Field<float>& z, float beta, Field<float>& s) const {
  Wave wave(exec, domain_.cells);
  const View<float> to = s.update(exec);
  const Field<float>& before = beta == 0 ? z : s;  // what a solve that broke down left there may not be a number
  wave.for_each_cell("poisson.direction", 0, Combine{z.read(exec), before.read(exec), beta, to});
  if (periodic()) {
    wave.run();
    fill(exec, s);
  }
  RowTotals<Sum> energy(domain_.cells);
  const View<const float> along = std::as_const(s).read(exec);
  // Products in float: they only decide how far to go along s.
  with_kernel<float>(
      exec, along,
      [&]<class A>(const A& a) {
        return Energy<A>{a, along};
      },
      [&](const auto& kernel) { wave.reduce("poisson.energy", 1, kernel, energy); });
  wave.run();
  return energy.total();
}

void PoissonOperator::advance(const Exec& exec, double alpha, const Field<float>& s, Field<double>& x, Field<double>& r,
                              Field<float>& narrow, RowTotals<Sum>& norm2, Wave& wave) const {
  with_kernel<double>(
      exec, s.read(exec),
      [alpha, along = s.read(exec), to_x = x.update(exec), to_r = r.update(exec),
       to_narrow = narrow.update(exec)]<class A>(const A& a) {
        return Advance<A>{a, alpha, along, to_x, to_r, to_narrow};
      },
      [&](const auto& kernel) { wave.reduce("poisson.advance", 0, kernel, norm2); });
}

}  // namespace silt
