#include "silt/physics/common/sealed_bodies.h"

#include <algorithm>
#include <cmath>

namespace silt {
namespace {

/// The part of its room that a body may lack and still count as full: where solids cut cells, how many particles fill
/// them is not known any better.
constexpr double not_full = 0.02;

/// What a cell is to a walk.
enum class Way { on, ends, out };

/// Walks through open faces, nearest cells first: as a rule a way out is near, and the walk is short.
template <class Kind>
class Walks {
 public:
  /// `kind(n)`: the Way that the cell with this storage index is; beyond an open side is out.
  Walks(const Domain& domain, const MacField<float>& faces, const Kind& kind)
      : domain_(domain), layout_(faces.layout()), kind_(kind), known_(layout_) {
    for (int a = 0; a < 3; ++a) faces_[a] = faces[a].values().host();
    mark_ = known_.values().host();
  }

  /// All that a cell is joined to; nothing where that has a way out, takes more room than `most` of what `room(n)`
  /// tells of each cell, or is known already.
  template <class Room>
  std::vector<Cell> from(Cell seed, double most, const Room& room) {
    std::vector<Cell> joined;
    double sum = 0;
    bool leaves = mark_[layout_.index(seed)] != unknown;
    const auto add = [&](Cell c) {
      const int n = layout_.index(c);
      mark_[n] = inside;
      joined.push_back(c);
      leaves = leaves || (sum += room(n)) > most;
    };
    if (!leaves) add(seed);
    for (std::size_t next = 0; next < joined.size() && !leaves; ++next)
      for_each_neighbour(Cell(joined[next]), [&](Cell to, bool beyond) {
        const int n = layout_.index(to);
        const Way way = beyond ? Way::out : kind_(n);
        if (way == Way::ends) return;
        leaves = leaves || way == Way::out || mark_[n] == open;
        if (!leaves && mark_[n] == unknown) add(to);
      });
    if (!leaves) return joined;
    for (const Cell& c : joined) mark_[layout_.index(c)] = open;
    return {};
  }
  std::vector<Cell> from(Cell seed) {
    return from(seed, 1, [](int) { return 0.0; });
  }

  /// visit(cell, beyond) for each cell behind a face that lets pass; `beyond`: it lies outside an open side.
  template <class Visit>
  void for_each_neighbour(Cell c, const Visit& visit) const {
    for (int a = 0; a < 3; ++a)
      for (int end = 0; end < 2 && layout_.active[a]; ++end) {
        Cell to = end ? c + unit(a) : c - unit(a), face = end ? to : c;
        const int lo = domain_.cells.lo[a], hi = domain_.cells.hi[a];
        if (domain_.periodic(a)) {
          if (to[a] < lo) to[a] = hi - 1;
          if (to[a] >= hi) to[a] = face[a] = lo;
        }
        if (faces_[a][layout_.index(face)] > 0) visit(to, to[a] < lo || to[a] >= hi);
      }
  }

 private:
  static constexpr unsigned char unknown = 0, inside = 1, open = 2;

  const Domain& domain_;
  const Layout& layout_;
  const Kind kind_;
  const float* faces_[3];
  Field<unsigned char> known_;
  unsigned char* mark_;
};

/// visit(cell, n) for each cell that is in use, n its storage index.
template <class Visit>
void for_each_in_order(const Domain& domain, const Layout& layout, const Visit& visit) {
  domain.cells.visit_used_rows(0, domain.cells.row_count(), [&](int y, int z) {
    const int row = layout.index(0, y, z);
    domain.cells.visit_row(y, z, [&](int begin, int end) {
      for (int x = begin; x < end; ++x) visit(Cell{x, y, z}, row + x);
    });
  });
}

/// Whether some cell beside one is no air, walls and what is beyond sides included.
bool beside_liquid(const Layout& layout, const unsigned char* is_air, int n) {
  bool any = false;
  for (const int step : {layout.active.x ? 1 : 0, layout.stride_y, layout.stride_z})
    any = any || !is_air[n - step] || !is_air[n + step];
  return any;
}

}  // namespace

std::vector<SealedBody> find_sealed_bodies(const Domain& domain, const MacField<float>& star,
                                           const Field<unsigned char>& air, const Field<unsigned char>& released,
                                           const Field<double>& b) {
  std::vector<SealedBody> out;
  const unsigned char *is_air = air.values().host(), *let_go = released.values().host();
  Walks walks(domain, star, [=](int n) { return is_air[n] && !let_go[n] ? Way::out : Way::on; });
  const double* moved = b.values().host();
  for_each_in_order(domain, air.layout(), [&](Cell c, int n) {
    if (!let_go[n]) return;
    SealedBody body;
    for (const Cell& in : walks.from(c)) {
      const int m = air.layout().index(in);
      body.cells.push_back(m), body.gain += moved[m], body.moved += std::abs(moved[m]);
    }
    if (!body.cells.empty()) out.push_back(std::move(body));
  });
  return out;
}

BoundSealed bind_sealed(const Domain& domain, const MacField<float>& star, const LetGo& walls, const Field<double>& b,
                        double rounding, bool solved, Field<unsigned char>& air, Field<unsigned char>& released,
                        Field<double>& q) {
  BoundSealed out;
  const float* held = walls.per_cell ? walls.per_cell->values().host() : nullptr;
  const auto least = [&](int n) { return held ? walls.scale * double(held[n]) : walls.least; };
  for (const SealedBody& body : find_sealed_bodies(domain, star, air, released, b)) {
    const bool apart = body.gain < -rounding * body.moved;
    if (apart && !solved) continue;
    unsigned char *let_go = released.values().host(), *held_at_zero = air.values().host();
    double *value = q.values().host(), lift = 0;
    bool before = false;  // was some of it released in the solve?
    int lowest = -1;
    for (const int n : body.cells) {
      if (!let_go[n]) continue;
      const double pull = least(n) - value[n];
      before = before || !(pull > walls.slack);
      if (pull > lift) lift = pull, lowest = n;
    }
    if (apart && before) continue;
    for (const int n : body.cells) {
      if (solved) value[n] += lift;
      if (!let_go[n]) continue;
      if (solved) out.pull += least(n) + lift - value[n];
      let_go[n] = held_at_zero[n] = 0;
    }
    if (apart) let_go[lowest] = held_at_zero[lowest] = 1, out.apart = true;
  }
  return out;
}

bool fill_pockets(const Domain& domain, const MacField<float>& open, const Field<float>* room,
                  const Particles& particles, const CellRanges& ranges, Field<float>& phi, Field<unsigned char>& air) {
  const Layout& layout = phi.layout();
  const CellRanges::View in_cells = ranges.read(Exec(Device::cpu, 1));
  const double share = 1 << domain.lattice.dims();
  const float* part = room ? room->values().host() : nullptr;
  const auto room_of = [=](int n) { return part ? double(part[n]) : 1.0; };
  unsigned char* is_air = air.values().host();
  constexpr unsigned char pocket = 2;  // for the time being

  Walks in_air(domain, open, [=](int n) { return is_air[n] ? Way::on : Way::ends; });
  const double most = 1 + 2 * not_full * double(particles.count) / share;  // what is larger is no pocket of a full body
  std::vector<Cell> pockets;
  for_each_in_order(domain, layout, [&](Cell c, int n) {
    if (!is_air[n] || !beside_liquid(layout, is_air, n)) return;
    for (const Cell& in : in_air.from(c, most, room_of)) is_air[layout.index(in)] = pocket, pockets.push_back(in);
  });
  Walks in_body(domain, open, [=](int n) { return is_air[n] == 1 ? Way::out : Way::on; });
  bool any = false;
  for (const Cell& c : pockets) {
    const std::vector<Cell> body = in_body.from(c);
    double holds = 0, takes = 0;
    for (const Cell& in : body) holds += double(in_cells.count(in)), takes += share * room_of(layout.index(in));
    if (!(holds > 0) || holds < (1 - not_full) * takes) continue;
    for (const Cell& in : body) {
      const int n = layout.index(in);
      if (!is_air[n]) continue;
      phi.values().host()[n] = float(-0.5 * domain.lattice.h);
      is_air[n] = 0, any = true;
    }
  }
  for (const Cell& c : pockets)
    if (unsigned char& left = is_air[layout.index(c)]; left == pocket) left = 1;
  return any;
}

}  // namespace silt
