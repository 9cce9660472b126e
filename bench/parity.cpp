// Runs every family of kernels on the CPU and on the GPU and compares the answers. Without a GPU it compares one thread
// with three, bit for bit.
//   parity [--size N]

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "silt/core/device_memory.h"
#include "silt/core/error.h"
#include "silt/core/random.h"
#include "silt/core/scan_sort.h"
#include "silt/fields/cell_room.h"
#include "silt/fields/cut_cells.h"
#include "silt/fields/extension.h"
#include "silt/fields/halo.h"
#include "silt/fields/hodge_star.h"
#include "silt/fields/operators.h"
#include "silt/fields/redistance.h"
#include "silt/fields/seeding.h"
#include "silt/fields/surface_of_particles.h"
#include "silt/geometry/mesh_data.h"
#include "silt/geometry/sample_meshes.h"
#include "silt/physics/common/advect.h"
#include "silt/physics/common/emitter.h"
#include "silt/physics/common/flow_kernels.h"
#include "silt/physics/common/flux_transport.h"
#include "silt/physics/common/force_fields.h"
#include "silt/physics/common/grid_to_particles.h"
#include "silt/physics/common/held_values.h"
#include "silt/physics/common/move_particles.h"
#include "silt/physics/common/particles_to_grid.h"
#include "silt/physics/common/push_out.h"
#include "silt/physics/common/reseed.h"
#include "silt/physics/common/separate.h"
#include "silt/physics/gas/gas_model.h"
#include "silt/physics/liquid/liquid_model.h"
#include "silt/physics/liquid/liquid_viscosity.h"
#include "silt/physics/smoke/buoyancy.h"
#include "silt/physics/smoke/burning.h"
#include "silt/physics/smoke/colour.h"
#include "silt/physics/smoke/smoke_model.h"
#include "silt/physics/smoke/vorticity.h"
#include "silt/solve/bounded_solver.h"
#include "silt/solve/poisson_solver.h"
#include "silt/solve/sample_grains.h"
#include "tile_kernel.h"

namespace {

using namespace silt;

/// What one family of kernels computed, and how far two machines may differ: |a - b| / |b|.
struct Answer {
  std::string name;
  std::vector<double> values;
  double allowed;
};

struct AdvectionCase {
  std::string name;
  AdvectionOptions options;
  double cells;  ///< that the fastest flow crosses in the step
};

std::vector<AdvectionCase> advection_cases() {
  using enum Advection;
  return {{"linear", {linear}, 2},
          {"linear, rk3", {linear, Tracing::rk3}, 2},
          {"cubic", {cubic}, 2},
          {"cubic, rk3", {cubic, Tracing::rk3}, 2},
          {"maccormack", {maccormack}, 2},
          {"maccormack, rk3, not clamped", {maccormack, Tracing::rk3, false}, 2},
          {"bfecc", {bfecc}, 2},
          {"bfecc, rk3, not clamped", {bfecc, Tracing::rk3, false}, 2},
          {"upwind", {upwind}, 0.3},
          {"lax_friedrichs", {lax_friedrichs}, 0.3},
          {"lax_wendroff", {lax_wendroff}, 0.9}};
}

class Families {
 public:
  Families(const Exec& exec, int n)
      : exec_(exec),
        domain_{{{0, 0, 0}, 1.0 / n, {1, 1, 1}}, {{-3, 0, 5}, {n - 3, n + 2, n}}, {}},
        layout_(make_layout(domain_.cells, {1, 1, 1})) {
    domain_.sides = {{{Side::periodic, Side::periodic}, {Side::wall, Side::open}, {Side::wall, Side::wall}}};
  }

  std::vector<Answer> run() {
    loops();
    scan_and_sort();
    const CutCells cut = solids();
    meshes();
    MacField<float> velocity = random_faces(1);
    halos(velocity);
    operators(cut, velocity);
    extension(cut, velocity);
    transport(cut, velocity);
    liquids();
    advection(velocity);
    poisson(cut, velocity);
    grains();
    smoke_kernels(cut, velocity);
    force_fields(velocity);
    particles(cut, velocity);
    smoke_steps();
    gas_steps();
    liquid_steps();
    return std::move(answers_);
  }

 private:
  static constexpr double rounding = 1e-6;

  void keep(const std::string& name, std::vector<double> values, double allowed = rounding) {
    answers_.push_back({name, std::move(values), allowed});
  }
  template <class T>
  void keep(const std::string& name, const Field<T>& field, const Box& box, double allowed = rounding) {
    std::vector<double> values;
    const T* data = field.values().host();
    for (int z = box.lo.z; z < box.hi.z; ++z)
      for (int y = box.lo.y; y < box.hi.y; ++y)
        for (int x = box.lo.x; x < box.hi.x; ++x) values.push_back(double(data[layout_.index(x, y, z)]));
    keep(name, std::move(values), allowed);
  }
  void keep(const std::string& name, const MacField<float>& faces, double allowed = rounding) {
    for (int a = 0; a < 3; ++a) keep(name + "." + "xyz"[a], faces[a], domain_.faces(a), allowed);
  }
  template <class T>
  void keep(const std::string& name, const Buffer<T>& buffer) {
    keep(name, std::vector<double>(buffer.host(), buffer.host() + buffer.size()), 0);
  }

  Field<float> random_cells(int seed) const {
    Field<float> f(layout_);
    float* data = f.values().host();
    for (std::int64_t i = 0; i < layout_.size; ++i) data[i] = float(2 * random_unit(seed, std::uint64_t(i), 0) - 1);
    return f;
  }
  MacField<float> random_faces(int seed) const {
    MacField<float> f(layout_);
    for (int a = 0; a < 3; ++a) f[a] = random_cells(10 * seed + a);
    return f;
  }
  void fill(MacField<float>& faces) {
    for (int a = 0; a < 3; ++a) fill_halo(exec_, domain_, domain_.faces(a), HaloRule{}, faces[a]);
  }

  /// Where particles are and how they move, by id: on another machine they may come in another order.
  void keep(const std::string& name, const Particles& p, double allowed = rounding) {
    const Exec host(Device::cpu, 1);
    const ParticleView view = read(host, p);
    const std::uint64_t* id = p.id.host();
    std::vector<std::int64_t> by_id(p.count);
    for (std::size_t i = 0; i < p.count; ++i) by_id[i] = std::int64_t(i);
    std::sort(by_id.begin(), by_id.end(), [&](auto a, auto b) { return id[a] < id[b]; });
    std::vector<double> place, flow;
    for (std::int64_t i : by_id)
      for (int a = 0; a < 3; ++a) {
        place.push_back(view.cell_at(i)[a] + double(view.offset_at(i)[a]));
        flow.push_back(view.velocity[a][i]);
        for (const float* mode : view.mode[a]) flow.push_back(mode ? mode[i] : 0);
      }
    keep(name + ", places", std::move(place), allowed);
    keep(name + ", velocities", std::move(flow), allowed);
  }

  void particles(const CutCells& cut, const MacField<float>& flow) {
    Particles p(domain_.lattice.active, Modes::affine);
    const double half = 0.5 * double(domain_.cells.size().x) * domain_.lattice.h;
    seed_particles(exec_, domain_, Shape::sphere({half, half, half}, 0.7 * half), {.seed = 3}, p);
    keep("particles: seeding", p);
    CellRanges ranges;
    SortScratch sorting;
    const auto sort = [&] { sort_particles(exec_, domain_, layout_, p, ranges, sorting); };
    sort();
    keep("particles: sort", p.id);
    keep("particles: ranges", ranges.begin);
    grid_to_particles(exec_, {}, flow, flow, ranges, p);
    keep("particles: from the grid", p);
    MacField<float> velocity(layout_), weight(layout_);
    TransferScratch transfer;
    particles_to_grid(exec_, domain_, p, ranges, Across::smooth, transfer, velocity, weight);
    keep("particles: to the grid", velocity, 1e-5);
    const double dt = 0.8 * domain_.lattice.h;
    Separation apart;
    find_separation(exec_, domain_, {}, ranges, p, apart);
    move_particles(exec_, domain_, Moving::rk2, flow, dt, 1, p, &ranges);
    separate_particles(exec_, domain_, apart, p);
    move_particles(exec_, domain_, Moving::rk3, flow, 2 * dt, 2, p);
    keep("particles: moved", p.age);
    push_out(exec_, domain_, cut.distance, p);
    sort();
    reseed_particles(exec_, domain_, ranges, {}, p);
    EmitterMemory memory;
    Emitter jet;
    jet.shape = Shape::sphere({half, half, half}, 0.2 * half);
    jet.velocity = Vec3d{1, 0.5, 0};
    emit(exec_, domain_, jet, {}, 0, dt, 1, p.count, memory, p);
    sort();
    // A path that rounding sends round a corner is another path: how many there are is what has to agree.
    keep("particles: alive", {double(p.count) / double(p.born)}, 1e-2);
    keep("particles: inside solids", {double(inside_solid(exec_, domain_, cut.distance, p))}, 0);
  }

  void loops() {
    Field<float> marks(layout_);
    mark_cells(exec_, domain_.cells, marks);
    keep("loop over a box", marks, layout_.storage(), 0);
    Field<float> tiles(layout_);
    mark_cells(exec_, Region(domain_.cells, {1, 1, 1}, {{-1, 0, 1}, {0, 1, 2}, {1, 0, 0}}), tiles);
    keep("loop over tiles", tiles, layout_.storage(), 0);
    Buffer<std::uint32_t> list(100003);
    mark_indices(exec_, list);
    keep("loop over indices", list);
  }

  void scan_and_sort() {
    Buffer<std::uint32_t> in(100003), out(100003), values(100003);
    for (std::size_t i = 0; i < in.size(); ++i)
      in.host()[i] = std::uint32_t(random_bits(3, i, 0) % 100), values.host()[i] = std::uint32_t(i);
    const double total = exclusive_scan(exec_, in, out);
    keep("scan", out);
    keep("scan total", {total}, 0);
    Buffer<std::uint64_t> wide(100003);
    for (std::size_t i = 0; i < wide.size(); ++i) wide.host()[i] = random_bits(4, i, 0) % 5000;
    sort_by_key(exec_, wide, values);
    keep("sort, 64-bit keys", wide);
    keep("sort, values in order", values);
    sort_by_key(exec_, in, out, 7);
    keep("sort, 32-bit keys", out);
  }

  CutCells solids() {
    CutCells cut(layout_);
    const Shape ball = Shape::subtract(Shape::sphere({0.4, 0.5, 0.6}, 0.23), Shape::box({0.4, 0, 0}, {0.5, 1, 1}));
    cut_cells(exec_, domain_, {{ball, {{0.5, -1, 0.25}, {1, 2, 3}, {0.4, 0.5, 0.6}}}}, cut);
    const Shape patch = Shape::box({0.2, -1, 0.2}, {0.8, 2, 0.8});
    open_inlet(exec_, domain_, 1, 0, &patch, {0, 1, 0}, cut);
    keep("cut cells, distance", cut.distance, domain_.corners());
    keep("cut cells, open", cut.open, 1e-5);
    keep("cut cells, solid velocity", cut.solid_velocity);
    return cut;
  }

  /// A mesh told inside from outside by its nearest triangle, and one by winding numbers.
  void meshes() {
    const TriangleMesh ball = ball_mesh({0.45, 0.5, 0.55}, 0.27, 3);
    for (const auto& [name, sides] :
         {std::pair{"mesh, whole", MeshSides{true, true, 0}}, {"mesh, winding", MeshSides{}}}) {
      const Shape shape = Shape::mesh(std::make_shared<const MeshData>(ball, sides));
      CutCells cut(layout_);
      cut_cells(exec_, domain_,
                {{shape.transformed({euler_xyz({10, 20, 30}), {0.1, -0.1, 0}, 1}), {{1, 2, 3}, {}, {}}}}, cut);
      keep(std::string(name) + ", distance", cut.distance, domain_.corners(), 1e-5);
      keep(std::string(name) + ", open", cut.open, 1e-4);
    }
  }

  void halos(MacField<float>& velocity) {
    fill(velocity);
    Field<double> cells(layout_);
    for (std::int64_t i = 0; i < layout_.size; ++i) cells.values().host()[i] = random_unit(5, std::uint64_t(i), 0);
    fill_halo(exec_, domain_, domain_.cells, HaloRule{.open_repeats = false, .open_value = 2}, cells);
    keep("halo, cells", cells, intersect(grow(domain_.cells, {2, 2, 2}), layout_.storage()), 0);
    for (int a = 0; a < 3; ++a)
      keep(std::string("halo, faces.") + "xyz"[a], velocity[a],
           intersect(grow(domain_.faces(a), {2, 2, 2}), layout_.storage()), 0);
  }

  void operators(const CutCells& cut, const MacField<float>& velocity) {
    Field<double> q(layout_);
    divergence(exec_, domain_.cells, domain_.lattice.h, velocity, cut.open, cut.solid_velocity, q);
    keep("divergence", q, domain_.cells);
    fill_halo(exec_, domain_, domain_.cells, HaloRule{}, q);
    MacField<float> u = velocity;
    subtract_gradient(exec_, domain_, q, cut.open, cut.solid_velocity, u);
    keep("gradient", u);
    reflect(exec_, domain_, u, velocity, u);
    keep("reflection", u);
    keep("reduction, sums", {star_norm(exec_, domain_, velocity, cut.open),
                             star_sum(exec_, domain_, 1, velocity, cut.open), room_sum(exec_, domain_, velocity[0])});
    keep("reduction, maxima",
         {max_face_speed(exec_, domain_, velocity, cut.open), max_magnitude(exec_, domain_, velocity[1]),
          max_divergence(exec_, domain_, velocity, cut.open, cut.solid_velocity)});
  }

  /// Small velocities: cells are left once a step or so.
  void transport(const CutCells& cut, const MacField<float>& velocity) {
    Field<float> room(layout_), c = velocity[2];
    find_room(exec_, domain_, cut.distance, cut.open, room);
    keep("room of cells", room, domain_.cells);
    const CellGroups groups(domain_, cut, room, room);
    MacField<float> fluxes(layout_);
    volume_fluxes(exec_, domain_, 0.02 * domain_.lattice.h, velocity, cut, fluxes);
    const FluxStep step{.exec = exec_,
                        .domain = domain_,
                        .fluxes = fluxes,
                        .beyond = HaloRule{},
                        .room_before = &room,
                        .room = &room,
                        .groups = &groups};
    FluxTransport carried(layout_);
    if (carried.plan(step)) carried.carry(step, c);
    keep("transport by fluxes", c, domain_.cells);
  }

  void extension(const CutCells& cut, const MacField<float>& velocity) {
    MacField<float> u = velocity;
    for (int a = 0; a < 3; ++a) extend_faces(exec_, domain_, a, cut.open, 4).run(exec_, u[a]);
    keep("extension, faces", u);
    Field<float> c = velocity[2];
    extend_cells(exec_, domain_, cut.open, 4).run(exec_, c);
    keep("extension, cells", c, domain_.cells);
  }

  /// A lake of wavy surface, with a ball that liquid sticks to in it; and one of particles.
  void liquids() {
    Field<float> phi(layout_);
    const Box& cells = domain_.cells;
    for (int z = cells.lo.z; z < cells.hi.z; ++z)
      for (int y = cells.lo.y; y < cells.hi.y; ++y)
        for (int x = cells.lo.x; x < cells.hi.x; ++x) {
          const Vec3d at = domain_.lattice.centre({x, y, z});
          phi.at({x, y, z}) = float(2 * (at.z - 0.6 + 0.07 * std::sin(6.2831853 * at.x) * std::cos(5 * at.y)));
        }
    Redistance(layout_).run(exec_, domain_, 4, phi);
    keep("liquid, distance", phi, cells, 1e-5);
    keep("liquid, volume", {level_set_volume(exec_, domain_, phi)});
    CutCells cut(layout_);
    cut_cells(exec_, domain_, {{Shape::sphere({0.4, 0.5, 0.5}, 0.15), {{}, {1, 2, 3}, {0.4, 0.5, 0.5}}, true}}, cut);
    MacField<float> weights(layout_), u = random_faces(20);
    hodge_star(exec_, domain_, {.open = &cut.open, .liquid = &phi}, weights);
    for (int a = 0; a < 3; ++a) extend_faces(exec_, domain_, a, weights, 4).run_along(exec_, phi, u[a]);
    keep("liquid, velocities in the air", u, 1e-4);
    LiquidViscosity viscosity(layout_);
    const SolveReport report =
        viscosity.run(exec_, domain_, {.solids = &cut, .surface = &phi, .viscosity = 0.05}, 0.1, {1e-8, 200}, u);
    keep("liquid, viscosity, converged", {double(report.converged)}, 0);
    keep("liquid, viscosity", u, 1e-5);
    Particles p(domain_.lattice.active);
    seed_particles(exec_, domain_, Shape::sphere({0.4, 0.5, 0.6}, 0.25), {.seed = 4}, p);
    CellRanges ranges;
    SortScratch sorting;
    sort_particles(exec_, domain_, layout_, p, ranges, sorting);
    surface_of_particles(exec_, domain_, p, ranges, {}, phi);
    keep("liquid, surface of particles", phi, cells, 1e-5);
  }

  void advection(const MacField<float>& velocity) {
    AdvectScratch scratch(layout_);
    for (const auto& [name, options, cells] : advection_cases()) {
      const double dt = cells * domain_.lattice.h;  // the flow's fastest is 1
      Field<float> from = random_cells(8), to(layout_);
      fill_halo(exec_, domain_, domain_.cells, HaloRule{}, from);
      advect_cells(exec_, domain_, options, dt, velocity, HaloRule{}, from, scratch, to);
      keep("advect cells, " + name, to, domain_.cells, 1e-5);
      MacField<float> u(layout_);
      advect_faces(exec_, domain_, options, dt, velocity, SideWalls{}, velocity, scratch, u);
      keep("advect faces, " + name, u, 1e-5);
    }
  }

  /// The same equation where x may not be negative, on every preconditioner.
  void bounded(const CutCells& cut, Field<double>& b) {
    BoundedSolver solver;
    solver.prepare(exec_, domain_, cut.open);
    const std::pair<FaceMethod, std::string> methods[] = {{FaceMethod::damped_steps, "bounded, damped steps"},
                                                          {FaceMethod::incomplete_cholesky, "bounded, MIC(0)"},
                                                          {FaceMethod::multigrid, "bounded, multigrid"}};
    for (const auto& [method, name] : methods) {
      Field<double> x(layout_), load = b;
      const BoundedReport report =
          solver.solve(exec_, {.tolerance = 1e-9, .preconditioner = method}, not_negative, load, x);
      keep(name + ", converged", {double(report.converged)}, 0);
      keep(name + ", solution", x, domain_.cells, 1e-6);
    }
  }

  void poisson(const CutCells& cut, const MacField<float>& velocity) {
    const PoissonOperator op(exec_, domain_, cut.open);
    Field<float> x = random_cells(9), z(layout_);
    Field<double> ax(layout_), b(layout_), answer(layout_);
    keep("poisson, x.Ax", {op.apply(exec_, x, ax)});
    keep("poisson, Ax", ax, domain_.cells);
    const MicPreconditioner mic(exec_, op);
    mic.apply(exec_, ax, z);
    keep("poisson, MIC(0)", z, domain_.cells, 1e-5);
    divergence(exec_, domain_.cells, domain_.lattice.h, velocity, cut.open, cut.solid_velocity, b);
    PoissonSolver solver(layout_);
    solver.prepare(exec_, domain_, cut.open);
    const SolveReport report = solver.solve(exec_, {1e-9, 2000}, b, answer);
    keep("poisson, converged", {double(report.converged)}, 0);
    keep("poisson, solution", answer, domain_.cells, 1e-6);
    bounded(cut, b);
  }

  /// A column that gives way: a few turns of the solver, in which rounding has not grown yet.
  void grains() {
    for (int dims : {2, 3}) {
      const std::string name = "grains in " + std::to_string(dims) + "D, ";
      test::SampleGrains column = test::sample_column(dims);
      const GrainReport report =
          column.step(dims == 2 ? Vec3d{0, -1, 0} : Vec3d{0, 0, -1}, {.max_iterations = 8}, exec_);
      keep(name + "turns", {double(report.iterations)}, 0);
      std::vector<double> u, p;
      for (int a = 0; a < dims; ++a)
        test::for_each(column.domain.faces(a), [&](Cell c) { u.push_back(column.u[a](c)); });
      test::for_each(column.domain.cells, [&](Cell c) { p.push_back(column.p(c)); });
      const float* s = column.s.values().host();
      keep(name + "velocity", std::move(u), 1e-4);
      keep(name + "pressure", std::move(p), 1e-4);
      keep(name + "stress", {s, s + column.s.values().size()}, 1e-4);
    }
  }

  void smoke_kernels(const CutCells& cut, const MacField<float>& velocity) {
    Field<float> t = random_cells(12), d = random_cells(13);
    MacField<float> u = velocity;
    const Shape ball = Shape::sphere({0.5, 0.5, 0.5}, 0.3);
    const CoverAmounts cover = cover_amounts(exec_, domain_, domain_.cells, {&ball}, true);
    hold_cells(exec_, cover, 2, d);
    hold_faces(exec_, cover, {1, 2, 3}, u);
    keep("smoke, sources, cells", d, domain_.cells);
    for (Field<float>* f : {&t, &d}) fill_halo(exec_, domain_, domain_.cells, HaloRule{}, *f);
    add_buoyancy(exec_, domain_, {0, 0, -9.81}, {.ambient = 293, .buoyancy = 1, .weight = 0.1f}, 0.01, t, d, u);
    keep("smoke, sources and buoyancy", u);
    decay_cells(exec_, domain_, 0.7, d);
    keep("smoke, decay", d, domain_.cells);
    fill_faces(exec_, domain_, {&ball}, {1, 2, 3}, {.wavelength = 0.5, .speed = 2}, u);
    keep("smoke, vortices", u, 1e-6);
    fill(u);
    MacField<float> force(layout_);
    confine_vorticity(exec_, domain_, 5, 0.02, force, t, u);
    keep("smoke, confinement", u, 1e-5);
    Field<float> fuel = random_cells(14), swelling(layout_), colour[3] = {d, t, d};
    burn_fuel(exec_, domain_, {.share = 0.2, .ignition = 0, .heat = 900, .soot = 0.5, .ambient = 293, .swelling = 5e4},
              {0.3, 0.4, 0.5}, fuel, t, d, colour, swelling);
    keep("smoke, fire, fuel", fuel, domain_.cells);
    keep("smoke, fire, heat", t, domain_.cells);
    keep("smoke, fire, soot", colour[0], domain_.cells);
    Field<double> rhs(layout_);
    add_expansion(exec_, domain_, 2, cut.open, swelling, rhs);
    keep("smoke, fire, swelling", rhs, domain_.cells, 1e-5);
    colour_share(exec_, domain_, colour[0], d, 0.5, colour[1]);
    multiply_cells(exec_, domain_, d, colour[1]);
    keep("smoke, colour", colour[1], domain_.cells, 1e-5);
    fill(u);
    Buffer<float> packed(std::size_t(domain_.cells.count())), vectors(3 * packed.size()), solid(packed.size());
    pack_open_cells(exec_, domain_, d, cut.open, 1, -1, packed);
    pack_velocity(exec_, domain_, u, vectors);
    distance_at_centres(exec_, domain_, {{Shape::sphere({0.4, 0.5, 0.6}, 0.2), {}, false}}, solid);
    for (const Buffer<float>* b : {&packed, &vectors, &solid})
      keep("smoke, frame", std::vector<double>(b->host(), b->host() + b->size()));
  }

  void force_fields(const MacField<float>& velocity) {
    const Shape ball = Shape::sphere({0.5, 0.5, 0.5}, 0.3);
    const std::pair<const char*, ForceField::Kind> kinds[] = {
        {"uniform", UniformForce{Vec3d{1, 2, 3}}},
        {"point", PointForce{{0.4, 0.5, 0.6}, 3.0, 0.2, 2.5}},
        {"vortex", VortexForce{{0.4, 0.5, 0.6}, Vec3d{1, 2, -1}, 3.0, 1.0, 0.2}},
        {"drag", DragForce{3.0, Vec3d{1, 0, -1}}},
        {"turbulence", TurbulenceForce{.strength = 2.0, .scale = 0.2, .octaves = 3, .roughness = 0.6, .rate = 1}},
    };
    Motion moved;
    moved.position = Vec3d{0.1, 0, 0};
    moved.rotation = Vec3d{10, 20, 30};
    for (const auto& [name, kind] : kinds) {
      MacField<float> u = velocity;
      Field<float> scratch(layout_);
      apply_force(exec_, domain_, {name, kind, ball, moved, true}, 7, 0.3, 0.1, scratch, u);
      keep(std::string("force, ") + name, u, 1e-5);
    }
  }

  Setting open_above() const {
    Setting setting;
    setting.domain = domain_;
    setting.domain.sides[2] = {Side::wall, Side::open};
    setting.gravity = {0, 0, -9.81};
    return setting;
  }

  void smoke_steps() {
    Setting setting = open_above();
    Motion tumble;
    tumble.pivot = {0.4, 0.5, 0.6};
    tumble.position = Animated<Vec3d>({{0.0, {0, 0, 0}}, {1.0, {0.3, 0, 0}}}, Between::linear);
    tumble.spin = 200.0;
    tumble.spin_axis = {1, 2, 3};
    setting.obstacles = {{"brick", Shape::box({0.3, 0.35, 0.5}, {0.5, 0.65, 0.7}), tumble, true}};
    Source source;
    source.shape = Shape::sphere({0.4, 0.5, 0.3}, 0.15);
    source.density = 1.0;
    source.temperature = 400.0;
    setting.sources = {source};
    setting.walls = {{"belt", 2, 0, true, Vec3d{0.3, 0, 0}}};
    const auto model = make_smoke_model({.viscosity = 0.01, .tolerance = 1e-7}, setting);
    four_substeps("smoke, four substeps", *model);
  }

  /// A blast beside a brick that moves, explicit and implicit, with an open side and weight.
  void gas_steps() {
    Setting setting = open_above();
    Motion slides;
    slides.position = Animated<Vec3d>({{0.0, {0, 0, 0}}, {1.0, {20, 0, 0}}}, Between::linear);
    setting.obstacles = {{"brick", Shape::box({0.3, 0.35, 0.5}, {0.5, 0.65, 0.7}), slides, false}};
    setting.gas_fills = {{.name = "blast",
                          .shape = Shape::sphere({0.4, 0.5, 0.3}, 0.15),
                          .time = 0,
                          .content = {.pressure = 4e5, .temperature = 500.0, .density = {}},
                          .velocity = {},
                          .vortices = {},
                          .smoke = 1}};
    for (const bool implicit : {false, true}) {
      const GasPressure pressure = implicit ? GasPressure::implicit : GasPressure::explicit_;
      const auto model = make_gas_model({.pressure = pressure, .tolerance = 1e-8}, setting);
      four_substeps(implicit ? "gas, four implicit substeps" : "gas, four substeps", *model, implicit ? 1e-4 : 1e-5);
    }
  }

  /// A block of water that falls beside a ball that turns, and a drop far above it that has a grid of its own.
  void liquid_steps() {
    Setting setting = open_above();
    Motion turning;
    turning.pivot = {0.4, 0.5, 0.2};
    turning.spin = 200.0;
    setting.obstacles = {{"ball", Shape::sphere({0.4, 0.5, 0.2}, 0.12), turning, true}};
    setting.fills.resize(2);
    setting.fills[0].shape = Shape::box({0.1, 0.1, 0.05}, {0.5, 0.9, 0.4});
    setting.fills[1].shape = Shape::sphere({0.6, 0.5, 0.8}, 0.1);
    const auto model = make_liquid_model({.viscosity = 0.01, .tolerance = 1e-7}, setting);
    four_substeps("liquid, four substeps", *model);
  }

  void four_substeps(const std::string& name, Model& model, double dt = 0.02) {
    model.start(exec_);
    for (int i = 0; i < 4; ++i) model.substep(exec_, dt * i, dt);
    const Totals totals = model.totals(exec_, 4 * dt);
    if (!(totals.max_speed > 0)) throw Error(name + ": nothing moves");
    keep(name, {totals.mass, totals.kinetic_energy, totals.max_speed}, 1e-3);
  }

  const Exec& exec_;
  Domain domain_;
  Layout layout_;
  std::vector<Answer> answers_;
};

double difference(const Answer& a, const Answer& b) {
  if (a.values.size() != b.values.size()) return INFINITY;
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const double d = a.values[i] - b.values[i];
    if (!std::isfinite(a.values[i]) || !std::isfinite(b.values[i])) return INFINITY;
    error += d * d, norm += b.values[i] * b.values[i];
  }
  return error == 0 ? 0 : std::sqrt(error / (norm > 0 ? norm : 1));
}

}  // namespace

int main(int argc, char** argv) try {
  const int size = argc == 3 && std::strcmp(argv[1], "--size") == 0 ? std::atoi(argv[2]) : 44;
  if (size < 16) throw InputError("--size takes 16 or more");
  const bool gpu = device_memory::available();
  const Exec reference(Device::cpu, gpu ? 0 : 1, 0);
  const Exec tested(gpu ? Device::cuda : Device::cpu, gpu ? 0 : 3, 0);
  const std::vector<Answer> expected = Families(reference, size).run(), got = Families(tested, size).run();
  int failed = 0;
  std::printf("%s\n", gpu ? "CUDA against CPU" : "no GPU: three threads against one, bit for bit");
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double d = difference(got[i], expected[i]), allowed = gpu ? expected[i].allowed : 0;
    const bool ok = d <= allowed;
    failed += !ok;
    std::printf("  %-32s %10zu values  difference %.2e  allowed %.0e  %s\n", expected[i].name.c_str(),
                expected[i].values.size(), d, allowed, ok ? "ok" : "FAILED");
  }
  std::printf("%zu passed, %d failed\n", expected.size() - std::size_t(failed), failed);
  return failed ? 1 : 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "parity: %s\n", e.what());
  return 1;
}
