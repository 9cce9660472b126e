#include "silt/solve/coarsening.h"

#include "silt/core/loops.h"
#include "silt/fields/halo.h"
#include "silt/fields/row_spans.h"
#include "silt/solve/child_loops.h"
#include "silt/solve/split_cells.h"

namespace silt {

namespace {

/// The children of a coarse cell, by number: bit a of the number is the place along axis a.
struct Children {
  Nesting nesting;
  SILT_HD Cell operator()(Cell c, int n) const { return nesting.first(c) + Cell{n & 1, n >> 1 & 1, n >> 2 & 1}; }
  SILT_HD bool has(Cell c, int n) const {
    const Int3 s = nesting.step;
    return (n & 1) < s.x && (n >> 1 & 1) < s.y && (n >> 2 & 1) < s.z && nesting.fine.contains((*this)(c, n));
  }
};

struct Inverse {
  View<const float> diagonal;
  View<float> out;
  SILT_HD void operator()(Cell c) const { out(c) = diagonal(c) > 0 ? 1 / diagonal(c) : 0.0f; }
};

struct InverseWhereFree {
  View<const float> diagonal;
  View<const unsigned char> fixed;
  View<float> out;
  SILT_HD void operator()(Cell c) const { out(c) = diagonal(c) > 0 && !fixed(c) ? 1 / diagonal(c) : 0.0f; }
};

/// How a coarse cell's children hang together: 1 when all that are unknowns are connected inside the cell, 0 when none
/// is one, else 2.
struct Pieces {
  MacView<const float> w;
  View<const float> inverse;
  Children children;
  View<unsigned char> out;
  SILT_HD static float least(float a, float b) { return a < b ? a : b; }
  /// The common case: eight unknowns and twelve open faces between them.
  SILT_HD bool whole(Cell c) const {
    if (children.nesting.step != Int3{2, 2, 2} || !children.has(c, 7)) return false;
    const auto [i, j, k] = children(c, 0);
    float found = 1;
    for (int b = 0; b < 2; ++b)
      for (int a = 0; a < 2; ++a) {
        found = least(found, least(inverse(i, j + a, k + b), inverse(i + 1, j + a, k + b)));
        found =
            least(found, least(w.x(i + 1, j + a, k + b), least(w.y(i + a, j + 1, k + b), w.z(i + a, j + b, k + 1))));
      }
    return found > 0;
  }
  SILT_HD void operator()(Cell c) const {
    if (whole(c)) {
      out(c) = 1;
      return;
    }
    // Bits of children: those that are unknowns, and, for each axis, the lower ones of open pairs.
    int here = 0, open[3] = {0, 0, 0};
    for (int n = 0; n < 8; ++n)
      if (children.has(c, n) && inverse(children(c, n)) > 0) here |= 1 << n;
    for (int a = 0; a < 3; ++a)
      for (int n = 0; n < 8; ++n) {
        const int other = n | 1 << a;
        if (other == n || !(here >> n & 1) || !(here >> other & 1)) continue;
        const Cell face = children(c, other);
        if ((a == 0 ? w.x(face) : a == 1 ? w.y(face) : w.z(face)) > 0) open[a] |= 1 << n;
      }
    int reached = here & -here;
    for (int before = 0; before != reached;) {
      before = reached;
      for (int a = 0; a < 3; ++a) {
        const int s = 1 << a;
        reached |= (reached & open[a]) << s | (reached >> s & open[a]);
      }
    }
    out(c) = here == 0 ? 0 : reached == here ? 1 : 2;
  }
};

struct OnePiece {
  View<unsigned char> out;
  SILT_HD void operator()(Cell c) const { out(c) = 1; }
};

/// The same; of bare plain cells it is known.
struct PiecesInRows {
  static constexpr bool splits_rows = true;
  Pieces any;
  PlainRuns::Rows plain;  ///< of the finer level; without rows: nothing is known

  SILT_HD void operator()(Cell c) const { any(c); }

  template <class Visit>
  void split(int x0, int x1, int y, int z, const Visit& visit) const {
    const Nesting& nesting = any.children.nesting;
    const int lo = nesting.fine.lo.x, step = nesting.step.x;
    const RowSpans::Span used = detail::columns_with_children(nesting, x1, y, z);
    x0 = std::max(x0, used.begin), x1 = std::min(x1, used.end);
    if (x0 >= x1) return;
    PlainRuns::Rows::Part part{lo, plain.begin ? nesting.fine.hi.x : lo};
    const Box rows = plain.begin ? nesting.children({x0, y, z}) : Box{};
    for (int k = rows.lo.z; k < rows.hi.z; ++k)
      for (int j = rows.lo.y; j < rows.hi.y; ++j)
        part = part.within({plain.begin[plain.row(j, k)], plain.end[plain.row(j, k)]});
    visit_parts(
        {(part.begin - lo + step - 1) / step, (part.end - lo) / step}, x0, x1,
        [&](int from, int to) { visit(OnePiece{any.out}, from, to); }, [&](int from, int to) { visit(any, from, to); });
  }
};

/// Whether a finer unknown belongs to its coarse cell's first one: where no cell is split, and where some are.
struct Unknown {
  const float* inverse;
  SILT_HD bool operator()(int i) const { return inverse[i] > 0; }
};
struct FirstUnknown {
  const float* inverse;
  const unsigned char* part;
  SILT_HD bool operator()(int i) const { return (inverse[i] > 0) & (part[i] == 0); }
};

/// The weight of the face below a cell where it lies between two first unknowns.
template <class First>
struct FaceBetween {
  const float* w;
  First first;
  int stride;
  SILT_HD float operator()(int i) const { return first(i) & first(i - stride) ? w[i] : 0.0f; }
};

/// Couplings of an unknown to cells that are none.
struct Held {
  const float *wx, *wy, *wz, *inverse;
  int sy, sz;
  SILT_HD float away(float weight, int j) const { return inverse[j] > 0 ? 0.0f : weight; }
  SILT_HD float operator[](int i) const {
    return away(wx[i], i - 1) + away(wx[i + 1], i + 1) + away(wy[i], i - sy) + away(wy[i + sy], i + sy) +
           away(wz[i], i - sz) + away(wz[i + sz], i + sz);
  }
};

/// A value of cells that belong to the first unknown.
template <class Value, class First>
struct OfFirst {
  Value value;
  First first;
  SILT_HD float operator()(int i) const {
    const float here = value[i];
    return first(i) ? here : 0.0f;
  }
};

/// A value of finer cells that is the same for all that have only bare plain neighbours.
template <class Value>
struct KnownInside {
  static constexpr bool splits_rows = true;
  Value value;
  float inside;
  PlainRuns::Rows plain;  ///< without rows: nothing is known
  Int3 active;

  SILT_HD float operator()(int i) const { return value(i); }

  template <class Visit>
  void split(int x0, int x1, int y, int z, const Visit& visit) const {
    const auto outside = [&](int from, int to) { visit(value, from, to); };
    const auto off_the_sides = [](int at, int lo, int count) { return at > lo && at + 1 < lo + count; };
    if (!plain.begin || (active.y && !off_the_sides(y, plain.lo.y, plain.rows_y)) ||
        (active.z && !off_the_sides(z, plain.lo.z, plain.rows_z)))
      return outside(x0, x1);
    visit_parts(
        plain.deep(y, z), x0, x1, [&](int from, int to) { visit(Same{inside}, from, to); }, outside);
  }

 private:
  struct Same {
    float value;
    float operator()(int) const { return value; }
  };
};

struct AddFields {
  View<const float> a, b;
  View<float> out;
  SILT_HD void operator()(Cell c) const { out(c) = a(c) + b(c); }
};

struct InverseOfSum {
  MacView<const float> w;
  View<const float> ground;
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    const auto [i, j, k] = c;
    const float sum =
        w.x(i, j, k) + w.x(i + 1, j, k) + w.y(i, j, k) + w.y(i, j + 1, k) + w.z(i, j, k) + w.z(i, j, k + 1) + ground(c);
    out(c) = sum > 0 ? 1 / sum : 0.0f;
  }
};

bool can_halve(const Level& level, int axis) {
  return level.lattice.active[axis] && level.domain.cells.size()[axis] > (level.domain.periodic(axis) ? 2 : 1);
}

/// Fields on the level's lattice with room for its further unknowns; all zero, unless they are there already.
void allocate(const Domain& domain, Level& level, std::initializer_list<Field<float>*> fields) {
  Layout layout = level.lattice;
  layout.size += std::int64_t(level.home.size());
  const bool stays = level.b.allocated() && level.b.layout() == layout && level.domain == domain;
  level.domain = domain;
  if (stays) return;
  for (Field<float>* f : fields) *f = Field<float>(layout);
  if (!level.operator_weights) level.coarse_weights = MacField<float>(layout);
}

Domain without_walls(Domain domain) {
  for (auto& ends : domain.sides)
    for (Side& side : ends)
      if (side == Side::wall) side = Side::open;
  return domain;
}

/// Rows of the level whose plain cells are bare; none where it has no such cells.
PlainRuns::Rows known_rows(const Level& level) {
  return level.bare && level.plain().any() ? level.plain().rows() : PlainRuns::Rows{};
}

/// The coarse cells that have children in use.
RowSpans rows_of_parents(const Nesting& nesting) {
  RowMarks marks(nesting.coarse());
  const Cells& fine = nesting.fine;
  for (int z = fine.lo.z; z < fine.hi.z; ++z)
    for (int y = fine.lo.y; y < fine.hi.y; ++y)
      fine.visit_row(y, z, [&](int begin, int end) {
        const Cell first = nesting.parent({begin, y, z});
        marks.set(first.x, nesting.parent({end - 1, y, z}).x, first.y, first.z);
      });
  return marks.spans();
}

/// Coarse cells whose children are not all of one piece.
std::vector<Cell> divided_cells(const Exec& exec, const Level& fine, const Domain& coarse, const Nesting& nesting) {
  Field<unsigned char> pieces(make_layout(coarse.cells, coarse.lattice.active, /*halo=*/0));
  const Pieces any{fine.weights().read(exec), fine.inverse.read(exec), {nesting}, pieces.write(exec)};
  for_each_cell(exec, "multigrid.pieces", coarse.cells, PiecesInRows{any, known_rows(fine)});
  std::vector<Cell> list;
  const unsigned char* found = std::as_const(pieces).values().host();
  const Cells& cells = coarse.cells;
  for (int z = cells.lo.z; z < cells.hi.z; ++z)
    for (int y = cells.lo.y; y < cells.hi.y; ++y)
      cells.visit_row(y, z, [&](int begin, int end) {
        for (int x = begin; x < end; ++x)
          if (found[pieces.layout().index(x, y, z)] > 1) list.push_back({x, y, z});
      });
  return list;
}

/// Weights, held couplings and screens of the first unknowns.
template <class First>
void sum_up(const Exec& exec, const Level& fine, const First& first, Level& coarse) {
  const Nesting& nesting = coarse.nesting;
  const MacView<const float> w = fine.weights().read(exec);
  const int stride[3] = {1, w.x.stride_y, w.x.stride_z};
  const PlainRuns::Rows known = std::is_same_v<First, Unknown> ? known_rows(fine) : PlainRuns::Rows{};
  const auto known_inside = [&]<class Value>(const Value& value, float inside) {
    return KnownInside<Value>{value, inside, known, fine.lattice.active};
  };
  for (int a = 0; a < 3; ++a) {
    if (!coarse.lattice.active[a]) continue;
    Int3 take = nesting.step;
    take[a] = 1;
    ChildSum{nesting,
             take,
             coupling_share(coarse, a),
             known_inside(FaceBetween<First>{w[a].data, first, stride[a]}, fine.plain().weight),
             fine.lattice,
             coarse.coarse_weights[a].update(exec)}
        .run(exec, "multigrid.weights");
    if (coarse.periodic(a))
      fill_halo(exec, coarse.domain, coarse.domain.faces(a), {.open_repeats = false}, coarse.coarse_weights[a]);
  }
  const auto sum_of_firsts = [&]<class Value>(const char* name, const Value& value, float share, Field<float>& out) {
    const auto of_first = known_inside(OfFirst<Value, First>{value, first}, 0);
    ChildSum{nesting, nesting.step, share, of_first, fine.lattice, out.update(exec)}.run(exec, name);
  };
  if (fine.held.allocated())
    sum_of_firsts("multigrid.held", fine.held.values().read(exec), held_share, coarse.held);
  else
    sum_of_firsts("multigrid.held_finest",
                  Held{w.x.data, w.y.data, w.z.data, fine.inverse.values().read(exec), stride[1], stride[2]},
                  held_share, coarse.held);
  const Field<float>* screen = fine.screen_field();
  if (!screen)
    coarse.screen = coarse.held_and_screen = {};
  else if (!coarse.screen.allocated() || coarse.screen.layout() != coarse.held.layout())
    coarse.screen = coarse.held_and_screen = Field<float>(coarse.held.layout());
  if (screen) sum_of_firsts("multigrid.screen", screen->values().read(exec), 1.0f, coarse.screen);
}

}  // namespace

void wrap(const Exec& exec, const Level& level, Field<float>& values) {
  if (level.periodic()) fill_halo(exec, level.domain, level.domain.cells, {.open_repeats = false}, values);
}

bool can_halve(const Level& level) {
  return can_halve(level, 0) || can_halve(level, 1) || can_halve(level, 2);
}

void make_finest(const Exec& exec, const PoissonOperator& op, const Field<unsigned char>* fixed, Level& level) {
  level.lattice = op.layout();
  level.operator_weights = &op.weights();
  level.operator_screen = op.screen();
  level.operator_plain = &op.plain_runs();
  allocate(without_walls(op.domain()), level, {&level.inverse, &level.b, &level.x, &level.next});
  const Cells& cells = op.domain().cells;
  level.used.move_to(cells, level.inverse, level.b, level.x, level.next);
  if (fixed)
    for_each_cell(exec, "multigrid.free", cells,
                  InverseWhereFree{op.diagonal().read(exec), fixed->read(exec), level.inverse.update(exec)});
  else
    for_each_cell(exec, "multigrid.inverse", cells, Inverse{op.diagonal().read(exec), level.inverse.update(exec)});
  wrap(exec, level, level.inverse);
  level.bare = !fixed && !op.screen();
}

void coarsen(const Exec& exec, const Level& fine, Level& coarse) {
  coarse.nesting.fine = fine.domain.cells;
  for (int a = 0; a < 3; ++a) coarse.nesting.step[a] = can_halve(fine, a) ? 2 : 1;
  Domain domain = fine.domain;
  domain.cells = coarse.nesting.coarse();
  coarse.rows = fine.domain.cells.rows ? std::make_unique<RowSpans>(rows_of_parents(coarse.nesting)) : nullptr;
  domain.cells.rows = coarse.rows.get();
  coarse.lattice = make_layout(domain.cells, domain.lattice.active, /*halo=*/1);
  coarse.home.clear();
  coarse.links = {};
  coarse.splits = {};

  // Cells of several pieces are few: they are sorted out on the host.
  const std::vector<Cell> divided = divided_cells(exec, fine, domain, coarse.nesting);
  Field<unsigned char> part;
  if (!divided.empty() || !fine.home.empty()) part = split_cells(exec, fine, divided, coarse);
  allocate(domain, coarse, {&coarse.inverse, &coarse.held, &coarse.b, &coarse.x, &coarse.next});
  coarse.used.move_to(domain.cells, coarse.inverse, coarse.held, coarse.screen, coarse.held_and_screen,
                      coarse.coarse_weights, coarse.b, coarse.x, coarse.next);

  if (part.allocated())
    sum_up(exec, fine, FirstUnknown{fine.inverse.values().read(exec), part.values().read(exec)}, coarse);
  else
    sum_up(exec, fine, Unknown{fine.inverse.values().read(exec)}, coarse);
  if (fine.screen_field())
    for_each_cell(exec, "multigrid.ground", domain.cells,
                  AddFields{coarse.held.read(exec), coarse.screen.read(exec), coarse.held_and_screen.update(exec)});
  for_each_cell(exec, "multigrid.diagonal", domain.cells,
                InverseOfSum{coarse.weights().read(exec), coarse.ground()->read(exec), coarse.inverse.update(exec)});
  if (part.allocated()) link_split_cells(exec, fine, part, coarse);
  wrap(exec, coarse, coarse.inverse);
  coarse.coarse_plain = find_bare_runs(exec, domain.cells, coarse.weights(), coarse.inverse);
  coarse.bare = true;
}

}  // namespace silt
