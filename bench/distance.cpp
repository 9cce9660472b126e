#include <cmath>
#include <memory>

#include "bench/bench_run.h"
#include "silt/geometry/mesh_repair.h"
#include "silt/geometry/sample_meshes.h"
#include "silt/geometry/shape_grid.h"

namespace silt::bench {
namespace {

/// A ring of triangles in the unit box, and its distance on the points of a grid over that.
class Ring {
 public:
  Ring(const Exec& exec, int cells, int round, int across)
      : exec_(exec), cells_(cells), mesh_(torus_mesh(radius, tube, round, across)), thin_(sagitta(round, across)) {
    for (Vec3d& v : mesh_.vertices) v += middle;
  }

  double points() const { return std::pow(cells_ + 1.0, 3); }
  /// The mesh, read once [bytes].
  double mesh_bytes() const {
    return double(mesh_.vertices.size() * sizeof(Vec3d) + mesh_.triangles.size() * sizeof(Int3));
  }

  /// From vertices and triangles to distances on the whole grid.
  void all(bool closed, bool simple) {
    shape_ = std::make_unique<Shape>(Shape::mesh(
        std::make_shared<const MeshData>(mesh_, MeshSides{.closed = closed, .simple = simple, .thickness = 0})));
    shape_distances(exec_, *shape_, {}, 1.0 / cells_, {{0, 0, 0}, {cells_ + 1, cells_ + 1, cells_ + 1}}, out_);
  }
  /// The nearest of all triangles, at every `stride`-th point along each axis.
  void brute_force(int stride) {
    for (int k = 0; k <= cells_; k += stride)
      for (int j = 0; j <= cells_; j += stride)
        for (int i = 0; i <= cells_; i += stride) {
          double nearest = 1e300;
          for (const Int3& t : mesh_.triangles) {
            const Vec3d a = mesh_.vertices[t.x];
            const MeshTriangle triangle{a, mesh_.vertices[t.y] - a, mesh_.vertices[t.z] - a};
            nearest = std::min(nearest, nearest_on_triangle(triangle, at(i, j, k)).distance2);
          }
          worst_ = std::max(worst_, std::abs(std::sqrt(nearest) - std::abs(exact(at(i, j, k)))));
        }
  }

  /// Largest difference from the ring that the mesh was made of, beyond what its triangles cut off [m].
  double error() const {
    double worst = 0;
    const float* d = std::as_const(out_).host();
    for (int k = 0; k <= cells_; ++k)
      for (int j = 0; j <= cells_; ++j)
        for (int i = 0; i <= cells_; ++i) worst = std::max(worst, std::abs(*d++ - exact(at(i, j, k))));
    return worst;
  }
  double brute_force_error() const { return worst_; }
  double allowed() const { return thin_; }

 private:
  static constexpr double radius = 0.3, tube = 0.12;
  static constexpr Vec3d middle{0.5, 0.5, 0.5};

  static double sagitta(int round, int across) {
    constexpr double pi = 3.14159265358979323846;
    return 1.5 * ((radius + tube) * (1 - std::cos(pi / round)) + tube * (1 - std::cos(pi / across)));
  }
  Vec3d at(int i, int j, int k) const { return Vec3d{double(i), double(j), double(k)} / double(cells_); }
  static double exact(const Vec3d& x) { return torus_distance(x - middle, radius, tube); }

  const Exec& exec_;
  int cells_;
  TriangleMesh mesh_;
  double thin_;
  std::unique_ptr<Shape> shape_;
  Buffer<float> out_;
  double worst_ = 0;
};

}  // namespace

/// Signed distance of 102400 triangles on 128^3 cells.
void distance(BenchRun& bench) {
  const int cells = bench.size(128, 24);
  Ring ring(bench.exec, cells, bench.quick ? 80 : 320, bench.quick ? 40 : 160);
  const auto error = [&] { return ring.error(); };
  const int stride = cells / 4;
  const double bytes = ring.mesh_bytes() + sizeof(float) * ring.points();  // in, and out
  bench.time({.name = "every triangle",
              .run = [&] { ring.brute_force(stride); },
              .error = [&] { return ring.brute_force_error(); },
              .allowed = ring.allowed(),
              .items = 125,
              .bytes = ring.mesh_bytes() + sizeof(float) * 125});
  bench.time({.name = "by winding number",
              .run = [&] { ring.all(false, false); },
              .error = error,
              .allowed = ring.allowed(),
              .items = ring.points(),
              .bytes = bytes,
              .reference = "every triangle",
              .most_wall = 3});
  bench.time({.name = "closed mesh",
              .run = [&] { ring.all(true, true); },
              .error = error,
              .allowed = ring.allowed(),
              .items = ring.points(),
              .bytes = bytes,
              .reference = "by winding number",
              .most_wall = 3});
}

}  // namespace silt::bench
