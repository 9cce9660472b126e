#include "silt/physics/common/let_go.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include "silt/core/loops.h"
#include "silt/fields/exterior_derivative.h"
#include "silt/fields/face_corners.h"
#include "silt/fields/nearest_solid.h"
#include "silt/fields/wrap.h"

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
  SILT_HD bool at(Cell c, int a, int end) const {
    const Cell f = end ? c + unit(a) : c;
    return open[a](f) < 1 && (inner[a].contains(f) || solid[a](f) == 0);
  }
  SILT_HD bool operator()(Cell c) const {
    bool any = false;
    for (int a = 0; a < 3; ++a)
      for (int end = 0; end < 2 && active[a]; ++end) any = any || at(c, a, end);
    return any;
  }
};

/// q that a cell is held down to: the same for all that touch a solid,
struct HeldAlike {
  TouchesSolid touches;
  double least;
  SILT_HD double operator()(int) const { return least; }
};
/// or each by what it touches.
struct HeldByCell {
  struct Everywhere {
    SILT_HD bool operator()(Cell) const { return true; }
  } touches;
  const float* held;  ///< p / rho
  double scale;       ///< of q
  SILT_HD bool presses() const { return true; }
  SILT_HD double operator()(int n) const { return scale * double(held[n]); }
};

/// Calls with one of them.
template <class Call>
auto with_held(const Exec& exec, const Domain& domain, const CutCells& cut, const LetGo& walls, const Call& call) {
  if (walls.per_cell) return call(HeldByCell{{}, walls.per_cell->read(exec).data, walls.scale});
  return call(HeldAlike{TouchesSolid(exec, domain, cut), walls.least});
}
/// For cells that are released: whether they touch a solid is no question.
struct LeastAlike {
  double least;
  SILT_HD bool presses() const { return least != 0; }
  SILT_HD double operator()(int) const { return least; }
};
template <class Call>
void with_least(const Exec& exec, const LetGo& walls, const Call& call) {
  if (walls.per_cell)
    call(HeldByCell{{}, walls.per_cell->read(exec).data, walls.scale});
  else
    call(LeastAlike{walls.least});
}

struct FindHeld {
  TouchesSolid touches;
  NearestSolid nearest;
  const float* solids;
  float sides[3][2];
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    const float none = -std::numeric_limits<float>::infinity();
    float least = -none;
    for (int a = 0; a < 3; ++a)
      for (int end = 0; end < 2 && touches.active[a]; ++end) {
        if (!touches.at(c, a, end)) continue;
        const Cell f = end ? c + unit(a) : c;
        const float held = touches.inner[a].contains(f) ? solids[nearest(c)] : sides[a][end];
        least = held < least ? held : least;
      }
    out(c) = least == -none ? none : least;
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

template <class Held>
struct GuessReleased {
  Held held;
  PressedBy pressed;
  double slack;
  View<const double> b, q;
  View<unsigned char> air, released;
  SILT_HD void operator()(Cell c) const {
    const int n = q.index(c.x, c.y, c.z);
    const double least = held(n);
    const bool before = !air.data[n] && q.data[n] < least && b.data[n] < 0 &&
                        b.data[n] + pressed(q.data, n) <= pressed.weight(n) * (least + slack) && held.touches(c);
    if (released.data[n] != before) released.data[n] = before;
    if (before) air.data[n] = 1;
  }
};

template <class Held>
struct UpdateReleased {
  Held held;
  PressedBy pressed;
  double slack;
  View<const double> b, q;
  View<unsigned char> air, released;
  SILT_HD Several<3> operator()(Cell c) const {
    const int n = q.index(c.x, c.y, c.z);
    const double here = q.data[n], size = here < 0 ? -here : here, least = held(n);
    if (released.data[n]) {
      // Bound again, its pressure would be this at the least.
      const double press = b.data[n] + pressed(q.data, n), weight = pressed.weight(n);
      released.data[n] = press > weight * (least + slack) ? pressed_together : 1;
      return {{0, size, released.data[n] == pressed_together ? press / weight - least : 0}};
    }
    if (air.data[n] || !(here < least - slack) || !held.touches(c)) return {{0, size, 0}};
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

template <class Held>
struct WithReleased {
  PressedBy pressed;
  Held held;
  View<const unsigned char> air, released;
  View<const double> b;
  View<double> out;
  SILT_HD void operator()(Cell c) const {
    const int n = out.index(c.x, c.y, c.z);
    double sum = air.data[n] ? 0 : b.data[n];
    if (!air.data[n] && held.presses())
      for (int a = 0; a < 3; ++a) {
        const int step = pressed.d.step[a];
        if (!step) continue;
        if (released.data[n - step]) sum += pressed.star[a][n] * held(n - step);
        if (released.data[n + step]) sum += pressed.star[a][n + step] * held(n + step);
      }
    if (sum != out.data[n]) out.data[n] = sum;  // zeros that nobody has written take no memory
  }
};

/// q = scale least - below.
template <class Held>
struct SetReleased {
  Held held;
  double scale, below;
  View<const unsigned char> released;
  View<double> q;
  SILT_HD void operator()(Cell c) const {
    const int n = q.index(c.x, c.y, c.z);
    if (released.data[n]) q.data[n] = scale * held(n) - below;
  }
};

}  // namespace

void find_held(const Exec& exec, const Domain& domain, const CutCells& cut, const HeldDownTo& held, Field<float>& out) {
  Buffer<float> solids(std::max<std::size_t>(1, held.solids.size()));
  std::copy(held.solids.begin(), held.solids.end(), solids.host());
  FindHeld find{
      TouchesSolid(exec, domain, cut), nearest_solid(exec, domain, cut), solids.read(exec), {}, out.update(exec)};
  for (int a = 0; a < 3; ++a)
    for (int end = 0; end < 2; ++end) find.sides[a][end] = held.sides[std::size_t(a)][std::size_t(end)];
  for_each_cell(exec, "let_go.held", domain.cells, find);
  wrap_cells(exec, domain, out);
}

void guess_released(const Exec& exec, const Domain& domain, const CutCells& cut, const MacField<float>& star,
                    const LetGo& walls, const Field<double>& b, const Field<double>& q, Field<unsigned char>& air,
                    Field<unsigned char>& released) {
  with_held(exec, domain, cut, walls, [&](const auto& held) {
    for_each_cell(exec, "let_go.guess", domain.cells,
                  GuessReleased<std::decay_t<decltype(held)>>{held, pressed_by(exec, star), walls.slack, b.read(exec),
                                                              q.read(exec), air.update(exec), released.update(exec)});
  });
}

BoundMissed update_released(const Exec& exec, const Domain& domain, const CutCells& cut, const MacField<float>& star,
                            const LetGo& walls, const Field<double>& b, const Field<double>& q,
                            Field<unsigned char>& air, Field<unsigned char>& released) {
  return with_held(exec, domain, cut, walls, [&](const auto& held) -> BoundMissed {
    const Several<3> sums = reduce<Each<Sum, Sum, Sum>>(
        exec, "let_go.update", domain.cells,
        UpdateReleased<std::decay_t<decltype(held)>>{held, pressed_by(exec, star), walls.slack, b.read(exec),
                                                     q.read(exec), air.update(exec), released.update(exec)});
    return {sums[0], sums[1], sums[2]};
  });
}

void bind_pressed(const Exec& exec, const Domain& domain, Field<unsigned char>& air, Field<unsigned char>& released) {
  for_each_cell(exec, "let_go.bind", domain.cells, BindPressed{air.update(exec), released.update(exec)});
}

void with_released(const Exec& exec, const Domain& domain, const MacField<float>& star, const LetGo& walls,
                   const Field<unsigned char>& air, const Field<unsigned char>& released, const Field<double>& b,
                   Field<double>& out) {
  with_least(exec, walls, [&](const auto& held) {
    for_each_cell(exec, "let_go.ask", domain.cells,
                  WithReleased<std::decay_t<decltype(held)>>{pressed_by(exec, star), held, air.read(exec),
                                                             released.read(exec), b.read(exec), out.update(exec)});
  });
}

void set_released(const Exec& exec, const Domain& domain, const LetGo& walls, const Field<unsigned char>& released,
                  Field<double>& q) {
  with_least(exec, walls, [&](const auto& held) {
    for_each_cell(exec, "let_go.set", domain.cells,
                  SetReleased<std::decay_t<decltype(held)>>{held, 1, 0, released.read(exec), q.update(exec)});
  });
}

void remember_released(const Exec& exec, const Domain& domain, const LetGo& walls, const Field<unsigned char>& released,
                       Field<double>& p) {
  with_least(exec, walls, [&](const auto& held) {
    for_each_cell(exec, "let_go.remember", domain.cells,
                  SetReleased<std::decay_t<decltype(held)>>{held, (1 + 1e-9) / walls.scale, 1e-9, released.read(exec),
                                                            p.update(exec)});
  });
}

}  // namespace silt
