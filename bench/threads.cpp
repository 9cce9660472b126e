#include "bench/bench_run.h"
#include "silt/physics/smoke/smoke_model.h"

namespace silt::bench {

namespace {

/// A hot vent under a ball, in a unit cube that is open at the top.
Setting plume(int n) {
  Setting s;
  s.domain.lattice.h = 1.0 / n;
  s.domain.cells = {{0, 0, 0}, {n, n, n}};
  s.domain.sides[2] = {Side::wall, Side::open};
  s.gravity = {0, 0, -9.81};
  s.obstacles = {{"ball", Shape::sphere({0.5, 0.5, 0.6}, 0.15), {}, false}};
  Source source;
  source.shape = Shape::sphere({0.5, 0.5, 0.2}, 0.15);
  source.density = 1.0;
  source.temperature = 400.0;
  s.sources = {source};
  return s;
}

/// Every value of a state, for comparing two.
struct AllValues final : StateVisitor {
  std::vector<double> values;
  template <class T>
  void take(const Field<T>& field, const Box& box) {
    for (int z = box.lo.z; z < box.hi.z; ++z)
      for (int y = box.lo.y; y < box.hi.y; ++y)
        for (int x = box.lo.x; x < box.hi.x; ++x) values.push_back(double(field(Cell{x, y, z})));
  }
  template <class T>
  void take(const Buffer<T>& column, std::size_t count) {
    values.insert(values.end(), column.host(), column.host() + count);
  }
  void operator()(std::string_view, Field<float>& field, const Box& box) override { take(field, box); }
  void operator()(std::string_view, Field<double>& field, const Box& box) override { take(field, box); }
  void operator()(std::string_view, Particles& particles) override {
    visit(particles, [&](const std::string&, const auto& column) { take(column, particles.count); });
  }
  void operator()(std::string_view, Buffer<float>& numbers) override { take(numbers, numbers.size()); }
  void operator()(std::string_view, Buffer<double>& numbers) override { take(numbers, numbers.size()); }
  void operator()(std::string_view, Buffer<std::int64_t>& numbers) override { take(numbers, numbers.size()); }
};

std::vector<double> values_of(Model& model) {
  AllValues all;
  model.visit(all);
  return std::move(all.values);
}

/// A plume that has begun to rise, advanced by equal substeps.
struct Plume {
  Exec exec;
  std::unique_ptr<Model> model;
  double time = 0, dt;
  Plume(const Exec& on, int n) : exec(on), model(make_smoke_model({}, plume(n))), dt(2.0 / n) {
    model->start(exec);
    for (int i = 0; i < 4; ++i) advance();
  }
  void advance() {
    model->substep(exec, time, dt);
    time += dt;
  }
};

}  // namespace

/// One substep of smoke with everything in it, on all threads against one: the answer has to be the same to the bit.
void threads(BenchRun& bench) {
  const int n = bench.size(96, 24);
  const double cells = double(n) * n * n;
  const double bytes = 2 * 28 * cells;  // of the state, read once and written once: five floats and a double a cell
  std::vector<double> alone;
  {
    Plume plume(Exec(bench.exec.device(), 1), n);
    bench.time({.name = "substep, one thread",
                .run = [&] { plume.advance(); },
                .error = [&] { return alone = values_of(*plume.model), 0.0; },
                .items = cells,
                .bytes = bytes});
  }
  Plume plume(bench.exec, n);
  bench.time({.name = "substep",
              .run = [&] { plume.advance(); },
              .error = [&] { return values_of(*plume.model) == alone ? 0.0 : 1.0; },
              .items = cells,
              .bytes = bytes,
              .reference = "substep, one thread",
              .least_ratio = bench.exec.threads() > 1 ? 1.25 : 0});
}

}  // namespace silt::bench
