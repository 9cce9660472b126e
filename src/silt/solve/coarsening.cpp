#include "silt/solve/coarsening.h"

#include "silt/core/loops.h"
#include "silt/fields/halo.h"
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

/// Couplings of an unknown to cells that are none.
struct Held {
  MacView<const float> w;
  View<const float> inverse;
  SILT_HD float away(float weight, int i, int j, int k) const { return inverse(i, j, k) > 0 ? 0.0f : weight; }
  SILT_HD float operator()(Cell c) const {
    const auto [i, j, k] = c;
    return away(w.x(i, j, k), i - 1, j, k) + away(w.x(i + 1, j, k), i + 1, j, k) +  //
           away(w.y(i, j, k), i, j - 1, k) + away(w.y(i, j + 1, k), i, j + 1, k) +  //
           away(w.z(i, j, k), i, j, k - 1) + away(w.z(i, j, k + 1), i, j, k + 1);
  }
};

/// How a coarse cell's children hang together: 1 when all that are unknowns are connected inside the cell, 0 when none
/// is one, else 2.
struct Pieces {
  MacView<const float> w;
  View<const float> inverse;
  Children children;
  View<unsigned char> out;
  SILT_HD void operator()(Cell c) const {
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

/// Whether a finer cell belongs to its coarse cell's first unknown; `part` has no data where no cell is split.
struct FirstUnknown {
  View<const float> inverse;
  View<const unsigned char> part;
  SILT_HD bool operator()(Cell c) const { return inverse(c) > 0 && !(part.data && part(c)); }
};

/// The sum over the finer faces between two first unknowns, as the coarser lattice weighs it.
struct CoarseWeight {
  View<const float> w;
  FirstUnknown first;
  Children children;
  int axis;
  float share;
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    float sum = 0;
    for (int n = 0; n < 8; ++n)
      if (children.has(c, n) && !(n >> axis & 1)) {
        const Cell above = children(c, n), below = above - unit(axis);
        if (first(above) && first(below)) sum += w(above);
      }
    out(c) = share * sum;
  }
};

/// The sum of a cell's value over the children that belong to the first unknown.
template <class Value>
struct SumOfChildren {
  Value value;
  FirstUnknown first;
  Children children;
  float share;
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    float sum = 0;
    for (int n = 0; n < 8; ++n)
      if (children.has(c, n) && first(children(c, n))) sum += value(children(c, n));
    out(c) = share * sum;
  }
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
  const bool stays = level.b.allocated() && level.b.layout() == layout && level.domain.cells == domain.cells;
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

/// Coarse cells whose children are not all of one piece.
std::vector<Cell> divided_cells(const Exec& exec, const Level& fine, const Domain& coarse, const Nesting& nesting) {
  Field<unsigned char> pieces(make_layout(coarse.cells, coarse.lattice.active, /*halo=*/0));
  for_each_cell(exec, "multigrid.pieces", coarse.cells,
                Pieces{fine.weights().read(exec), fine.inverse.read(exec), {nesting}, pieces.write(exec)});
  std::vector<Cell> list;
  const unsigned char* found = std::as_const(pieces).values().host();
  const Box& cells = coarse.cells;
  for (int z = cells.lo.z; z < cells.hi.z; ++z)
    for (int y = cells.lo.y; y < cells.hi.y; ++y)
      for (int x = cells.lo.x; x < cells.hi.x; ++x)
        if (found[pieces.layout().index(x, y, z)] > 1) list.push_back({x, y, z});
  return list;
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
  allocate(without_walls(op.domain()), level, {&level.inverse, &level.b, &level.x, &level.next});
  const Box& cells = op.domain().cells;
  if (fixed)
    for_each_cell(exec, "multigrid.free", cells,
                  InverseWhereFree{op.diagonal().read(exec), fixed->read(exec), level.inverse.update(exec)});
  else
    for_each_cell(exec, "multigrid.inverse", cells, Inverse{op.diagonal().read(exec), level.inverse.update(exec)});
  wrap(exec, level, level.inverse);
}

void coarsen(const Exec& exec, const Level& fine, Level& coarse) {
  const Field<float>* fine_screen = fine.screen_field();
  coarse.nesting.fine = fine.domain.cells;
  for (int a = 0; a < 3; ++a) coarse.nesting.step[a] = can_halve(fine, a) ? 2 : 1;
  Domain domain = fine.domain;
  domain.cells = coarse.nesting.coarse();
  coarse.lattice = make_layout(domain.cells, domain.lattice.active, /*halo=*/1);
  coarse.home.clear();
  coarse.links = {};
  coarse.splits = {};

  // Cells of several pieces are few: they are sorted out on the host.
  std::vector<Cell> divided = divided_cells(exec, fine, domain, coarse.nesting);
  Field<unsigned char> part;
  if (!divided.empty() || !fine.home.empty()) part = split_cells(fine, std::move(divided), coarse);
  allocate(domain, coarse, {&coarse.inverse, &coarse.held, &coarse.b, &coarse.x, &coarse.next});

  const Children children{coarse.nesting};
  const FirstUnknown first{fine.inverse.read(exec), part.allocated() ? part.read(exec) : View<const unsigned char>{}};
  for (int a = 0; a < 3; ++a) {
    for_each_cell(exec, "multigrid.weights", domain.faces(a),
                  CoarseWeight{fine.weights()[a].read(exec), first, children, a, coupling_share(coarse, a),
                               coarse.coarse_weights[a].update(exec)});
    if (coarse.periodic(a)) fill_halo(exec, domain, domain.faces(a), {.open_repeats = false}, coarse.coarse_weights[a]);
  }
  const auto sum_of_children = [&](const char* name, const auto& value, float share, Field<float>& out) {
    for_each_cell(exec, name, domain.cells,
                  SumOfChildren<std::decay_t<decltype(value)>>{value, first, children, share, out.update(exec)});
  };
  if (fine.held.allocated())
    sum_of_children("multigrid.held", fine.held.read(exec), held_share, coarse.held);
  else
    sum_of_children("multigrid.held_finest", Held{fine.weights().read(exec), fine.inverse.read(exec)}, held_share,
                    coarse.held);
  coarse.screen = coarse.held_and_screen = fine_screen ? Field<float>(coarse.held.layout()) : Field<float>();
  if (fine_screen) {
    sum_of_children("multigrid.screen", fine_screen->read(exec), 1.0f, coarse.screen);
    for_each_cell(exec, "multigrid.ground", domain.cells,
                  AddFields{coarse.held.read(exec), coarse.screen.read(exec), coarse.held_and_screen.update(exec)});
  }
  for_each_cell(exec, "multigrid.diagonal", domain.cells,
                InverseOfSum{coarse.weights().read(exec), coarse.ground()->read(exec), coarse.inverse.update(exec)});
  if (part.allocated()) link_split_cells(fine, part, coarse);
  wrap(exec, coarse, coarse.inverse);
}

}  // namespace silt
