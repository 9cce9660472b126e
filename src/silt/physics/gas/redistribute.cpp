#include "silt/physics/gas/redistribute.h"

#include "silt/core/loops.h"
#include "silt/fields/halo.h"

namespace silt::gas {

namespace {

constexpr float small = 0.5f;  ///< cells with less room have a partner

SILT_HD inline Cell partner_of(Cell c, int code) {
  const int axis = (code - 1) / 2;
  return (code - 1) & 1 ? c + unit(axis) : c - unit(axis);
}
/// Whether the neighbour of c along an axis has c for its partner.
SILT_HD inline bool has_partner(const View<const unsigned char>& partner, Cell c, int axis, int end) {
  const int towards = 1 + 2 * axis + (end == 0 ? 1 : 0);
  return partner(end == 0 ? c - unit(axis) : c + unit(axis)) == towards;
}

/// Of the neighbours behind open faces the one with most room, weighted by how open the way is. A cell that a solid has
/// just uncovered, at a corner perhaps half of it at once, has little of its own yet and is as much in need of one.
struct FindPartner {
  View<const float> room, before;
  MacView<const float> open;
  Int3 active;
  View<unsigned char> partner;
  SILT_HD void operator()(Cell c) const {
    int best = 0;
    float most = 0;
    if (room(c) > 0 && (room(c) < small || before(c) < small))
      for (int a = 0; a < 3; ++a) {
        if (!active[a]) continue;
        for (int end = 0; end < 2; ++end) {
          const float way = open[a](end == 0 ? c : c + unit(a)), there = room(end == 0 ? c - unit(a) : c + unit(a));
          if (way * there > most) most = way * there, best = 1 + 2 * a + end;
        }
      }
    partner(c) = (unsigned char)best;
  }
};

struct FindShare {
  View<const unsigned char> partner;
  View<const float> room;
  Int3 active;
  View<float> share;
  SILT_HD void operator()(Cell c) const {
    int groups = 1;
    for (int a = 0; a < 3; ++a)
      for (int end = 0; end < 2 && active[a]; ++end) groups += has_partner(partner, c, a, end);
    share(c) = room(c) / float(groups);
  }
};

struct FindGroup {
  View<const unsigned char> partner;
  View<const float> share, values;
  View<float> group;
  SILT_HD void operator()(Cell c) const {
    const int code = partner(c);
    float q = values(c);
    if (code != 0) {
      const Cell other = partner_of(c, code);
      const float own = share(c), its = share(other);
      q = (own * q + its * values(other)) / (own + its);
    }
    group(c) = q;
  }
};

struct TakeMean {
  View<const unsigned char> partner;
  View<const float> group;
  Int3 active;
  View<float> values;
  SILT_HD void operator()(Cell c) const {
    float sum = group(c);
    int groups = 1;
    for (int a = 0; a < 3; ++a)
      for (int end = 0; end < 2 && active[a]; ++end)
        if (has_partner(partner, c, a, end)) sum += group(end == 0 ? c - unit(a) : c + unit(a)), ++groups;
    if (groups > 1 || partner(c) != 0) values(c) = sum / float(groups);
  }
};

}  // namespace

Redistribution::Redistribution(const Exec& exec, const Domain& domain, const Openings& openings)
    : partner_(openings.room->layout()), share_(openings.room->layout()), group_(openings.room->layout()) {
  const Int3 active = domain.lattice.active;
  for_each_cell(exec, "gas.partner", domain.cells,
                FindPartner{openings.room->read(exec), openings.room_before->read(exec), openings.cut->open.read(exec),
                            active, partner_.update(exec)});
  const HaloRule none{.open_repeats = false, .open_value = 0};
  Domain sealed = domain;  // nobody beyond walls has a partner here
  for (int a = 0; a < 3; ++a)
    for (Side& side : sealed.sides[a])
      if (side == Side::wall) side = Side::open;
  fill_halo(exec, sealed, domain.cells, none, partner_);
  weigh(exec, domain, *openings.room);
}

void Redistribution::weigh(const Exec& exec, const Domain& domain, const Field<float>& room) {
  const Int3 active = domain.lattice.active;
  for_each_cell(exec, "gas.share", domain.cells,
                FindShare{std::as_const(partner_).read(exec), room.read(exec), active, share_.update(exec)});
  fill_halo(exec, domain, domain.cells, {}, share_);
}

void Redistribution::run(const Exec& exec, const Domain& domain, Field<float>& values) {
  const View<const unsigned char> partner = std::as_const(partner_).read(exec);
  for_each_cell(
      exec, "gas.group", domain.cells,
      FindGroup{partner, std::as_const(share_).read(exec), std::as_const(values).read(exec), group_.update(exec)});
  fill_halo(exec, domain, domain.cells, {}, group_);
  for_each_cell(exec, "gas.mean", domain.cells,
                TakeMean{partner, std::as_const(group_).read(exec), domain.lattice.active, values.update(exec)});
}

}  // namespace silt::gas
