#include "silt/physics/common/emitter.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "silt/core/packed.h"
#include "silt/core/scan_sort.h"
#include "silt/fields/images.h"
#include "silt/fields/seed_places.h"
#include "silt/geometry/shape_loop.h"
#include "silt/geometry/shape_on.h"
#include "silt/physics/common/chosen.h"
#include "silt/physics/common/flow_columns.h"
#include "silt/physics/common/particle_sides.h"
#include "silt/physics/common/setting.h"

namespace silt {
namespace {

struct SolidViews {
  const ShapeView* shapes;
  int count;
  SILT_HD bool hold(const Vec3d& x) const {
    for (int i = 0; i < count; ++i)
      if (shapes[i].distance(x) <= 0) return true;
    return false;
  }
};

/// The solids that come near a box, as they are at an instant, where kernels run.
class NearSolids {
 public:
  NearSolids(const Exec& exec, const Domain& domain, const std::vector<Obstacle>& solids, double time,
             const Shape::Bounds& box) {
    for (const Obstacle& solid : solids) {
      const Shape there = place(solid, time).shape;
      for (const Vec3d& image : periodic_images(domain, there)) {
        Shape shape = there.transformed({{}, image, 1});
        const Shape::Bounds b = shape.bounds();
        const Vec3d low = max(b.lowest, box.lowest), high = min(b.highest, box.highest);
        if (max(low, high) == high) shapes_.push_back(std::move(shape));
      }
    }
    for (const Shape& shape : shapes_) on_.emplace_back(exec, shape);
    views_ = Buffer<ShapeView>(on_.size());
    std::transform(on_.begin(), on_.end(), views_.host(), [](const ShapeOn& on) { return on.view(); });
  }
  SolidViews view(const Exec& exec) const { return {views_.read(exec), int(on_.size())}; }

 private:
  std::vector<Shape> shapes_;
  std::vector<ShapeOn> on_;
  Buffer<ShapeView> views_;
};

/// What fills an emitter's shape is a lattice of random places, one in each part of every cell as seeding has them,
/// that moves with the emitter's velocity. A particle is born at each of them that comes into what solids leave of the
/// shape: no gaps, no doubles, whatever the step. Places are anywhere in their parts: with less room for chance the
/// number of those inside would depend on how the shape's edges lie among the cells.
struct Born {
  ShapeView now, before;  ///< the shape at the end and at the beginning of the step; no `before`: just these places
  SolidViews solids, solids_before;  ///< what they hold is none of it
  bool turned_on;                    ///< at the beginning of the step, full: what it held then has come a step farther
  Domain domain;
  std::uint64_t seed;
  Vec3d drift;  ///< of the lattice, at the end [cells]
  Vec3d step;   ///< how far it came in this step [m]
  Packed crowd_at;
  const std::uint8_t* crowded;

  SILT_HD bool in_domain(const Vec3d& at, Cell& cell, Vec3f& offset) const {
    for (int a = 0; a < 3; ++a) {
      if (!domain.lattice.active[a]) {
        cell[a] = domain.cells.lo[a], offset[a] = 0.5f;
        continue;
      }
      const double whole = std::floor(at[a]);
      cell[a] = int(whole), offset[a] = float(at[a] - whole) < 1 ? float(at[a] - whole) : last_offset;
    }
    return domain.cells.contains(cell);
  }

  /// put(cell, offset) for every particle that is born in a cell of the moving lattice.
  template <class Put>
  SILT_HD void in_cell(Cell lattice_cell, const Put& put) const {
    for (int part = 0; part < 8; ++part) {
      if (!has_part(domain.lattice.active, part)) continue;
      const Vec3f place = random_place(domain.lattice.active, seed, lattice_cell, part, 1);
      const Vec3d at = lattice_cell.as<double>() + place.as<double>() + drift;
      Cell cell;
      Vec3f offset;
      if (!in_domain(at, cell, offset) || crowded[crowd_at(cell)]) continue;
      const Vec3d x = domain.lattice.origin + at * domain.lattice.h;
      const bool inside = now.distance(x) <= 0;
      if (!(inside || turned_on)) continue;
      const Vec3d from = x - step;
      const bool was_inside = before.count > 0 && before.distance(from) <= 0 && !solids_before.hold(from);
      const bool comes = turned_on ? inside || was_inside : !was_inside;
      if (comes && !solids.hold(x)) put(cell, offset);
    }
  }
};

struct CountBorn {
  Born born;
  Packed at;
  std::uint32_t* count;
  SILT_HD void operator()(Cell c) const {
    std::uint32_t n = 0;
    born.in_cell(c, [&](Cell, const Vec3f&) { ++n; });
    count[at(c)] = n;
  }
};

struct PutBorn {
  Born born;
  Packed at;
  const std::uint32_t* begin;
  Chosen chosen;
  std::size_t first;
  std::uint64_t first_id;
  Vec3f flow;
  std::uint32_t source_of_all, colour_of_all;
  PositionColumns place;
  float* velocity[3];
  std::uint64_t* id;
  std::uint32_t *source, *colour;

  SILT_HD void operator()(Cell c) const {
    std::uint64_t n = begin[at(c)];
    born.in_cell(c, [&](Cell cell, const Vec3f& offset) {
      const std::uint64_t candidate = n++;
      if (!chosen.has(candidate)) return;
      const std::uint64_t number = chosen.number(candidate), i = first + number;
      for (int a = 0; a < 3; ++a)
        if (place.cell[a]) place.cell[a][i] = cell[a], place.offset[a][i] = offset[a], velocity[a][i] = flow[a];
      id[i] = first_id + number;
      source[i] = source_of_all, colour[i] = colour_of_all;
    });
  }
};

/// Cells of a box that have `times` their share. Counted on the host: few cells, and every particle looked at once.
Buffer<std::uint8_t> crowded_cells(const Exec& exec, const Box& box, const Particles& particles, int times) {
  std::vector<int> count(std::size_t(box.count()));
  const ParticleView view = read(Exec(Device::cpu, 1), particles);
  const Packed at{box};
  for (std::size_t i = 0; i < particles.count; ++i)
    if (const Cell c = view.cell_at(std::int64_t(i)); box.contains(c)) ++count[std::size_t(at(c))];
  const int share = 1 << (particles.active.x + particles.active.y + particles.active.z);
  Buffer<std::uint8_t> out(count.size());
  std::transform(count.begin(), count.end(), out.host(), [&](int n) { return n >= times * share; });
  out.read(exec);
  return out;
}

/// Where a shape is, with its copies across periodic sides.
Shape placed(const Domain& domain, const Shape& shape, const Motion& motion, double time) {
  return with_images(domain, shape.at(time).transformed(motion.at(time).place));
}

/// Whether a particle is in a shape.
struct Within {
  ShapeView shape;
  Lattice lattice;
  Box near;
  PositionColumns at;

  SILT_HD bool operator()(std::int64_t i) const {
    const Cell c = at.cell_at(i);
    if (!near.contains(c)) return false;
    const Vec3d x = lattice.origin + (c.as<double>() + at.offset_at(i).as<double>()) * lattice.h;
    return shape.distance(x) <= 0;
  }
};

/// What is inside moves as the emitter says, whatever pulls at it: as liquid in a nozzle does.
struct Hold {
  Within nozzle;
  FlowColumns columns;
  Vec3f flow;
  SILT_HD void operator()(std::int64_t i) const {
    if (nozzle(i)) columns.set(i, flow);
  }
};

struct Kill {
  Within sink;
  SILT_HD void operator()(std::int64_t i) const {
    if (sink(i)) sink.at.cell[0][i] = Particles::dead;
  }
};

}  // namespace

Emitted emit(const Exec& exec, const Domain& domain, const Emitter& emitter, const std::vector<Obstacle>& solids,
             double time, double dt, std::uint64_t seed, std::uint64_t room, EmitterMemory& memory,
             Particles& particles) {
  const Lattice& lattice = domain.lattice;
  const bool was_on = std::exchange(memory.on, emitter.enabled(time + 0.5 * dt));
  if (!memory.on) return {};
  const Vec3d velocity = emitter.velocity(time + 0.5 * dt), step = velocity * dt;
  const Shape now = placed(domain, emitter.shape, emitter.motion, time + dt);
  const Shape then = placed(domain, emitter.shape, emitter.motion, time);
  const bool turned_on = !was_on && !emitter.rate;
  Box near = cells_near(domain, now);
  if (near.empty()) return {};
  if (turned_on) {
    const int reach = 1 + int(length(step) / lattice.h);
    near = intersect(grow(near, lattice.active * reach), domain.cells);
  }

  Vec3d drift{};
  if (emitter.rate) {
    seed = random_bits(seed, memory.steps++, 0);  // other places every time
  } else {
    memory.drift += step / lattice.h;
    drift = memory.drift * lattice.active.as<double>();
  }
  const Vec3d whole{std::floor(drift.x), std::floor(drift.y), std::floor(drift.z)};
  const Box cells{near.lo - whole.as<int>() - lattice.active, near.hi - whole.as<int>()};

  const ShapeOn now_on(exec, now), then_on(exec, emitter.rate ? nullptr : &then);
  const Vec3d margin = Vec3d{1, 1, 1} * (length(step) + lattice.h);
  const Shape::Bounds b = now.bounds(), c = then.bounds();
  const Shape::Bounds round{min(b.lowest, c.lowest) - margin, max(b.highest, c.highest) + margin};
  const NearSolids now_solid(exec, domain, solids, time + dt, round), then_solid(exec, domain, solids, time, round);
  if (!emitter.rate && room > 0)
    for_each_index(exec, "particles.hold", std::int64_t(particles.count),
                   Hold{{now_on.view(), lattice, near, PositionColumns::of(exec, particles)},
                        FlowColumns::of(exec, particles),
                        velocity.as<float>()});
  const Buffer<std::uint8_t> crowded = crowded_cells(exec, near, particles, turned_on ? 1 : 2);
  const Born born{now_on.view(),
                  then_on.view(),
                  now_solid.view(exec),
                  then_solid.view(exec),
                  turned_on,
                  {lattice, near, domain.sides},
                  seed,
                  drift,
                  step,
                  {near},
                  crowded.read(exec)};
  Buffer<std::uint32_t> begin(std::size_t(cells.count()));
  for_each_cell(exec, "particles.count_born", cells, CountBorn{born, {cells}, begin.write(exec)});
  const std::uint64_t candidates = exclusive_scan(exec, begin, begin);
  std::uint64_t wanted = candidates;
  if (emitter.rate) {
    const int share = 1 << lattice.dims();
    memory.owed += std::max(0.0, (*emitter.rate)(time + 0.5 * dt)) * dt / lattice.cell_volume() * share;
    wanted = std::min(candidates, std::uint64_t(memory.owed));
    memory.owed -= double(wanted);
    memory.owed -= std::floor(memory.owed);  // what found no room is not made up for later
  }
  const std::uint64_t refused = wanted > room ? wanted - room : 0;
  wanted -= refused;
  if (wanted == 0) return {0, refused};

  const std::size_t first = append(exec, particles, wanted);
  PutBorn put{born,
              {cells},
              begin.read(exec),
              {wanted, candidates},
              first,
              particles.born,
              velocity.as<float>(),
              emitter.source,
              emitter.colour ? packed_colour((*emitter.colour)(time + 0.5 * dt)) : no_colour,
              PositionColumns::of(exec, particles),
              {},
              particles.id.update(exec),
              particles.source.update(exec),
              particles.colour.update(exec)};
  for (int a = 0; a < 3; ++a) put.velocity[a] = particles.velocity[a].update(exec);
  for_each_cell(exec, "particles.put_born", cells, put);
  particles.born += wanted;
  return {wanted, refused};
}

void drain(const Exec& exec, const Domain& domain, const Sink& sink, double time, Particles& particles) {
  if (!sink.enabled(time)) return;
  const Shape shape = placed(domain, sink.shape, sink.motion, time);
  const ShapeOn on(exec, shape);
  for_each_index(exec, "particles.drain", std::int64_t(particles.count),
                 Kill{{on.view(), domain.lattice, cells_near(domain, shape), PositionColumns::of(exec, particles)}});
}

}  // namespace silt
