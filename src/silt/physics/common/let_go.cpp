#include "silt/physics/common/let_go.h"

#include <utility>

#include "silt/core/loops.h"
#include "silt/fields/exterior_derivative.h"
#include "silt/fields/face_corners.h"

namespace silt {
namespace {

/// Of a released cell: it stays so only for want of another solve.
constexpr unsigned char pressed_together = 2;

/// Whether a cell touches a solid, or a wall of the domain that is no inlet: faces on its boundary with a velocity of
/// their own are.
struct TouchesSolid {
  MacView<const float> open, solid;
  Int3 active;
  Box inner[3];  ///< faces that are not on the domain's boundary

  TouchesSolid(const Exec& exec, const Domain& domain, const CutCells& cut)
      : open(cut.open.read(exec)), solid(cut.solid_velocity.read(exec)), active(domain.lattice.active) {
    for (int a = 0; a < 3; ++a) inner[a] = inner_faces(domain, a);
  }
  SILT_HD bool operator()(Cell c) const {
    bool any = false;
    for (int a = 0; a < 3; ++a)
      for (int end = 0; end < 2 && active[a]; ++end) {
        const Cell f = end ? c + unit(a) : c;
        any = any || (open[a](f) < 1 && (inner[a].contains(f) || solid[a](f) == 0));
      }
    return any;
  }
};

/// sum w_f q_n over the cells round one.
struct PressedBy {
  Derivative d;
  const float* star[3];
  SILT_HD double operator()(const double* q, int n) const {
    double sum = 0;
    for (int a = 0; a < 3; ++a)
      if (d.step[a]) sum += star[a][n] * q[n - d.step[a]] + star[a][n + d.step[a]] * q[n + d.step[a]];
    return sum;
  }
  SILT_HD double weight(int n) const {
    double sum = 0;
    for (int a = 0; a < 3; ++a)
      if (d.step[a]) sum += double(star[a][n]) + star[a][n + d.step[a]];
    return sum;
  }
};

PressedBy pressed_by(const Exec& exec, const MacField<float>& star) {
  return {Derivative(star.layout()), {star[0].read(exec).data, star[1].read(exec).data, star[2].read(exec).data}};
}

struct GuessReleased {
  TouchesSolid touches;
  PressedBy pressed;
  double least, slack;
  View<const double> b, q;
  View<unsigned char> air, released;
  SILT_HD void operator()(Cell c) const {
    const int n = q.index(c.x, c.y, c.z);
    const bool before = !air.data[n] && q.data[n] < least && b.data[n] < 0 &&
                        b.data[n] + pressed(q.data, n) <= pressed.weight(n) * (least + slack) && touches(c);
    if (released.data[n] != before) released.data[n] = before;
    if (before) air.data[n] = 1;
  }
};

struct UpdateReleased {
  TouchesSolid touches;
  PressedBy pressed;
  double least, slack;
  View<const double> b, q;
  View<unsigned char> air, released;
  SILT_HD Several<3> operator()(Cell c) const {
    const int n = q.index(c.x, c.y, c.z);
    const double here = q.data[n], size = here < 0 ? -here : here;
    if (released.data[n]) {
      // Bound again, its pressure would be this at the least.
      const double press = b.data[n] + pressed(q.data, n), weight = pressed.weight(n);
      released.data[n] = press > weight * (least + slack) ? pressed_together : 1;
      return {{0, size, released.data[n] == pressed_together ? press / weight - least : 0}};
    }
    if (air.data[n] || !(here < least - slack) || !touches(c)) return {{0, size, 0}};
    released.data[n] = air.data[n] = 1;
    return {{least - here, size, 0}};
  }
};

struct BindPressed {
  View<unsigned char> air, released;
  SILT_HD void operator()(Cell c) const {
    if (released(c) == pressed_together) released(c) = air(c) = 0;
  }
};

struct WithReleased {
  PressedBy pressed;
  double least;
  View<const unsigned char> air, released;
  View<const double> b;
  View<double> out;
  SILT_HD void operator()(Cell c) const {
    const int n = out.index(c.x, c.y, c.z);
    double sum = air.data[n] ? 0 : b.data[n];
    if (!air.data[n] && least != 0)
      for (int a = 0; a < 3; ++a) {
        const int step = pressed.d.step[a];
        if (!step) continue;
        if (released.data[n - step]) sum += pressed.star[a][n] * least;
        if (released.data[n + step]) sum += pressed.star[a][n + step] * least;
      }
    if (sum != out.data[n]) out.data[n] = sum;  // zeros that nobody has written take no memory
  }
};

struct SetReleased {
  double least;
  View<const unsigned char> released;
  View<double> q;
  SILT_HD void operator()(Cell c) const {
    if (released(c)) q(c) = least;
  }
};

}  // namespace

void guess_released(const Exec& exec, const Domain& domain, const CutCells& cut, const MacField<float>& star,
                    const LetGo& walls, const Field<double>& b, const Field<double>& q, Field<unsigned char>& air,
                    Field<unsigned char>& released) {
  for_each_cell(exec, "let_go.guess", domain.cells,
                GuessReleased{TouchesSolid(exec, domain, cut), pressed_by(exec, star), walls.least, walls.slack,
                              b.read(exec), q.read(exec), air.update(exec), released.update(exec)});
}

BoundMissed update_released(const Exec& exec, const Domain& domain, const CutCells& cut, const MacField<float>& star,
                            const LetGo& walls, const Field<double>& b, const Field<double>& q,
                            Field<unsigned char>& air, Field<unsigned char>& released) {
  const Several<3> sums = reduce<Each<Sum, Sum, Sum>>(
      exec, "let_go.update", domain.cells,
      UpdateReleased{TouchesSolid(exec, domain, cut), pressed_by(exec, star), walls.least, walls.slack, b.read(exec),
                     q.read(exec), air.update(exec), released.update(exec)});
  return {sums[0], sums[1], sums[2]};
}

void bind_pressed(const Exec& exec, const Domain& domain, Field<unsigned char>& air, Field<unsigned char>& released) {
  for_each_cell(exec, "let_go.bind", domain.cells, BindPressed{air.update(exec), released.update(exec)});
}

void with_released(const Exec& exec, const Domain& domain, const MacField<float>& star, double least,
                   const Field<unsigned char>& air, const Field<unsigned char>& released, const Field<double>& b,
                   Field<double>& out) {
  for_each_cell(
      exec, "let_go.ask", domain.cells,
      WithReleased{pressed_by(exec, star), least, air.read(exec), released.read(exec), b.read(exec), out.update(exec)});
}

void set_released(const Exec& exec, const Domain& domain, double least, const Field<unsigned char>& released,
                  Field<double>& q) {
  for_each_cell(exec, "let_go.set", domain.cells, SetReleased{least, released.read(exec), q.update(exec)});
}

void remember_released(const Exec& exec, const Domain& domain, double least, const Field<unsigned char>& released,
                       Field<double>& p) {
  set_released(exec, domain, least * (1 + 1e-9) - 1e-9, released, p);
}

}  // namespace silt
