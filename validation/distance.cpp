#include <algorithm>
#include <cmath>

#include "silt/core/text.h"
#include "silt/geometry/damaged_meshes.h"
#include "silt/geometry/mesh_repair.h"
#include "silt/geometry/sample_meshes.h"
#include "silt/geometry/shape_grid.h"
#include "validation/lab.h"

namespace silt::validation {
namespace {

Shape shape_of(const RepairedMesh& r) {
  return Shape::mesh(
      std::make_shared<const MeshData>(r.mesh, MeshSides{.closed = r.report.closed, .simple = r.report.simple}));
}

struct Ball {
  double edge = 0;          ///< longest [m]
  double half_sagitta = 0;  ///< of the largest triangle [m]
  double error = 0;         ///< largest on the grid [m]
};

/// A ball whose vertices stand half a sagitta outside of the sphere, so that its triangles pass half a sagitta inside.
Ball measure_ball(const Exec& exec, double radius, int splits, int points) {
  const auto sagitta = [](const TriangleMesh& mesh, double r) {
    double depth = 0;
    for (const Int3& t : mesh.triangles)
      depth = std::max(depth, r - length((mesh.vertices[t.x] + mesh.vertices[t.y] + mesh.vertices[t.z]) / 3.0));
    return depth;
  };
  const double relative = sagitta(ball_mesh({}, 1, splits), 1);
  const double outside = radius / (1 - 0.5 * relative);  // radius - outside (1 - relative) = outside - radius
  const TriangleMesh mesh = ball_mesh({}, outside, splits);
  Ball out;
  out.half_sagitta = outside - radius;
  for (const Int3& t : mesh.triangles)
    out.edge =
        std::max({out.edge, length(mesh.vertices[t.x] - mesh.vertices[t.y]),
                  length(mesh.vertices[t.y] - mesh.vertices[t.z]), length(mesh.vertices[t.z] - mesh.vertices[t.x])});
  const double h = 2.0 / points;
  const Box box{{0, 0, 0}, {points + 1, points + 1, points + 1}};
  Buffer<float> distances;
  shape_distances(exec, shape_of(repair_mesh(mesh)), {-1, -1, -1}, h, box, distances);
  const float* d = std::as_const(distances).host();
  for (int k = 0; k <= points; ++k)
    for (int j = 0; j <= points; ++j)
      for (int i = 0; i <= points; ++i, ++d) {
        const Vec3d x{-1 + i * h, -1 + j * h, -1 + k * h};
        out.error = std::max(out.error, std::abs(*d - (length(x) - radius)));
      }
  return out;
}

void balls(Lab& lab) {
  Plot& plot =
      lab.plot("ball", "Largest error of the signed distance of a meshed ball.", "longest edge [m]", "error [m]");
  plot.log_x = plot.log_y = true;
  std::vector<double> edges, errors, sagittas;
  double worst = 0;
  for (int splits = 1; splits <= (lab.quick ? 3 : 6); ++splits) {
    const Ball ball = measure_ball(lab.exec, 0.7, splits, lab.quick ? 20 : 64);
    edges.push_back(ball.edge);
    errors.push_back(ball.error);
    sagittas.push_back(ball.half_sagitta);
    worst = std::max(worst, ball.error / ball.half_sagitta);
  }
  plot.points("measured", edges, errors);
  plot.dashed("half a sagitta", edges, sagittas);
  lab.measure.at_most("ball.error_over_half_sagitta", worst, 1.005);  // float keeps the finest to 0.5 %
  lab.measure.near("ball.order", log_slope(edges, errors), 2, 0.1);
}

void damaged(Lab& lab) {
  const unsigned meshes = lab.quick ? 50 : 500;
  const int looks = lab.quick ? 100 : 1000;
  int wrong = 0, wrong_meshes = 0;
  long long holes = 0, flipped = 0, duplicates = 0, crossings = 0;
  for (unsigned number = 0; number < meshes; ++number) {
    const DamagedMesh mesh = damaged_mesh(number);
    const RepairedMesh repaired = repair_mesh(mesh.mesh);
    const int here = wrong_sides(mesh, shape_of(repaired), 0.06, looks);
    wrong += here;
    wrong_meshes += here > 0;
    holes += repaired.report.holes;
    flipped += repaired.report.flipped_triangles;
    duplicates += repaired.report.duplicate_vertices;
    crossings += repaired.report.self_intersections;
  }
  lab.measure.at_most("damaged.meshes_told_wrong", wrong_meshes, 0);
  lab.measure.at_most("damaged.points_told_wrong", wrong, 0);
  lab.measure.tell("damaged.meshes", meshes);
  lab.measure.tell("damaged.points", double(meshes) * looks);
  lab.measure.tell("damaged.holes", double(holes));
  lab.measure.tell("damaged.flipped_faces", double(flipped));
  lab.measure.tell("damaged.duplicate_vertices", double(duplicates));
  lab.measure.tell("damaged.self_intersections", double(crossings));
}

}  // namespace

/// Signed distances of meshes: exact ones of a ball, sides of damaged ones.
void distance(Lab& lab) {
  lab.about(
      "A ball as a mesh: an icosahedron split again and again, its vertices half a sagitta outside of the sphere. Its\n"
      "surface then lies within half a sagitta of the sphere, and so must its signed distance, on a grid over the box "
      "[-1, 1]^3.\n\n"
      "Damaged meshes: balls, rings, boxes and hollow balls with holes, flipped faces (up to nine in ten), duplicated\n"
      "vertices and another ball through their surface, in every combination. Random points farther than 0.06 from "
      "the\nsurface and outside the balls that were cut out of it must be told in from out, by the generalised winding "
      "number (Jacobson, Kavan & Sorkine-Hornung "
      "2013, "
      "ACM\nTrans. Graph. 32) after neighbours were made to agree and patches to face outwards.");
  balls(lab);
  damaged(lab);
  lab.note(
      "Of a hollow at most four in ten faces are flipped: with more, nothing but the way that most of them face could "
      "tell it\nfrom a solid within a solid. How long it takes is `./silt bench distance`.");
}

}  // namespace silt::validation
