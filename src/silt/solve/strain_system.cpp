#include "silt/solve/strain_system.h"

#include <utility>

#include "silt/core/loops.h"
#include "silt/fields/wrap.h"
#include "silt/solve/extend_faces.h"

namespace silt {
namespace {

/// squeeze times the net outflow of a cell.
struct Outflow {
  static constexpr int work_per_cell = 4;
  int step[3];
  const float *squeeze, *open[3], *x[3];
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    const int n = out.index(c.x, c.y, c.z);
    float sum = 0;
    for (int a = 0; a < 3; ++a) sum += open[a][n + step[a]] * x[a][n + step[a]] - open[a][n] * x[a][n];
    out.data[n] = squeeze[n] * sum;
  }
};

/// (A x) of component a at index n.
struct Product {
  int step[3];  ///< along a, a + 1 and a + 2; 0 along a flat axis
  const float *mass, *open, *outflow, *stretch, *shear[2];
  const float* x[3];

  SILT_HD float of_strain(int n) const {
    const int along = step[0];
    const float* u = x[0];
    float sum = stretch[n - along] * (u[n] - u[n - along]) - stretch[n] * (u[n + along] - u[n]);
    for (int k = 0; k < 2; ++k) {
      const int s = step[k + 1];
      const float* v = x[k + 1];
      sum += shear[k][n] * (u[n] - u[n - s] + (v[n] - v[n - along]));
      sum -= shear[k][n + s] * (u[n + s] - u[n] + (v[n + s] - v[n + s - along]));
    }
    return sum;
  }
  SILT_HD float operator()(int n) const {
    const float sum = mass[n] * x[0][n] + open[n] * (outflow[n - step[0]] - outflow[n]) + of_strain(n);
    return mass[n] > 0 ? sum : 0.0f;
  }
};

/// What of A x acts where x goes on, on the faces that it goes on from: out += factor times it, or `inverse` times
/// that. In a loop of its own, for there are few such faces. Returns x times it.
struct Fold {
  Product product;
  const float *extended, *lends, *inverse;  ///< the last may be null
  float factor;
  View<float> out;
  SILT_HD double operator()(Cell c) const {
    const int n = out.index(c.x, c.y, c.z);
    if (!(lends[n] > 0)) return 0;
    float sum = 0;
    for (const int s : product.step)
      for (const int next : {n - s, n + s})
        if (extended[next] > 0) sum += extended[next] * product.of_strain(next);
    out.data[n] += factor * (inverse ? inverse[n] * sum : sum);
    return double(product.x[0][n]) * sum;
  }
};

/// The same by lists: first what acts on each face where x goes on, then what of it each that lends takes.
struct ActListed {
  Product product;
  const float* extended;
  const int* faces;
  float* acts;
  SILT_HD void operator()(std::int64_t i) const { acts[i] = extended[faces[i]] * product.of_strain(faces[i]); }
};
struct FoldListed {
  const float *x, *inverse;  ///< the last may be null
  float factor;
  const int *faces, *first, *beside;
  const float* acts;
  View<float> out;
  double* sums;
  SILT_HD void operator()(std::int64_t i) const {
    const int n = faces[i];
    float sum = 0;
    for (int k = first[i]; k < first[i + 1]; ++k) sum += acts[beside[k]];
    out.data[n] += factor * (inverse ? inverse[n] * sum : sum);
    sums[i] = double(x[n]) * sum;
  }
};

struct Apply {
  static constexpr int work_per_cell = 8;
  Product product;
  View<float> out;
  SILT_HD double operator()(Cell c) const {
    const int n = out.index(c.x, c.y, c.z);
    const float ax = product(n);
    out.data[n] = ax;
    return double(product.x[0][n]) * ax;
  }
};

struct Residual {
  static constexpr int work_per_cell = 8;
  Product product;
  const float* b;
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    const int n = out.index(c.x, c.y, c.z);
    out.data[n] = b[n] - product(n);
  }
};

struct Relax {
  static constexpr int work_per_cell = 8;
  Product product;
  const float *b, *inverse;
  float keep, add;
  View<float> before;
  SILT_HD void operator()(Cell c) const {
    const int n = before.index(c.x, c.y, c.z);
    const float x = product.x[0][n];
    before.data[n] = x + keep * (x - before.data[n]) + add * inverse[n] * (b[n] - product(n));
  }
};

struct FirstRelax {
  static constexpr int work_per_cell = 2;
  const float *b, *inverse;
  float add;
  float* before;
  View<float> x;
  SILT_HD void operator()(Cell c) const {
    const int n = x.index(c.x, c.y, c.z);
    x.data[n] = add * inverse[n] * b[n];
    before[n] = 0;
  }
};

/// The sum of what a row has, without signs: no eigenvalue of A over it is larger than 1.
struct RowSum {
  int step[3];
  const float *mass, *open, *squeeze, *stretch, *shear[2], *open_beside[2];
  SILT_HD float of_strain(int n) const {
    float sum = 2 * (stretch[n - step[0]] + stretch[n]);
    for (int k = 0; k < 2; ++k)
      if (step[k + 1] != 0) sum += 4 * (shear[k][n] + shear[k][n + step[k + 1]]);
    return sum;
  }
  SILT_HD float operator()(int n) const {
    const int low = n - step[0];
    const float a = open[n], in_low = squeeze[low] * a, in_high = squeeze[n] * a;
    float sum = mass[n] + of_strain(n);
    sum += in_low * (a + open[low]) + in_high * (a + open[n + step[0]]);
    for (int k = 0; k < 2; ++k) {
      const int s = step[k + 1];
      if (s == 0) continue;
      const float* beside = open_beside[k];
      sum += in_low * (beside[low] + beside[low + s]) + in_high * (beside[n] + beside[n + s]);
    }
    return sum;
  }
};
struct InvertRowSum {
  static constexpr int work_per_cell = 8;
  RowSum row;
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    const int n = out.index(c.x, c.y, c.z);
    out.data[n] = row.mass[n] > 0 ? 1 / row(n) : 0.0f;
  }
};
/// What the row of a face has of those where x goes on from it, too. In a loop of its own, for there are few such
/// faces.
struct InvertRowSumBeside {
  RowSum row;
  const float* extended;
  View<float> out;
  SILT_HD void at(int n) const {
    float sum = row(n);
    for (const int s : row.step)
      for (const int next : {n - s, n + s})
        if (extended[next] > 0) sum += extended[next] * row.of_strain(next);
    out.data[n] = row.mass[n] > 0 ? 1 / sum : 0.0f;
  }
};
struct InvertLending {
  InvertRowSumBeside invert;
  const float* lends;
  SILT_HD void operator()(Cell c) const {
    const int n = invert.out.index(c.x, c.y, c.z);
    if (lends[n] > 0) invert.at(n);
  }
};
struct InvertListed {
  InvertRowSumBeside invert;
  const int* faces;
  SILT_HD void operator()(std::int64_t i) const { invert.at(faces[i]); }
};

Product product_of(const Exec& exec, const StrainSystem& system, int a, const MacField<float>& x,
                   const Field<float>& outflow) {
  const Layout& layout = system.layout();
  const int strides[3] = {1, layout.stride_y, layout.stride_z};
  Product out;
  out.mass = system.mass[a].read(exec).data, out.open = system.open[a].read(exec).data;
  out.outflow = outflow.read(exec).data, out.stretch = system.stretch.read(exec).data;
  for (int k = 0; k < 3; ++k) {
    out.step[k] = strides[(a + k) % 3];
    out.x[k] = x[(a + k) % 3].read(exec).data;
  }
  // What couples a to the next axis sits on edges along the one after it; to the one after, on edges along the next.
  for (int k = 0; k < 2; ++k) out.shear[k] = system.shear[(a + 2 - k) % 3].read(exec).data;
  return out;
}

std::array<Product, 3> products_of(const Exec& exec, const StrainSystem& system, const MacField<float>& x,
                                   const Field<float>& outflow) {
  return of_each_axis([&](int a) { return product_of(exec, system, a, x, outflow); });
}

/// The rest of E^T A E x, after the loop over all faces. Returns x times it.
double fold(const Exec& exec, const StrainSystem& system, const std::array<Product, 3>& products,
            const MacField<float>* inverse, double factor, MacField<float>& out) {
  if (!system.extended) return 0;
  const auto inverse_of = [&](int a) { return inverse ? (*inverse)[a].read(exec).data : nullptr; };
  if (!system.going_on)
    return reduce_faces<Sum>(exec, "strain.fold", faces_of(system.domain), of_each_axis([&](int a) {
                               return Fold{products[a],
                                           (*system.extended)[a].read(exec).data,
                                           (*system.lends)[a].read(exec).data,
                                           inverse_of(a),
                                           float(factor),
                                           out[a].update(exec)};
                             }));
  double sum = 0;
  for (int a = 0; a < 3; ++a) {
    GoingOn::Faces& faces = system.going_on->faces(a);
    const std::size_t count = faces.lends.size();
    for_each_index(
        exec, "strain.act", std::int64_t(faces.acting.size()),
        ActListed{products[a], (*system.extended)[a].read(exec).data, faces.acting.host(), faces.acts.host()},
        GoingOn::cells_each);
    for_each_index(exec, "strain.fold", std::int64_t(count),
                   FoldListed{products[a].x[0], inverse_of(a), float(factor), faces.lends.host(), faces.first.host(),
                              faces.beside.host(), faces.acts.host(), out[a].update(exec), faces.sums.host()},
                   GoingOn::cells_each);
    for (std::size_t i = 0; i < count; ++i) sum += faces.sums.host()[i];
  }
  return sum;
}

void extend(const Exec& exec, const StrainSystem& system, MacField<float>& x) {
  const Layout& layout = system.layout();
  for (int a = 0; a < 3; ++a) {
    const ExtendFaces<float> kernel{{1, layout.stride_y, layout.stride_z},
                                    (*system.extended)[a].read(exec).data,
                                    system.mass[a].read(exec).data,
                                    x[a].update(exec)};
    extend_faces(exec, "strain.extend", system.domain.faces(a), system.going_on, a, kernel);
  }
  wrap_faces(exec, system.domain, x);
}

void find_outflow(const Exec& exec, const StrainSystem& system, MacField<float>& x, Field<float>& outflow) {
  wrap_faces(exec, system.domain, x);
  if (system.extended) extend(exec, system, x);
  const Layout& layout = system.layout();
  Outflow kernel{{1, layout.stride_y, layout.stride_z}, system.squeeze.read(exec).data, {}, {}, outflow.update(exec)};
  for (int a = 0; a < 3; ++a) kernel.open[a] = system.open[a].read(exec).data, kernel.x[a] = x[a].read(exec).data;
  for_each_cell(exec, "strain.outflow", system.domain.cells, kernel);
  wrap_cells(exec, system.domain, outflow);
}

/// Values on the fine lattice, gathered on the coarse one. Along an axis a coarse value has, of the fine ones at
/// 2 i + from and on, weight[0], weight[1], ...
struct Gather {
  static constexpr int work_per_cell = 8;
  struct Along {
    int from = 0, count = 1;
    float weight[4] = {1, 0, 0, 0};
  };
  static constexpr Along on_node{-1, 3, {0.5f, 1, 0.5f, 0}};           ///< of what lies at the lattice's planes
  static constexpr Along between{0, 2, {1, 1, 0, 0}};                  ///< of what lies in cells, added up
  static constexpr Along linear{-1, 4, {0.25f, 0.75f, 0.75f, 0.25f}};  ///< of what is linear between cells' middles
  static constexpr Along in_plane{0, 1, {1, 0, 0, 0}};                 ///< of what lies at a plane, there alone

  Along along[3];
  float scale;
  View<const float> fine;
  View<float> coarse;

  template <class F>
  SILT_HD_INLINE void at(Cell c) const {
    F sum{};
    for (int k = 0; k < along[2].count; ++k)
      for (int j = 0; j < along[1].count; ++j) {
        const float* row = fine.data + fine.index(2 * c.x + along[0].from, fine_at(c.y, 1, j), fine_at(c.z, 2, k));
        const float w = along[1].weight[j] * along[2].weight[k];
        for (int i = 0; i < along[0].count; ++i) sum += w * along[0].weight[i] * Numbers<F>::every_second(row + i);
      }
    Numbers<F>::store(scale * sum, coarse.data + coarse.index(c.x, c.y, c.z));
  }
  SILT_HD int fine_at(int c, int axis, int k) const { return flat[axis] ? c : 2 * c + along[axis].from + k; }
  bool flat[3];
};

Gather gather(const Exec& exec, Int3 active, const Field<float>& fine, Field<float>& coarse, double scale,
              const Gather::Along& x, const Gather::Along& y, const Gather::Along& z) {
  Gather out{{x, y, z}, float(scale), fine.read(exec), coarse.update(exec), {}};
  for (int a = 0; a < 3; ++a) {
    out.flat[a] = !active[a];
    if (out.flat[a]) out.along[a] = {};
  }
  return out;
}

/// fine += P coarse. Along an axis a fine value has, of the coarse one at half its index and of one beside that, a half
/// each where both lie at the lattice's planes, else three quarters and one.
struct Prolong {
  static constexpr int work_per_cell = 8;
  int own;  ///< the axis that the faces lie across
  bool flat[3];
  View<const float> coarse;
  const float* mass;
  View<float> fine;

  struct Pair {
    int base, other;
    float near;
  };
  SILT_HD_INLINE Pair along(int axis, int c) const {
    const int half = c >> 1, odd = c & 1;
    if (flat[axis]) return {c, c, 1};
    if (axis == own) return {half, half + odd, 0.5f};
    return {half, odd ? half + 1 : half - 1, 0.75f};
  }
  template <class F>
  SILT_HD_INLINE void at(Cell c) const {
    if (sizeof(F) > sizeof(float) && c.x % 2 != 0) {
      for (int l = 0; l < lane_count; ++l) at<float>(c + Int3{l, 0, 0});
      return;
    }
    const int n = fine.index(c.x, c.y, c.z);
    const Pair x = along(0, c.x), y = along(1, c.y), z = along(2, c.z);
    F sum{};
    for (int k = 0; k < 2; ++k)
      for (int j = 0; j < 2; ++j) {
        const float w = (j ? 1 - y.near : y.near) * (k ? 1 - z.near : z.near);
        const float* row = coarse.data + coarse.index(0, j ? y.other : y.base, k ? z.other : z.base);
        F base, other;
        Numbers<F>::coarser(row, x.base, x.other, own == 0, base, other);
        sum += w * (x.near * base + (1 - x.near) * other);
      }
    const F zero{}, to = Numbers<F>::load(fine.data + n);
    Numbers<F>::store(Numbers<F>::load(mass + n) > zero ? to + sum : to, fine.data + n);
  }
};

/// Faces that take part move: of a coarse one, where a fine one does.
struct Clip {
  View<const float> mass;
  View<float> values;
  SILT_HD void operator()(Cell c) const {
    if (!(mass(c) > 0)) values(c) = 0;
  }
};

}  // namespace

void invert_row_sums(const Exec& exec, const StrainSystem& system, MacField<float>& out) {
  const auto row_of = [&](int a) {
    const Product p = product_of(exec, system, a, system.open, system.squeeze);
    return RowSum{{p.step[0], p.step[1], p.step[2]}, p.mass,          p.open, system.squeeze.read(exec).data, p.stretch,
                  {p.shear[0], p.shear[1]},          {p.x[1], p.x[2]}};
  };
  for_each_face(exec, "strain.row_sums", faces_of(system.domain), of_each_axis([&](int a) {
                  return InvertRowSum{row_of(a), out[a].update(exec)};
                }));
  if (!system.extended) return;
  for (int a = 0; a < 3; ++a) {
    const InvertRowSumBeside invert{row_of(a), (*system.extended)[a].read(exec).data, out[a].update(exec)};
    if (!system.going_on) {
      for_each_cell(exec, "strain.row_sums_beside", system.domain.faces(a),
                    InvertLending{invert, (*system.lends)[a].read(exec).data});
      continue;
    }
    const Buffer<int>& faces = system.going_on->faces(a).lends;
    for_each_index(exec, "strain.row_sums_beside", std::int64_t(faces.size()), InvertListed{invert, faces.host()},
                   GoingOn::cells_each);
  }
}

double apply(const Exec& exec, const StrainSystem& system, MacField<float>& x, Field<float>& outflow,
             MacField<float>& out) {
  find_outflow(exec, system, x, outflow);
  const auto products = products_of(exec, system, x, outflow);
  const double sum = reduce_faces<Sum>(exec, "strain.apply", faces_of(system.domain), of_each_axis([&](int a) {
                                         return Apply{products[a], out[a].update(exec)};
                                       }));
  return sum + fold(exec, system, products, nullptr, 1, out);
}

void residual(const Exec& exec, const StrainSystem& system, const MacField<float>& b, MacField<float>& x,
              Field<float>& outflow, MacField<float>& out) {
  find_outflow(exec, system, x, outflow);
  const auto products = products_of(exec, system, x, outflow);
  for_each_face(exec, "strain.residual", faces_of(system.domain), of_each_axis([&](int a) {
                  return Residual{products[a], b[a].read(exec).data, out[a].update(exec)};
                }));
  fold(exec, system, products, nullptr, -1, out);
}

void relax(const Exec& exec, const StrainSystem& system, const MacField<float>& inverse, const MacField<float>& b,
           double keep, double add, MacField<float>& x, Field<float>& outflow, MacField<float>& before) {
  find_outflow(exec, system, x, outflow);
  const auto products = products_of(exec, system, x, outflow);
  for_each_face(exec, "strain.relax", faces_of(system.domain), of_each_axis([&](int a) {
                  return Relax{products[a], b[a].read(exec).data, inverse[a].read(exec).data,
                               float(keep), float(add),           before[a].update(exec)};
                }));
  fold(exec, system, products, &inverse, -add, before);
}

void first_relax(const Exec& exec, const StrainSystem& system, const MacField<float>& inverse, const MacField<float>& b,
                 double add, MacField<float>& x, MacField<float>& before) {
  for_each_face(exec, "strain.first_relax", faces_of(system.domain), of_each_axis([&](int a) {
                  return FirstRelax{b[a].read(exec).data, inverse[a].read(exec).data, float(add),
                                    before[a].update(exec).data, x[a].update(exec)};
                }));
}

void coarsen(const Exec& exec, const StrainSystem& fine, StrainSystem& coarse) {
  using G = Gather;
  const Int3 active = coarse.domain.lattice.active;
  const Domain& domain = coarse.domain;
  const auto run = [&](const Cells& where, const Field<float>& from, Field<float>& to, double scale, const G::Along& x,
                       const G::Along& y, const G::Along& z) {
    for_each_strip(exec, "strain.coarsen", where, gather(exec, active, from, to, scale, x, y, z));
  };
  constexpr double quarter = 0.25;  // a difference over two cells is twice that over one, squared
  run(domain.cells, fine.squeeze, coarse.squeeze, quarter, G::between, G::between, G::between);
  run(domain.cells, fine.stretch, coarse.stretch, quarter, G::between, G::between, G::between);
  for (int a = 0; a < 3; ++a) {
    if (!active[a]) continue;
    const auto on = [&](int axis) -> const G::Along& { return axis == a ? G::on_node : G::between; };
    const auto in = [&](int axis) -> const G::Along& { return axis == a ? G::in_plane : G::between; };
    run(domain.faces(a), fine.mass[a], coarse.mass[a], 1, on(0), on(1), on(2));
    const double share = domain.lattice.dims() == 3 ? 0.25 : domain.lattice.dims() == 2 ? 0.5 : 1;
    run(domain.faces(a), fine.open[a], coarse.open[a], share, in(0), in(1), in(2));
  }
  for (int c = 0; c < 3; ++c) {
    if (!active[(c + 1) % 3] || !active[(c + 2) % 3]) continue;
    const auto on = [&](int axis) -> const G::Along& { return axis == c ? G::between : G::on_node; };
    run(edges_in_use(domain, c), fine.shear[c], coarse.shear[c], quarter, on(0), on(1), on(2));
  }
  wrap_cells(exec, domain, coarse.squeeze);
  wrap_cells(exec, domain, coarse.stretch);
  for (MacField<float>* faces : {&coarse.mass, &coarse.open}) wrap_faces(exec, domain, *faces);
  wrap_edges(exec, domain, coarse.shear);
}

void restrict_faces(const Exec& exec, const StrainSystem& from, MacField<float>& fine, const StrainSystem& to,
                    MacField<float>& coarse) {
  wrap_faces(exec, from.domain, fine);
  const Int3 active = from.domain.lattice.active;
  for (int a = 0; a < 3; ++a) {
    if (!active[a]) continue;
    const auto on = [&](int axis) -> const Gather::Along& { return axis == a ? Gather::on_node : Gather::linear; };
    for_each_strip(exec, "strain.restrict", to.domain.faces(a),
                   gather(exec, active, fine[a], coarse[a], 1, on(0), on(1), on(2)));
    for_each_cell(exec, "strain.clip", to.domain.faces(a), Clip{to.mass[a].read(exec), coarse[a].update(exec)});
  }
}

void prolong_faces(const Exec& exec, const StrainSystem& from, MacField<float>& coarse, const StrainSystem& to,
                   MacField<float>& fine) {
  wrap_faces(exec, from.domain, coarse);
  const Int3 active = to.domain.lattice.active;
  for (int a = 0; a < 3; ++a) {
    if (!active[a]) continue;
    for_each_strip(exec, "strain.prolong", to.domain.faces(a),
                   Prolong{a,
                           {!active.x, !active.y, !active.z},
                           coarse[a].read(exec),
                           to.mass[a].read(exec).data,
                           fine[a].update(exec)});
  }
}

}  // namespace silt
