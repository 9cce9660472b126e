#include "silt/fields/operators.h"

#include "silt/fields/copy_cells.h"
#include "silt/fields/exterior_derivative.h"
#include "silt/fields/region_loops.h"

namespace silt {

namespace {

/// Through the faces across one axis, as a velocity.
struct Flux {
  const float *u, *open, *solid;
  SILT_HD double operator()(int n) const {
    const double fraction = open[n];
    return fraction * u[n] + (1 - fraction) * solid[n];
  }
};

/// Net outflow of a cell, h^2 short of a volume.
struct Outflow {
  Derivative d;
  Flux flux[3];

  Outflow(const Exec& exec, const MacField<float>& velocity, const MacField<float>& open, const MacField<float>& solid)
      : d(velocity.layout()) {
    for (int a = 0; a < 3; ++a)
      flux[a] = {velocity[a].read(exec).data, open[a].read(exec).data, solid[a].read(exec).data};
  }
  SILT_HD double operator()(int n) const { return d.outflow(flux, n); }
  SILT_HD bool open(int n) const {
    for (int a = 0; a < 3; ++a)
      if (flux[a].open[n] > 0 || flux[a].open[n + d.step[a]] > 0) return true;
    return false;
  }
};

struct Divergence {
  Outflow outflow;
  double factor;  ///< scale / h
  View<double> out;
  SILT_HD void operator()(Cell c) const {
    const int n = out.index(c.x, c.y, c.z);
    out.data[n] = outflow(n) * factor;
  }
};

struct OpenDivergence {
  Outflow outflow;
  View<const float> layout;  ///< any view of it
  double inv_h;
  SILT_HD double beyond(double wanted, Cell c) const {
    const int n = layout.index(c.x, c.y, c.z);
    return outflow.open(n) ? std::abs(outflow(n) * inv_h - wanted) : 0.0;
  }
  SILT_HD double operator()(Cell c) const { return beyond(0, c); }
};

struct UnwantedDivergence {
  OpenDivergence divergence;
  View<const float> wanted[2];  ///< none where there is no data
  SILT_HD double operator()(Cell c) const {
    double sum = 0;
    for (const View<const float>& one : wanted)
      if (one.data) sum += one(c);
    return divergence.beyond(sum, c);
  }
};

struct SubtractGradient {
  View<const double> q;
  View<const float> open, solid;
  Derivative d;
  int axis;
  double inv_h;
  View<float> u;
  SILT_HD void operator()(Cell c) const {
    const int n = q.index(c.x, c.y, c.z);
    const float projected = float(u.data[n] - d.behind(by_index(q), axis, n) * inv_h);
    u.data[n] = open.data[n] > 0 ? projected : solid.data[n];
  }
};

struct Reflect {
  View<const float> a, b;
  View<float> out;
  SILT_HD void operator()(Cell c) const { out(c) = 2 * a(c) - b(c); }
};

struct OpenSpeed {
  View<const float> u, open;
  SILT_HD double operator()(Cell c) const { return open(c) > 0 ? std::abs(double(u(c))) : 0.0; }
};

struct WeightedSquare {
  View<const float> u, open;
  SILT_HD double operator()(Cell c) const { return double(open(c)) * u(c) * u(c); }
};

struct Amount {
  View<const float> field, room;  ///< `room` may be none
  SILT_HD double operator()(Cell c) const { return room.data ? double(room(c)) * field(c) : double(field(c)); }
};

struct WeightedValue {
  View<const float> u, open;
  SILT_HD double operator()(Cell c) const { return double(open(c)) * u(c); }
};

struct Magnitude {
  View<const float> field;
  SILT_HD double operator()(Cell c) const { return std::abs(double(field(c))); }
};

struct Scale {
  View<double> field;
  double factor;
  SILT_HD void operator()(Cell c) const { field(c) *= factor; }
};

}  // namespace

void divergence(const Exec& exec, const Region& cells, double h, const MacField<float>& velocity,
                const MacField<float>& open, const MacField<float>& solid_velocity, Field<double>& out, double scale) {
  for_each_cell(exec, "divergence", cells,
                Divergence{{exec, velocity, open, solid_velocity}, scale / h, out.write(exec)});
}

double max_divergence(const Exec& exec, const Domain& domain, const MacField<float>& velocity,
                      const MacField<float>& open, const MacField<float>& solid_velocity,
                      std::initializer_list<const Field<float>*> wanted) {
  const OpenDivergence kernel{{exec, velocity, open, solid_velocity}, open[0].read(exec), 1 / domain.lattice.h};
  UnwantedDivergence unwanted{kernel, {}};
  int count = 0;
  for (const Field<float>* one : wanted)
    if (one->allocated()) unwanted.wanted[count++] = one->read(exec);
  if (count == 0) return reduce<Max>(exec, "max_divergence", domain.cells, kernel);
  return reduce<Max>(exec, "max_divergence_error", domain.cells, unwanted);
}

void subtract_gradient(const Exec& exec, const Domain& domain, const Field<double>& q, const MacField<float>& open,
                       const MacField<float>& solid_velocity, MacField<float>& velocity) {
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "gradient", domain.faces(a),
                  SubtractGradient{q.read(exec), open[a].read(exec), solid_velocity[a].read(exec),
                                   Derivative(q.layout()), a, 1 / domain.lattice.h, velocity[a].update(exec)});
}

void reflect(const Exec& exec, const Domain& domain, const MacField<float>& a, const MacField<float>& b,
             MacField<float>& out) {
  for (int axis = 0; axis < 3; ++axis)
    for_each_cell(exec, "reflect", domain.faces(axis),
                  Reflect{a[axis].read(exec), b[axis].read(exec), out[axis].update(exec)});
}

double max_face_speed(const Exec& exec, const Domain& domain, const MacField<float>& velocity,
                      const MacField<float>& open) {
  double largest = 0;
  for (int a = 0; a < 3; ++a)
    largest = Max::combine(
        reduce<Max>(exec, "max_speed", domain.faces(a), OpenSpeed{velocity[a].read(exec), open[a].read(exec)}),
        largest);
  return largest;
}

double star_norm(const Exec& exec, const Domain& domain, const MacField<float>& velocity, const MacField<float>& open) {
  double sum = 0;
  for (int a = 0; a < 3; ++a)
    sum += reduce<Sum>(exec, "star_norm", domain.faces(a), WeightedSquare{velocity[a].read(exec), open[a].read(exec)});
  return sum;
}

double room_sum(const Exec& exec, const Domain& domain, const Field<float>& field, const Field<float>* room) {
  return reduce<Sum>(exec, "room_sum", domain.cells,
                     Amount{field.read(exec), room ? room->read(exec) : View<const float>{}});
}

double star_sum(const Exec& exec, const Domain& domain, int axis, const MacField<float>& velocity,
                const MacField<float>& open) {
  return reduce<Sum>(exec, "star_sum", domain.faces(axis),
                     WeightedValue{velocity[axis].read(exec), open[axis].read(exec)});
}

double max_magnitude(const Exec& exec, const Domain& domain, const Field<float>& field) {
  return reduce<Max>(exec, "max_magnitude", domain.cells, Magnitude{field.read(exec)});
}

void scale_cells(const Exec& exec, const Domain& domain, double factor, Field<double>& field) {
  for_each_cell(exec, "scale", domain.cells, Scale{field.update(exec), factor});
}

void copy_faces(const Exec& exec, const Domain& domain, const MacField<float>& from, MacField<float>& to) {
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "copy", domain.faces(a), CopyCells<float>{from[a].read(exec), to[a].update(exec)});
}

}  // namespace silt
