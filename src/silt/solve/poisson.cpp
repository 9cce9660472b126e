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

/// The same with k_c x_c.
template <class T, class X>
struct Screened {
  Laplacian<T, X> laplacian;
  View<const float> screen;
  SILT_HD double operator()(Cell c) const {
    return laplacian(c) + double(screen(c)) * double(laplacian.x(c.x, c.y, c.z));
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
};

/// z + beta s.
struct Combined {
  View<const float> z, s;
  float beta;
  SILT_HD float operator()(int i, int j, int k) const { return z(i, j, k) + beta * s(i, j, k); }
};

template <class A, class X>
struct StoreDirection {
  A a;
  X x;
  View<float> s;
  SILT_HD double operator()(Cell c) const {
    const float value = x(c.x, c.y, c.z);
    s(c) = value;
    return value * a(c);
  }
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
};

}  // namespace

void PoissonOperator::prepare(const Exec& exec, const Domain& domain, const MacField<float>& weights,
                              const Field<float>* screen) {
  if (!diagonal_.allocated() || diagonal_.layout() != weights.layout() || domain.cells != domain_.cells)
    diagonal_ = Field<float>(weights.layout());
  domain_ = domain;
  weights_ = &weights;
  screen_ = screen;
  for_each_cell(exec, "poisson.diagonal", domain.cells, Diagonal{weights.read(exec), diagonal_.update(exec)});
  if (screen)
    for_each_cell(exec, "poisson.screen", domain.cells, AddScreen{screen->read(exec), diagonal_.update(exec)});
}

template <class T>
void PoissonOperator::fill(const Exec& exec, Field<T>& x) const {
  fill_halo(exec, domain_, domain_.cells, zero_beyond_open, x);
}

void PoissonOperator::wrap(const Exec& exec, Field<float>& x) const {
  bool periodic = false;
  for (int a = 0; a < 3; ++a) periodic = periodic || (layout().active[a] && domain_.periodic(a));
  if (periodic) fill(exec, x);
}

/// Calls `use` with the stencil on x, products in T: the Laplacian alone, or with the screen.
template <class T, class X, class Use>
double PoissonOperator::with_stencil(const Exec& exec, const X& x, const Use& use) const {
  const Laplacian<T, X> laplacian{weights_->read(exec), x};
  return screen_ ? use(Screened<T, X>{laplacian, screen_->read(exec)}) : use(laplacian);
}

double PoissonOperator::apply(const Exec& exec, Field<float>& x, Field<double>& out) const {
  fill(exec, x);
  return with_stencil<double>(exec, x.read(exec), [&](const auto& a) {
    return reduce<Sum>(exec, "poisson.apply", domain_.cells,
                       ApplyDot<std::decay_t<decltype(a)>>{a, x.read(exec), out.write(exec)});
  });
}

double PoissonOperator::residual(const Exec& exec, Field<double>& x, const Field<double>& b, Field<double>& out) const {
  fill(exec, x);
  return with_stencil<double>(exec, x.read(exec), [&](const auto& a) {
    return reduce<Sum>(exec, "poisson.residual", domain_.cells,
                       ResidualNorm<std::decay_t<decltype(a)>>{a, b.read(exec), out.write(exec)});
  });
}

double PoissonOperator::next_direction(const Exec& exec, Field<float>& z, float beta, const Field<float>& before,
                                       Field<float>& s) const {
  wrap(exec, z);
  const auto store = [&](const auto& x) {
    // Products in float: they only decide how far to go along s.
    return with_stencil<float>(exec, x, [&](const auto& a) {
      return reduce<Sum>(exec, "poisson.direction", domain_.cells,
                         StoreDirection<std::decay_t<decltype(a)>, std::decay_t<decltype(x)>>{a, x, s.update(exec)});
    });
  };
  const double energy = beta == 0 ? store(z.read(exec)) : store(Combined{z.read(exec), before.read(exec), beta});
  wrap(exec, s);
  return energy;
}

double PoissonOperator::advance(const Exec& exec, double alpha, const Field<float>& s, Field<double>& x,
                                Field<double>& r, Field<float>& narrow) const {
  return with_stencil<double>(exec, s.read(exec), [&](const auto& a) {
    return reduce<Sum>(exec, "poisson.advance", domain_.cells,
                       Advance<std::decay_t<decltype(a)>>{a, alpha, s.read(exec), x.update(exec), r.update(exec),
                                                          narrow.update(exec)});
  });
}

}  // namespace silt
