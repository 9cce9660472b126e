#include "silt/physics/sand/grain_contacts.h"

#include <cmath>

#include "silt/core/loops.h"
#include "silt/fields/face_corners.h"
#include "silt/fields/open_square.h"
#include "silt/physics/sand/wall_sides.h"

namespace silt {
namespace {

struct Rubbing {
  float rub[3][2], velocity[3][2][3];
};

struct FindContact {
  int dims;
  Int3 active;
  float per_cell;  ///< 1 / h
  WallSides walls;
  Rubbing sides;
  View<const float> distance, grip;
  MacView<const float> open, solid;
  View<float> rub, volume, aslant;
  MacView<float> across, mixed, velocity;

  /// The part of a face that no solid covers, be it a wall or not.
  SILT_HD float uncovered(int a, Cell face) const {
    if (!walls.on(a, face)) return open[a](face);
    const FaceCorners at(a, active);
    return float(
        open_square(distance(face), distance(face + at.s), distance(face + at.t), distance(face + at.s + at.t)));
  }
  /// Of solids from the middle of a cell [cells].
  SILT_HD float middle_distance(Cell c) const {
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += distance(c + Int3{k & 1, k >> 1 & 1, k >> 2 & 1} * active);
    return sum * per_cell / 8;
  }
  /// The mean over the corners of a cell.
  SILT_HD float grip_of(Cell c) const {
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += grip(c + Int3{k & 1, k >> 1 & 1, k >> 2 & 1} * active);
    return sum / 8;
  }
  /// Of a solid, along an axis: what moves through the closed faces of a cell and of those beside it.
  SILT_HD float velocity_of(int a, Cell c) const {
    float sum = 0, weights = 0;
    const auto add = [&](Cell face) {
      if (walls.on(a, face)) return;
      const float weight = 1 - open[a](face);
      sum += weight * solid[a](face), weights += weight;
    };
    add(c), add(c + unit(a));
    for (int b = 0; b < dims; ++b) {
      if (b == a) continue;
      for (const Cell beside : {c - unit(b), c + unit(b)}) add(beside), add(beside + unit(a));
    }
    return weights > 0 ? sum / weights : 0.0f;
  }

  SILT_HD void operator()(Cell c) const {
    constexpr float least = 1e-3f;     // less is no surface
    constexpr float thinnest = 0.05f;  // volume that counts
    constexpr float turned = 1e-3f;    // less of N_ab is along an axis
    float solid_faces[3] = {}, N[3][3] = {}, squares = 0, area = 0, rubs = 0, moves[3] = {}, opened = 0;
    for (int a = 0; a < dims; ++a) {
      const float ends[2] = {uncovered(a, c), uncovered(a, c + unit(a))};
      solid_faces[a] = ends[1] - ends[0], opened += ends[0] + ends[1];
      squares += solid_faces[a] * solid_faces[a];
      for (int end = 0; end < 2; ++end) {
        if (!walls.on(a, end == 0 ? c : c + unit(a))) continue;
        N[a][a] += ends[end], area += ends[end], rubs += ends[end] * sides.rub[a][end];
        for (int b = 0; b < dims; ++b) moves[b] += ends[end] * sides.velocity[a][end][b];
      }
    }
    const float size = std::sqrt(squares);
    if (size > least) {
      for (int a = 0; a < dims; ++a)
        for (int b = 0; b < dims; ++b) N[a][b] += solid_faces[a] * solid_faces[b] / size;
      area += size, rubs += size * grip_of(c);
      for (int b = 0; b < dims; ++b) moves[b] += size * velocity_of(b, c);
    }
    // D V is what flows out of a cell whose velocity is x: half of each face, and through the surface its distance from
    // the middle times its area. Exact where the surface is flat.
    const float left = (0.5f * opened + middle_distance(c) * size) / float(dims);
    volume(c) = left > thinnest ? (left < 1 ? left : 1.0f) : thinnest;
    rub(c) = area > least ? rubs / area : -1.0f;
    bool turns = false;
    for (int a = 0; a < 3; ++a) {
      across[a](c) = N[a][a];
      mixed[a](c) = N[(a + 1) % 3][(a + 2) % 3];
      turns = turns | (std::abs(mixed[a](c)) > turned);
      velocity[a](c) = area > least ? moves[a] / area : 0.0f;
    }
    aslant(c) = turns ? 1.0f : 0.0f;
  }
};

struct AddResting {
  int dims;
  MacView<const float> faces;
  View<float> cells;
  SILT_HD void operator()(Cell c) const {
    float sum = 0;
    for (int a = 0; a < dims; ++a) sum += faces[a](c) + faces[a](c + unit(a));
    cells(c) = sum;
  }
};

}  // namespace

void find_contacts(const Exec& exec, const Domain& domain, const CutCells& cut, const WallFriction& walls,
                   GrainContacts& out) {
  FindContact kernel{domain.lattice.dims(),
                     domain.lattice.active,
                     float(1 / domain.lattice.h),
                     WallSides(domain),
                     {},
                     cut.distance.read(exec),
                     cut.grip.read(exec),
                     cut.open.read(exec),
                     cut.solid_velocity.read(exec),
                     out.rub.update(exec),
                     out.volume.update(exec),
                     out.aslant.update(exec),
                     out.across.update(exec),
                     out.mixed.update(exec),
                     out.velocity.update(exec)};
  for (int a = 0; a < 3; ++a)
    for (int end = 0; end < 2; ++end) {
      kernel.sides.rub[a][end] = float(walls.sides[a][end]);
      for (int b = 0; b < 3; ++b) kernel.sides.velocity[a][end][b] = float(walls.velocity[a][end][b]);
    }
  for_each_cell(exec, "sand.contacts", domain.cells, kernel);
}

void add_resting(const Exec& exec, const Domain& domain, const MacField<float>& resting, GrainContacts& out) {
  for_each_cell(exec, "sand.resting", domain.cells,
                AddResting{domain.lattice.dims(), resting.read(exec), out.resting.update(exec)});
}

}  // namespace silt
