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

/// sum_f w_f (x_c - x_neighbour), in double whatever x is stored in.
template <class T>
struct Laplacian {
  MacView<const float> w;
  View<const T> x;
  SILT_HD double operator()(Cell c) const {
    const auto [i, j, k] = c;
    const double m = x(c);
    return w.x(i, j, k) * (m - x(i - 1, j, k)) + w.x(i + 1, j, k) * (m - x(i + 1, j, k))    //
           + w.y(i, j, k) * (m - x(i, j - 1, k)) + w.y(i, j + 1, k) * (m - x(i, j + 1, k))  //
           + w.z(i, j, k) * (m - x(i, j, k - 1)) + w.z(i, j, k + 1) * (m - x(i, j, k + 1));
  }
};

/// The same with k_c x_c.
template <class T>
struct Screened {
  Laplacian<T> laplacian;
  View<const float> screen;
  View<const T> x;
  SILT_HD double operator()(Cell c) const { return laplacian(c) + double(screen(c)) * x(c); }
};

template <class Stencil>
struct ApplyDot {
  Stencil stencil;
  View<double> out;
  SILT_HD double operator()(Cell c) const {
    const double ax = stencil(c);
    out(c) = ax;
    return stencil.x(c) * ax;
  }
};

template <class Stencil>
struct ResidualNorm {
  Stencil stencil;
  View<const double> b;
  View<double> out;
  SILT_HD double operator()(Cell c) const {
    const double r = b(c) - stencil(c);
    out(c) = r;
    return r * r;
  }
};

}  // namespace

PoissonOperator::PoissonOperator(const Exec& exec, const Domain& domain, const MacField<float>& weights,
                                 const Field<float>* screen)
    : domain_(domain), weights_(&weights), screen_(screen), diagonal_(weights.layout()) {
  for_each_cell(exec, "poisson.diagonal", domain.cells, Diagonal{weights.read(exec), diagonal_.write(exec)});
  if (screen)
    for_each_cell(exec, "poisson.screen", domain.cells, AddScreen{screen->read(exec), diagonal_.update(exec)});
}

double PoissonOperator::apply(const Exec& exec, Field<float>& x, Field<double>& out) const {
  fill_halo(exec, domain_, domain_.cells, zero_beyond_open, x);
  const Laplacian<float> laplacian{weights_->read(exec), x.read(exec)};
  if (!screen_)
    return reduce<Sum>(exec, "poisson.apply", domain_.cells, ApplyDot<Laplacian<float>>{laplacian, out.write(exec)});
  return reduce<Sum>(exec, "poisson.apply_screened", domain_.cells,
                     ApplyDot<Screened<float>>{{laplacian, screen_->read(exec), x.read(exec)}, out.write(exec)});
}

double PoissonOperator::residual(const Exec& exec, Field<double>& x, const Field<double>& b, Field<double>& out) const {
  fill_halo(exec, domain_, domain_.cells, zero_beyond_open, x);
  const Laplacian<double> laplacian{weights_->read(exec), x.read(exec)};
  if (!screen_)
    return reduce<Sum>(exec, "poisson.residual", domain_.cells,
                       ResidualNorm<Laplacian<double>>{laplacian, b.read(exec), out.write(exec)});
  return reduce<Sum>(
      exec, "poisson.residual_screened", domain_.cells,
      ResidualNorm<Screened<double>>{{laplacian, screen_->read(exec), x.read(exec)}, b.read(exec), out.write(exec)});
}

}  // namespace silt
