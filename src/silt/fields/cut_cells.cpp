#include "silt/fields/cut_cells.h"

#include <algorithm>
#include <cmath>

#include "silt/core/loops.h"
#include "silt/core/packed.h"
#include "silt/fields/face_corners.h"
#include "silt/fields/halo.h"
#include "silt/fields/images.h"
#include "silt/fields/one_side.h"
#include "silt/fields/open_square.h"
#include "silt/geometry/shape_loop.h"
#include "silt/geometry/shape_on.h"

namespace silt {

namespace {

constexpr float smallest_opening = 1e-3f;

/// Open fraction of face c.
SILT_HD double open_face(const View<const float>& distance, const FaceCorners& at, Cell c) {
  return open_square(distance(c), distance(c + at.s), distance(c + at.t), distance(c + at.s + at.t));
}

/// The same, without what belongs to the smaller part of a cell beside the face.
SILT_HD double open_face_on_one_side(const View<const float>& distance, const FaceCorners& at, int axis, Int3 active,
                                     Cell c) {
  const Int3 steps[4] = {{}, at.s, at.t, at.s + at.t};
  double d[4];
  bool any = false;
  for (int k = 0; k < 4; ++k) d[k] = distance(c + steps[k]), any = any || d[k] < 0;
  if (!any) return 1;
  const OneSide side{distance, active};
  const unsigned below = side.corners(c - unit(axis)), above = side.corners(c);
  for (int k = 0; k < 4; ++k)
    if (d[k] >= 0 && !(above & OneSide::bit(steps[k]) && below & OneSide::bit(steps[k] + unit(axis))))
      d[k] = -d[k] - 1e-12;
  return open_square(d[0], d[1], d[2], d[3]);
}

struct MarkFar {
  float far_away;  ///< [m]
  View<float> distance, grip;
  SILT_HD void operator()(Cell c) const {
    distance(c) = far_away;
    if (grip(c) != 0) grip(c) = 0;  // zeros that nobody has written take no memory
  }
};

/// distance = min(distance, distance of one more solid).
struct AddSolid {
  ShapeView shape;
  Lattice lattice;
  float own_grip, number;
  View<float> distance, grip, nearest;
  bool numbered;
  SILT_HD void operator()(Cell c, ShapeCursor& cursor) const {
    const float d = float(shape.distance(lattice.corner(c), cursor) - solid_margin * lattice.h);
    if (d >= distance(c)) return;
    distance(c) = d;
    grip(c) = own_grip;
    if (numbered) nearest(c) = number;
  }
};

struct FarCentres {
  Packed at;
  float far_away;  ///< [m]
  float* distance;
  SILT_HD void operator()(Cell c) const { distance[at(c)] = far_away; }
};

/// AddSolid at cell centres, where no margin is called for: they close nothing.
struct AddSolidAtCentres {
  ShapeView shape;
  Lattice lattice;
  Packed at;
  float* distance;
  SILT_HD void operator()(Cell c, ShapeCursor& cursor) const {
    const float d = float(shape.distance(lattice.centre(c), cursor));
    float& nearest = distance[at(c)];
    if (d < nearest) nearest = d;
  }
};

/// Faces nearer to this solid than to any before it move with it: nearer by the mean over the face's corners, where
/// `distance` still holds the solids before.
struct AddSolidVelocity {
  ShapeView shape;
  RigidVelocity velocity;
  bool deforms;  ///< and has a velocity of its own besides
  Lattice lattice;
  int axis;
  FaceCorners corners;
  View<const float> distance;
  View<float> out, displacing;  ///< the second: what of it moves the surface; may be none
  SILT_HD void operator()(Cell c, ShapeCursor& cursor) const {
    const Vec3d x = lattice.face_centre(axis, c);
    const double here = shape.distance(x, cursor);
    // Two cells reach every face that this solid can close in part.
    if (here > 2 * lattice.h) return;
    const double before = corners.mean(distance, c);
    if (here >= before) return;
    const double own = deforms ? shape.sample(x).velocity[axis] : 0;
    out(c) = float(velocity.at(x)[axis] + own);
    if (displacing.data) displacing(c) = float(shape.displacing(x, velocity, cursor).at(x)[axis] + own);
  }
};

/// Faces across an axis that walls close; the others are open where no solid is.
struct Walls {
  int axis, lo, hi;  ///< faces at these indices are walls; out of reach when the side is not one
  SILT_HD bool operator()(Cell c) const { return c[axis] == lo || c[axis] == hi; }
};

struct OpenFaces {
  Walls walls;
  View<float> open;
  SILT_HD void operator()(Cell c) const { open(c) = walls(c) ? 0.0f : 1.0f; }
};

struct OpenFraction {
  View<const float> distance;
  FaceCorners corners;
  int axis;
  Int3 active;
  Walls walls;
  View<float> open;
  SILT_HD void operator()(Cell c) const {
    const double fraction = open_face_on_one_side(distance, corners, axis, active, c);
    open(c) = walls(c) || fraction < smallest_opening ? 0.0f : float(fraction);
  }
};

/// The part of a wall's face that a solid covers moves with it.
struct CoverWall {
  View<const float> distance;
  FaceCorners corners;
  View<float> solid_velocity;
  SILT_HD void operator()(Cell c) const {
    const double open = open_face(distance, corners, c);
    solid_velocity(c) *= float(1 - open);
  }
};

/// The flux of the surface inside a cell is  int_G u_s . n = sum_f +-A u_s - int_V div u_s,  by the divergence theorem
/// over its open part V. The fluxes through the closed parts of its faces stand for all but this much of it.
struct Growth {
  MacView<const float> open, u;
  Int3 active;
  double inv_h;
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    double net = 0, room = 0, faces = 0;
    for (int a = 0; a < 3; ++a) {
      if (!active[a]) continue;
      const Cell next = c + unit(a);
      net += double(u[a](next)) - u[a](c);
      room += double(open[a](next)) + open[a](c);
      faces += 2;
    }
    out(c) = room > 0 && room < faces ? float((1 - room / faces) * net * inv_h) : 0.0f;
  }
};

struct SetInlet {
  ShapeView shape;  ///< none: everywhere
  Lattice lattice;
  int axis;
  FaceCorners corners;
  View<const float> distance;
  float velocity;
  View<float> open, solid, displacing, inlet;  ///< the last two may be none
  SILT_HD void operator()(Cell c) const {
    if (shape.count > 0 && shape.distance(lattice.face_centre(axis, c)) > 0) return;
    if (corners.mean(distance, c) < 0) return;  // a solid stands in front
    open(c) = 0;
    solid(c) = velocity;
    if (displacing.data) displacing(c) = velocity;
    if (inlet.data) inlet(c) = velocity;
  }
};

struct Zero {
  View<float> field;
  SILT_HD void operator()(Cell c) const {
    if (field(c) != 0) field(c) = 0;
  }
};

}  // namespace

namespace {

/// Cells, and corners and faces of cells, within `reach` cells of a box in space; everything along flat axes.
Box cells_near(const Lattice& lattice, const Shape::Bounds& bounds, int reach) {
  constexpr double far = 1e9;
  Box out;
  for (int a = 0; a < 3; ++a) {
    const double low = (bounds.lowest[a] - lattice.origin[a]) / lattice.h - reach - 1;
    const double high = (bounds.highest[a] - lattice.origin[a]) / lattice.h + reach + 2;
    out.lo[a] = lattice.active[a] ? int(std::clamp(std::floor(low), -far, far)) : -int(far);
    out.hi[a] = lattice.active[a] ? int(std::clamp(std::ceil(high), -far, far)) : int(far);
  }
  return out;
}

/// The solids, and their copies across periodic sides.
std::vector<PlacedShape> with_images(const Domain& domain, const std::vector<PlacedShape>& solids) {
  std::vector<PlacedShape> all;
  for (const PlacedShape& solid : solids)
    for (const Vec3d& image : periodic_images(domain, solid.shape)) {
      RigidVelocity velocity = solid.velocity;
      velocity.centre += image;
      all.push_back({solid.shape.transformed({{}, image, 1}), velocity, solid.grip, solid.number});
    }
  return all;
}

/// Corners of cells in use, and of a layer round them.
Cells corners_round(const Domain& domain, const CutCells& cut) {
  return {intersect(grow(domain.corners(), domain.lattice.active), cut.distance.layout().storage()), domain.cells.rows};
}

void mark_far(const Exec& exec, const Domain& domain, CutCells& out) {
  for_each_cell(exec, "cut.far", corners_round(domain, out),
                MarkFar{float(solid_reach * domain.lattice.h), out.distance.update(exec), out.grip.update(exec)});
}

/// Of one solid, or copy of it, to those that are there.
void add_distance(const Exec& exec, const Domain& domain, const PlacedShape& solid, const ShapeOn& shape,
                  CutCells& out) {
  const Box near = cells_near(domain.lattice, solid.shape.bounds(), solid_reach);
  const bool numbered = out.nearest.allocated();
  for_each_shape_cell(
      exec, "cut.distance", intersect(corners_round(domain, out), near),
      AddSolid{shape.view(), domain.lattice, float(solid.grip), float(solid.number), out.distance.update(exec),
               out.grip.update(exec), numbered ? out.nearest.update(exec) : View<float>{}, numbered});
}

}  // namespace

void solid_distances(const Exec& exec, const Domain& domain, const std::vector<PlacedShape>& solids, CutCells& out) {
  mark_far(exec, domain, out);
  for (const PlacedShape& solid : with_images(domain, solids))
    add_distance(exec, domain, solid, ShapeOn(exec, solid.shape), out);
}

void cut_cells(const Exec& exec, const Domain& domain, const std::vector<PlacedShape>& solids, CutCells& out) {
  const Lattice& lattice = domain.lattice;
  const Layout& layout = out.distance.layout();
  const RowSpans* rows = domain.cells.rows;
  mark_far(exec, domain, out);
  for (int a = 0; a < 3; ++a)
    if (lattice.active[a])
      for_each_cell(exec, "cut.still", Cells(layout.storage(), rows), Zero{out.solid_velocity[a].update(exec)});
  out.turning = std::any_of(solids.begin(), solids.end(),
                            [](const PlacedShape& solid) { return solid.velocity.spin != Vec3d{}; });
  if (out.turning && !out.displacing[0].allocated()) out.displacing = MacField<float>(layout);
  for (int a = 0; a < 3 && out.turning; ++a)
    if (lattice.active[a])
      for_each_cell(exec, "cut.still", Cells(layout.storage(), rows), Zero{out.displacing[a].update(exec)});
  if (out.inlet[0].allocated())
    for (int a = 0; a < 3; ++a)
      for_each_cell(exec, "cut.no_inlet", Cells(layout.storage(), rows), Zero{out.inlet[a].update(exec)});
  std::vector<Box> near_solids;
  for (const PlacedShape& solid : with_images(domain, solids)) {
    const ShapeOn shape(exec, solid.shape);
    const Box near = cells_near(lattice, solid.shape.bounds(), solid_reach);
    near_solids.push_back(near);
    for (int a = 0; a < 3; ++a) {
      const FaceCorners along(a, lattice.active);
      for_each_shape_cell(exec, "cut.velocity", intersect(domain.faces(a), near),
                          AddSolidVelocity{shape.view(), solid.velocity, solid.shape.deforms(), lattice, a, along,
                                           out.distance.read(exec), out.solid_velocity[a].update(exec),
                                           out.turning ? out.displacing[a].update(exec) : View<float>{}});
    }
    add_distance(exec, domain, solid, shape, out);
  }
  constexpr int nowhere = std::numeric_limits<int>::min();
  for (int a = 0; a < 3; ++a) {
    const FaceCorners along(a, lattice.active);
    const Cells faces = domain.faces(a);
    const Walls walls{a, domain.side(a, 0) == Side::wall ? faces.lo[a] : nowhere,
                      domain.side(a, 1) == Side::wall ? faces.hi[a] - 1 : nowhere};
    for_each_cell(exec, "cut.open", faces, OpenFaces{walls, out.open[a].update(exec)});
    for (const Box& near : near_solids)
      for_each_cell(exec, "cut.fraction", intersect(faces, near),
                    OpenFraction{out.distance.read(exec), along, a, lattice.active, walls, out.open[a].update(exec)});
    // Walls do not move, but a solid that passes through one takes its part of it along: were that part still, the
    // fluid beside it would have to make room for what has left.
    for (int end = 0; end < 2; ++end) {
      if (domain.side(a, end) != Side::wall || faces.empty()) continue;
      Cells wall = faces;
      (end == 0 ? wall.hi[a] : wall.lo[a]) = end == 0 ? wall.lo[a] + 1 : wall.hi[a] - 1;
      for (MacField<float>* moving : {&out.solid_velocity, &out.displacing})
        if (moving == &out.solid_velocity || out.turning)
          for_each_cell(exec, "cut.wall", wall, CoverWall{out.distance.read(exec), along, (*moving)[a].update(exec)});
    }
    fill_halo(exec, domain, faces, HaloRule{}, out.open[a]);
    fill_halo(exec, domain, faces, HaloRule{}, out.solid_velocity[a]);
    if (out.turning) fill_halo(exec, domain, faces, HaloRule{}, out.displacing[a]);
  }
  const bool deforms =
      std::any_of(solids.begin(), solids.end(), [](const PlacedShape& solid) { return solid.shape.deforms(); });
  if (deforms && !out.growth.allocated()) out.growth = Field<float>(layout);
  if (deforms)
    for_each_cell(exec, "cut.growth", domain.cells,
                  Growth{out.open.read(exec), out.solid_velocity.read(exec), lattice.active, 1 / lattice.h,
                         out.growth.write(exec)});
}

void distance_at_centres(const Exec& exec, const Domain& domain, const std::vector<PlacedShape>& solids,
                         Buffer<float>& out) {
  const Lattice& lattice = domain.lattice;
  const Packed at{domain.cells};
  for_each_cell(exec, "centres.far", domain.cells, FarCentres{at, float(solid_reach * lattice.h), out.write(exec)});
  for (const PlacedShape& solid : with_images(domain, solids)) {
    const ShapeOn shape(exec, solid.shape);
    for_each_shape_cell(exec, "centres.distance",
                        intersect(domain.cells, cells_near(lattice, solid.shape.bounds(), solid_reach)),
                        AddSolidAtCentres{shape.view(), lattice, at, out.update(exec)});
  }
}

void open_inlet(const Exec& exec, const Domain& domain, int axis, int end, const Shape* patch, const Vec3d& velocity,
                CutCells& cut) {
  Box faces = domain.faces(axis);
  (end == 0 ? faces.hi[axis] : faces.lo[axis]) = end == 0 ? faces.lo[axis] + 1 : faces.hi[axis] - 1;
  const FaceCorners along(axis, domain.lattice.active);
  const ShapeOn shape(exec, patch);
  for_each_cell(exec, "cut.inlet", faces,
                SetInlet{shape.view(), domain.lattice, axis, along, cut.distance.read(exec), float(velocity[axis]),
                         cut.open[axis].update(exec), cut.solid_velocity[axis].update(exec),
                         cut.turning ? cut.displacing[axis].update(exec) : View<float>{},
                         cut.inlet[axis].allocated() ? cut.inlet[axis].update(exec) : View<float>{}});
}

}  // namespace silt
