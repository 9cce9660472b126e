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

/// The same in plain runs.
template <class T, class X>
struct PlainLaplacian {
  float weight;
  X x;
  SILT_HD double operator()(Cell c) const {
    const auto [i, j, k] = c;
    const T m = x(i, j, k);
    return weight * ((m - x(i - 1, j, k)) + (m - x(i + 1, j, k)) + (m - x(i, j - 1, k)) + (m - x(i, j + 1, k)) +
                     (m - x(i, j, k - 1)) + (m - x(i, j, k + 1)));
  }
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
                              const Field<float>* screen, const Field<unsigned char>* held) {
  if (!diagonal_.allocated() || diagonal_.layout() != weights.layout() || domain.cells != domain_.cells)
    diagonal_ = Field<float>(weights.layout());
  domain_ = domain;
  weights_ = &weights;
  screen_ = screen;
  has_held_ = held != nullptr;
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

void PoissonOperator::wrap(const Exec& exec, Field<float>& x) const {
  bool periodic = false;
  for (int a = 0; a < 3; ++a) periodic = periodic || (layout().active[a] && domain_.periodic(a));
  if (periodic) fill(exec, x);
}

/// The sum over cells of what `make(stencil)` gives there: the stencil on x, products in T, with the screen where there
/// is one, in its general form and in the one for plain runs.
template <class T, class X, class Make>
double PoissonOperator::sum(const Exec& exec, const char* name, const X& x, const Make& make) const {
  const auto over_parts = [&](const auto& general, const auto& plain) {
    return plain_.weight > 0 ? reduce<Sum>(exec, name, domain_.cells, with_plain(plain_, make(general), make(plain)))
                             : reduce<Sum>(exec, name, domain_.cells, make(general));
  };
  // A plain cell is never held.
  const auto over = [&]<class General>(const General& general, const auto& plain) {
    return has_held_ ? over_parts(Masked<General>{general, diagonal_.read(exec)}, plain) : over_parts(general, plain);
  };
  const Laplacian<T, X> general{weights_->read(exec), x};
  const PlainLaplacian<T, X> plain{plain_.weight, x};
  if (!screen_) return over(general, plain);
  const View<const float> screen = screen_->read(exec);
  return over(Screened<Laplacian<T, X>>{general, screen}, Screened<PlainLaplacian<T, X>>{plain, screen});
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

double PoissonOperator::next_direction(const Exec& exec, Field<float>& z, float beta, const Field<float>& before,
                                       Field<float>& s) const {
  wrap(exec, z);
  const View<float> to = s.update(exec);
  const auto store = [&]<class X>(const X& x) {
    // Products in float: they only decide how far to go along s.
    return sum<float>(exec, "poisson.direction", x, [&](const auto& a) {
      return StoreDirection<std::decay_t<decltype(a)>, X>{a, x, to};
    });
  };
  const double energy = beta == 0 ? store(z.read(exec)) : store(Combined{z.read(exec), before.read(exec), beta});
  wrap(exec, s);
  return energy;
}

double PoissonOperator::advance(const Exec& exec, double alpha, const Field<float>& s, Field<double>& x,
                                Field<double>& r, Field<float>& narrow) const {
  const View<double> to_x = x.update(exec), to_r = r.update(exec);
  const View<float> to_narrow = narrow.update(exec);
  return sum<double>(exec, "poisson.advance", s.read(exec), [&](const auto& a) {
    return Advance<std::decay_t<decltype(a)>>{a, alpha, s.read(exec), to_x, to_r, to_narrow};
  });
}

}  // namespace silt
