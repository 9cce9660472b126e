#include "silt/physics/sand/grain_faces.h"

#include "silt/core/loops.h"
#include "silt/fields/wrap.h"
#include "silt/physics/sand/mass_round.h"

namespace silt {
namespace {

/// Particles on a face with fewer say nothing of its velocity.
constexpr float least_weight = 1e-3f;

/// Beside surfaces that lie aslant, faces with less than this open count as closed.
constexpr float slit = 0.1f;

struct CloseSlit {
  int axis;
  View<const float> friction, rub, aslant, passes;
  View<float> open;

  SILT_HD bool cut_aslant(Cell c) const { return aslant(c) > 0; }
  SILT_HD bool cut_along(Cell c) const { return (friction(c) > 0) & (rub(c) >= 0) & !(aslant(c) > 0); }
  SILT_HD void operator()(Cell c) const {
    const Cell low = c - unit(axis);
    const bool beside = (cut_aslant(c) | cut_aslant(low)) & !cut_along(c) & !cut_along(low);
    open(c) = beside & (passes(c) < slit) ? 0.0f : passes(c);
  }
};

struct FindFace {
  int axis;
  MassRound mass_round;
  View<const float> friction, part, weight, velocity, open, solid, aslant, across;
  View<float> mass, resting, moves;
  View<double> u;

  /// What particles say, or, where there are none, what they say at the other side of the cells beside.
  SILT_HD float before(Cell c) const {
    if (weight(c) > least_weight) return velocity(c);
    const Cell low = c - unit(axis), high = c + unit(axis);
    const float at_low = weight(low) > least_weight ? 1.0f : 0.0f, at_high = weight(high) > least_weight ? 1.0f : 0.0f;
    const float sum = at_low + at_high;
    return sum > 0 ? (at_low * velocity(low) + at_high * velocity(high)) / sum : velocity(c);
  }

  /// Whether sand in a cell lies on a surface across this axis, and none that is aslant.
  SILT_HD bool lies_on(Cell c) const { return (friction(c) > 0) & (across(c) > 0) & !(aslant(c) > 0); }

  SILT_HD void operator()(Cell c) const {
    const bool below = friction(c - unit(axis)) > 0, above = friction(c) > 0, passes = open(c) > 0;
    const float m = mass_round(c), now = before(c), held = solid(c);
    const bool moving = passes & (below | above);
    mass(c) = moving ? (m > least_mass ? m : least_mass) : 0.0f;
    const bool flies = part(c) + part(c - unit(axis)) > 0;  // not only what spills over from sand a cell away
    const bool stops = (!passes) & (lies_on(c) | lies_on(c - unit(axis)));  // or particles would go on into the solid
    moves(c) = (passes & (moving | flies)) | stops ? 1.0f : 0.0f;
    u(c) = passes ? now : held;
    const float into_low = above ? held - now : 0.0f, into_high = below ? now - held : 0.0f;
    const float push = into_low > into_high ? into_low : into_high;
    resting(c) = !passes & (push > 0) ? m * push : 0.0f;
  }
};

struct FindExtended {
  int axis, dims;
  WallSides walls;
  View<const float> friction, rub, aslant, mass, open;
  View<float> extended;

  SILT_HD bool cut_aslant(Cell c) const { return (friction(c) > 0) & (aslant(c) > 0); }
  SILT_HD bool cut_along(Cell c) const { return (friction(c) > 0) & (rub(c) >= 0) & !(aslant(c) > 0); }

  SILT_HD void operator()(Cell c) const {
    const Cell low = c - unit(axis);
    bool beside = cut_aslant(c) | cut_aslant(low);
    float count = 0;
    for (int b = 0; b < dims; ++b) {
      count += (mass(c - unit(b)) > 0 ? 1.0f : 0.0f) + (mass(c + unit(b)) > 0 ? 1.0f : 0.0f);
      if (b == axis) continue;
      for (const Cell next : {c - unit(b), c + unit(b), low - unit(b), low + unit(b)})
        beside = beside | cut_aslant(next);
    }
    const bool goes_on = beside & !(open(c) > 0) & (count > 0) & !cut_along(c) & !cut_along(low);
    extended(c) = goes_on && !walls.on(axis, c) ? 1 / count : 0.0f;
  }
};

/// Mass and momentum that are on faces where velocities go on belong to those that they go on from. So do those that
/// are on faces of the air beside sand, or of solids that it slides along: the transfer's weights put a seventh of a
/// cell there, and a face there gets the velocity of the sand beside it. Left out, the sand that friction stops would
/// have less mass than it has: layers of two cells were stopped 14 % too soon.
struct TakeBeyond {
  int axis, dims;
  MassRound mass_round;
  View<const float> extended, velocity, friction, open, moves;
  View<float> mass, resting, lends;
  View<double> u;

  SILT_HD bool moving(Cell face) const {
    return (open(face) > 0) & ((friction(face) > 0) | (friction(face - unit(axis)) > 0));
  }
  /// What each face of sand beside this one, across other axes, has of what is on it.
  SILT_HD float share_of(int across, Cell face) const {
    if (moves(face) > 0 || mass_round.walls.beyond(across, face)) return 0;  // MassRound has what is beyond walls
    int count = 0;
    for (int b = 0; b < dims; ++b)
      if (b != axis) count += moving(face - unit(b)) + moving(face + unit(b));
    return count > 0 ? 1 / float(count) : 0.0f;
  }

  SILT_HD void operator()(Cell c) const {
    if (extended(c) > 0) resting(c) = 0;
    lends(c) = 0;
    if (!(mass(c) > 0)) return;
    float sum = mass(c);
    double momentum = sum * u(c);
    for (int b = 0; b < dims; ++b)
      for (const Cell next : {c - unit(b), c + unit(b)}) {
        const float part = extended(next) > 0 ? extended(next) : b != axis ? share_of(b, next) : 0.0f;
        const float share = part > 0 ? part * mass_round(next) : 0.0f;
        sum += share, momentum += double(share) * velocity(next);
        if (extended(next) > 0) lends(c) = 1;
      }
    mass(c) = sum, u(c) = momentum / sum;
  }
};

struct FindEdge {
  Int3 a, b;  ///< a step along each
  View<const float> mass_a, mass_b, extended_a, extended_b;
  View<float> sheared;
  SILT_HD void operator()(Cell c) const {
    const auto known_a = [&](Cell face) { return (mass_a(face) > 0) | (extended_a(face) > 0); };
    const auto known_b = [&](Cell face) { return (mass_b(face) > 0) | (extended_b(face) > 0); };
    sheared(c) = known_a(c) & known_a(c - b) & known_b(c) & known_b(c - a) ? 1.0f : 0.0f;
  }
};

struct FindSlack {
  int dims;
  float speed;  ///< h / dt
  View<const float> friction, fraction, part;
  MacView<const float> open, solid;
  View<float> slack;
  SILT_HD void operator()(Cell c) const {
    constexpr float steps = 5, loose = 0.6f, least = 0.1f;
    // Of cells at the surface f is known but roughly: by half-cells.
    const float packed = part(c) < 1 ? 0.85f : 0.95f;
    const float f = fraction(c) > least ? fraction(c) : least;
    float room = 0, pushed = 0;
    if (f < packed) room += (packed - f) / (f * steps);
    if (f < loose) room += (loose - f) / f;
    for (int a = 0; a < dims; ++a) {
      const Cell up = c + unit(a);
      pushed += (1 - open[a](up)) * solid[a](up) - (1 - open[a](c)) * solid[a](c);
    }
    slack(c) = friction(c) > 0 ? speed * room + pushed : 0.0f;
  }
};

struct TakeVelocity {
  View<const float> mass, moves, open;
  View<const double> u;
  View<float> velocity;
  SILT_HD void operator()(Cell c) const {
    if (mass(c) > 0 || !(moves(c) > 0) || !(open(c) > 0)) velocity(c) = float(u(c));
  }
};

}  // namespace

void close_slits(const Exec& exec, const Domain& domain, const CutCells& cut, GrainFields& fields) {
  for (Field<float>* cells : {&fields.friction, &fields.contacts.aslant, &fields.contacts.rub})
    wrap_cells(exec, domain, *cells);
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "sand.slits", domain.faces(a),
                  CloseSlit{a, fields.friction.read(exec), fields.contacts.rub.read(exec),
                            fields.contacts.aslant.read(exec), cut.open[a].read(exec), fields.open[a].update(exec)});
  wrap_faces(exec, domain, fields.open);
}

void find_faces(const Exec& exec, const Domain& domain, const CutCells& cut, const Field<float>& part,
                const MacField<float>& weight, const MacField<float>& heavy, const MacField<float>& velocity,
                GrainFields& fields, MacField<double>& u) {
  for (int a = 0; a < 3; ++a) wrap_cells(exec, domain, fields.contacts.across[a]);
  for (int a = 0; a < 3; ++a) {
    for_each_cell(exec, "sand.faces", domain.faces(a),
                  FindFace{a,
                           {domain, a, heavy[a].read(exec)},
                           fields.friction.read(exec),
                           part.read(exec),
                           weight[a].read(exec),
                           velocity[a].read(exec),
                           fields.open[a].read(exec),
                           cut.solid_velocity[a].read(exec),
                           fields.contacts.aslant.read(exec),
                           fields.contacts.across[a].read(exec),
                           fields.mass[a].update(exec),
                           fields.resting[a].update(exec),
                           fields.moves[a].update(exec),
                           u[a].update(exec)});
  }
  for (MacField<float>* faces : {&fields.mass, &fields.resting, &fields.moves}) wrap_faces(exec, domain, *faces);
}

void extend_into_solids(const Exec& exec, const Domain& domain, const MacField<float>& heavy,
                        const MacField<float>& velocity, GrainFields& fields, MacField<double>& u) {
  for (int a = 0; a < 3; ++a) {
    if (!domain.lattice.active[a]) continue;
    for_each_cell(exec, "sand.extended", domain.faces(a),
                  FindExtended{a, domain.lattice.dims(), WallSides(domain), fields.friction.read(exec),
                               fields.contacts.rub.read(exec), fields.contacts.aslant.read(exec),
                               fields.mass[a].read(exec), fields.open[a].read(exec), fields.extended[a].update(exec)});
  }
  wrap_faces(exec, domain, fields.extended);
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "sand.take_beyond", domain.faces(a),
                  TakeBeyond{a,
                             domain.lattice.dims(),
                             {domain, a, heavy[a].read(exec)},
                             fields.extended[a].read(exec),
                             velocity[a].read(exec),
                             fields.friction.read(exec),
                             fields.open[a].read(exec),
                             fields.moves[a].read(exec),
                             fields.mass[a].update(exec),
                             fields.resting[a].update(exec),
                             fields.lends[a].update(exec),
                             u[a].update(exec)});
  for (MacField<float>* faces : {&fields.mass, &fields.resting}) wrap_faces(exec, domain, *faces);
}

void find_edges(const Exec& exec, const Domain& domain, GrainFields& fields) {
  const Int3 active = domain.lattice.active;
  for (int c = 0; c < 3; ++c) {
    const int a = (c + 1) % 3, b = (c + 2) % 3;
    if (!active[a] || !active[b]) continue;
    for_each_cell(
        exec, "sand.edges", edges_in_use(domain, c),
        FindEdge{unit(a), unit(b), fields.mass[a].read(exec), fields.mass[b].read(exec), fields.extended[a].read(exec),
                 fields.extended[b].read(exec), fields.sheared[c].update(exec)});
  }
}

void find_slack(const Exec& exec, const Domain& domain, const CutCells& cut, const Field<float>& fraction,
                const Field<float>& part, double dt, GrainFields& fields) {
  for_each_cell(
      exec, "sand.slack", domain.cells,
      FindSlack{domain.lattice.dims(), float(domain.lattice.h / dt), fields.friction.read(exec), fraction.read(exec),
                part.read(exec), fields.open.read(exec), cut.solid_velocity.read(exec), fields.slack.update(exec)});
}

void take_velocity(const Exec& exec, const Domain& domain, const GrainFields& fields, const MacField<double>& u,
                   MacField<float>& velocity) {
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "sand.take", domain.faces(a),
                  TakeVelocity{fields.mass[a].read(exec), fields.moves[a].read(exec), fields.open[a].read(exec),
                               u[a].read(exec), velocity[a].update(exec)});
}

}  // namespace silt
