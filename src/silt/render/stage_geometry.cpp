#include "silt/render/stage_geometry.h"

#include <embree3/rtcore.h>

#include <atomic>
#include <deque>

#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/fields/frame.h"
#include "silt/render/fresnel.h"
#include "silt/render/grains.h"
#include "silt/render/level_set.h"
#include "silt/render/lights.h"
#include "silt/render/look_scales.h"
#include "silt/render/palette.h"

namespace silt {
namespace {

/// Corners of triangles, or centres of balls with their radius, when the shutter opens and when it closes.
struct Places {
  std::vector<float> open, closed;  // closed is empty when nothing moves
  int stride = 3;

  void add(const Vec3f& x, const Vec3f& motion, bool moves, float radius = -1) {
    for (auto* list : {&open, moves ? &closed : nullptr}) {
      if (!list) continue;
      const Vec3f y = moves ? x + motion * (list == &open ? -0.5f : 0.5f) : x;
      list->insert(list->end(), {y.x, y.y, y.z});
      if (radius >= 0) list->push_back(radius);
    }
  }
  std::size_t bytes() const { return 4 * (open.capacity() + closed.capacity()); }
};

/// One geometry and what is needed to colour it.
struct Part {
  Hit::What what = Hit::What::coated;
  Coated surface;  // of all of it
  Places places;
  std::vector<Int3> triangles;
  std::vector<Vec3f> normals;          // of corners; may be empty
  std::vector<Colour> colours;         // of corners; may be empty
  std::unique_ptr<GrainBalls> grains;  // of balls; may be none
  std::unique_ptr<LevelSet> level_set;

  std::size_t bytes() const {
    return places.bytes() + triangles.capacity() * sizeof(Int3) +
           (normals.capacity() + colours.capacity()) * sizeof(Vec3f) + (grains ? grains->bytes() : 0) +
           (level_set ? level_set->bytes() : 0);
  }
};

RTCRay embree_ray(const Ray& ray, float t_max) {
  return {ray.origin.x,
          ray.origin.y,
          ray.origin.z,
          0,
          ray.direction.x,
          ray.direction.y,
          ray.direction.z,
          ray.time,
          t_max,
          ~0u,
          0,
          0};
}

/// Where a ray meets a part.
struct Meeting {
  const Part* part = nullptr;  ///< null: it meets nothing
  float t = 0;
  Vec3f normal;        ///< of the surface itself, out of what it bounds, of any length
  unsigned piece = 0;  ///< triangle or ball
  float u = 0, v = 0;  ///< where on the triangle
  bool flat = true;    ///< what it seems to be is what it is

  explicit operator bool() const { return part != nullptr; }
};

/// An Embree scene of triangles and balls, and level sets beside it.
class RayScene {
 public:
  RayScene(RTCDevice device, bool careful) : scene_(rtcNewScene(device)), device_(device), careful_(careful) {
    rtcSetSceneBuildQuality(scene_, careful ? RTC_BUILD_QUALITY_MEDIUM : RTC_BUILD_QUALITY_LOW);
  }
  ~RayScene() { rtcReleaseScene(scene_); }
  RayScene(const RayScene&) = delete;
  RayScene& operator=(const RayScene&) = delete;

  Part& add() { return parts_.emplace_back(); }
  bool empty() const { return parts_.empty(); }

  Meeting nearest(const Ray& ray, float t_max, bool coherent) const {
    Meeting met;
    if (near_meshes(ray, t_max)) {
      RTCRayHit rh;
      rh.ray = embree_ray(ray, t_max);
      rh.hit.geomID = rh.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
      RTCIntersectContext context;
      rtcInitIntersectContext(&context);
      if (coherent) context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
      rtcIntersect1(scene_, &context, &rh);
      if (rh.hit.geomID != RTC_INVALID_GEOMETRY_ID)
        met = {&parts_[rh.hit.geomID],
               t_max = rh.ray.tfar,
               {rh.hit.Ng_x, rh.hit.Ng_y, rh.hit.Ng_z},
               rh.hit.primID,
               rh.hit.u,
               rh.hit.v};
    }
    for (const Part* part : level_sets_)
      if (const auto c = part->level_set->first_crossing(ray.origin, ray.direction, t_max))
        met = {part, t_max = c->t, c->gradient, 0, 0, 0, c->flat};
    return met;
  }
  bool anything_before(const Ray& ray, float t_max) const {
    if (near_meshes(ray, t_max)) {
      RTCRay r = embree_ray(ray, t_max);
      RTCIntersectContext context;
      rtcInitIntersectContext(&context);
      rtcOccluded1(scene_, &context, &r);
      if (r.tfar < 0) return true;
    }
    for (const Part* part : level_sets_)
      if (part->level_set->first_crossing(ray.origin, ray.direction, t_max)) return true;
    return false;
  }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const Part& part : parts_) sum += part.bytes();
    return sum;
  }

  void build() {
    for (unsigned id = 0; id < parts_.size(); ++id) {
      if (parts_[id].level_set) {
        level_sets_.push_back(&parts_[id]);
        continue;
      }
      any_meshes_ = true;
      RTCGeometry geometry = describe(parts_[id]);
      rtcSetGeometryBuildQuality(geometry, careful_ ? RTC_BUILD_QUALITY_MEDIUM : RTC_BUILD_QUALITY_LOW);
      rtcCommitGeometry(geometry);
      rtcAttachGeometryByID(scene_, geometry, id);
      rtcReleaseGeometry(geometry);
    }
    rtcCommitScene(scene_);
    if (any_meshes_) rtcGetSceneBounds(scene_, &bounds_);
    if (const RTCError error = rtcGetDeviceError(device_); error == RTC_ERROR_OUT_OF_MEMORY)
      throw std::bad_alloc();
    else if (error != RTC_ERROR_NONE)
      throw Error(str("Embree failed with error ", int(error)));
  }

 private:
  RTCGeometry describe(Part& part) {
    const bool balls = part.triangles.empty();
    RTCGeometry g = rtcNewGeometry(device_, balls ? RTC_GEOMETRY_TYPE_SPHERE_POINT : RTC_GEOMETRY_TYPE_TRIANGLE);
    const std::size_t n = part.places.open.size() / std::size_t(part.places.stride);
    const RTCFormat format = balls ? RTC_FORMAT_FLOAT4 : RTC_FORMAT_FLOAT3;
    std::vector<float>* steps[] = {&part.places.open, &part.places.closed};
    const bool moves = !part.places.closed.empty();
    rtcSetGeometryTimeStepCount(g, moves ? 2 : 1);
    for (unsigned i = 0; i < (moves ? 2u : 1u); ++i) {
      steps[i]->resize(steps[i]->size() + 4);  // Embree reads 16 bytes at a time
      rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, i, format, steps[i]->data(), 0,
                                 std::size_t(part.places.stride) * sizeof(float), n);
    }
    if (!balls)
      rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, part.triangles.data(), 0, sizeof(Int3),
                                 part.triangles.size());
    return g;
  }

  /// Whether a ray comes through the box round all triangles and balls: often the little that there is of them is far
  /// from it.
  bool near_meshes(const Ray& ray, float t_max) const {
    if (!any_meshes_) return false;
    const float lo[3] = {bounds_.lower_x, bounds_.lower_y, bounds_.lower_z};
    const float hi[3] = {bounds_.upper_x, bounds_.upper_y, bounds_.upper_z};
    float t0 = 0, t1 = t_max;
    for (int a = 0; a < 3; ++a) {
      const float inv = 1 / ray.direction[a], s = (lo[a] - ray.origin[a]) * inv, e = (hi[a] - ray.origin[a]) * inv;
      if (std::isnan(s) || std::isnan(e)) continue;  // along a face
      t0 = std::max(t0, std::min(s, e)), t1 = std::min(t1, std::max(s, e));
    }
    return t0 <= t1 + 1e-3f * t1;
  }

  RTCScene scene_;
  RTCDevice device_;
  RTCBounds bounds_{};
  bool careful_;
  std::deque<Part> parts_;
  std::vector<const Part*> level_sets_;
  bool any_meshes_ = false;
};

const Attribute* find(const std::vector<Attribute>& list, std::string_view name) {
  for (const Attribute& a : list)
    if (a.name == name) return &a;
  return nullptr;
}

/// A mesh's field as colours of its corners, over the range asked for, or that it has.
std::vector<Colour> coloured_by(const Attribute& field, const LookParams& look) {
  double low = 1e300, high = -1e300;
  for (const float v : field.values)
    if (std::isfinite(v)) low = std::min<double>(low, v), high = std::max<double>(high, v);
  low = look.range_min.value_or(low), high = look.range_max.value_or(high);
  const bool has_sign = look.colours == ColourMap::both;
  if (has_sign && !look.range_min && !look.range_max) high = std::max(-low, high), low = -high;  // zero in the middle
  const Palette palette = palette_of(look.colours, has_sign);
  std::vector<Colour> colours;
  colours.reserve(field.values.size());
  for (const float v : field.values) colours.push_back(palette(float((v - low) / std::max(high - low, 1e-30))));
  return colours;
}

}  // namespace

struct StageGeometry::Parts {
  RTCDevice device = nullptr;
  std::unique_ptr<RayScene> dry, water;
  const LevelSet* body_of_water = nullptr;
  bool all_spray = false;  ///< the frame has a surface of water, and nothing within it
  double h = 1, shutter = 0;
  Lattice lattice;
  float floor = 0;
  bool has_floor = true;
  Domain domain;
  Coated ground;
  std::atomic<std::int64_t> embree_bytes{0};

  explicit Parts(const Exec& exec) : device(rtcNewDevice(str("threads=", exec.threads()).c_str())) {
    if (const RTCError error = device ? RTC_ERROR_NONE : rtcGetDeviceError(nullptr); error == RTC_ERROR_OUT_OF_MEMORY)
      throw std::bad_alloc();
    else if (error != RTC_ERROR_NONE || !device)
      throw Error(str("Embree cannot be started: error ", int(error)));
    rtcSetDeviceMemoryMonitorFunction(
        device,
        [](void* user, ssize_t bytes, bool) {
          static_cast<std::atomic<std::int64_t>*>(user)->fetch_add(bytes);
          return true;
        },
        &embree_bytes);
  }
  ~Parts() {
    dry.reset(), water.reset();
    rtcReleaseDevice(device);
  }

  Vec3f cells(const Vec3d& x) const { return lattice.to_cells(x).as<float>(); }
  Vec3f motion(const Vec3f& velocity) const { return velocity * float(shutter / h); }

  void add_mesh(const Mesh& mesh, const Pose* pose, Part& part) const;
  Part* add_level_set(const Frame& frame, std::string_view name, bool wet, const Exec& exec);
  void add_meshes(const Frame& frame, const LookParams& look, const Exec& exec);
  void add_points(const Frame& frame, const LookParams& look);
  Vec3f beside_walls(const Vec3f& x, Vec3f normal) const;
  void shade(const Meeting& met, const Ray& ray, Hit& hit) const;
};

void StageGeometry::Parts::add_mesh(const Mesh& mesh, const Pose* pose, Part& part) const {
  const bool deforms = mesh.velocities.size() == mesh.positions.size();
  const bool moves = shutter > 0 && (deforms || pose);
  part.places.stride = 3;
  part.places.open.reserve(3 * mesh.positions.size() + 4);
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    Vec3d x = mesh.positions[i].as<double>();
    Vec3f v = deforms ? mesh.velocities[i] : Vec3f{};
    if (pose) {
      x = pose->place(x);
      v = (pose->place.rotation * (v.as<double>() * pose->place.scale) + pose->velocity.at(x)).as<float>();
    }
    part.places.add(cells(x), motion(v), moves);
  }
  const int corners = int(mesh.positions.size());
  for (const Int3& t : mesh.triangles)  // those that name corners there are
    if (t.x >= 0 && t.y >= 0 && t.z >= 0 && t.x < corners && t.y < corners && t.z < corners)
      part.triangles.push_back(t);
  if (mesh.normals.size() == mesh.positions.size()) {
    part.normals = mesh.normals;
    if (pose)
      for (Vec3f& n : part.normals) n = (pose->place.rotation * n.as<double>()).as<float>();
  }
}

Part* StageGeometry::Parts::add_level_set(const Frame& frame, std::string_view name, bool wet, const Exec& exec) {
  LevelSet::Cut cut;
  for (int a = 0; a < 3; ++a)
    for (int end = 0; end < 2; ++end) cut.sides[a][end] = !wet || frame.domain.side(a, end) != Side::open;
  cut.floor = !has_floor;
  auto level_set = std::make_unique<LevelSet>(frame, name, cut, exec);
  if (!level_set->any()) return nullptr;
  Part& part = (wet ? water : dry)->add();
  part.level_set = std::move(level_set);
  return &part;
}

void StageGeometry::Parts::add_meshes(const Frame& frame, const LookParams& look, const Exec& exec) {
  const Coated solid{look.solid_colour.as<float>(), 1, 0.45f};
  for (const Body& body : frame.bodies) {
    if (!body.shape || body.shape->triangles.empty()) continue;
    Part& part = dry->add();
    part.surface = solid;
    add_mesh(*body.shape, &body.pose, part);
  }
  if (dry->empty())
    if (Part* part = add_level_set(frame, "solid", false, exec)) part->surface = solid;
  bool surface = false;
  for (const Mesh& mesh : frame.meshes) {
    if (mesh.triangles.empty()) continue;
    const bool wet = mesh.material == "water";
    Part& part = (wet ? water : dry)->add();
    add_mesh(mesh, nullptr, part);
    surface = surface || wet;
    if (wet) {
      part.what = Hit::What::water;
      continue;
    }
    part.surface = mesh.material == "sand" ? Coated{look.grain_colour.as<float>(), 0, 0.3f} : solid;
    const Attribute* field = find(mesh.attributes, look.quantity);
    if (field && field->values.size() == mesh.positions.size()) part.colours = coloured_by(*field, look);
  }
  if (surface) return;
  if (Part* part = add_level_set(frame, "surface", true, exec))
    part->what = Hit::What::water, body_of_water = part->level_set.get();
  all_spray = !body_of_water && frame.find("surface");
}

void StageGeometry::Parts::add_points(const Frame& frame, const LookParams& look) {
  const LevelSet* body = body_of_water;
  for (const Points& points : frame.points) {
    if (points.count() == 0 || !(points.radius > 0)) continue;
    const bool wet = points.material == "water";
    if (wet && !body && !all_spray) continue;  // without its surface nobody knows which of its particles are spray
    const bool moves = shutter > 0 && points.velocities.size() == points.count();
    auto grains =
        std::make_unique<GrainBalls>(points, look, wet ? 1 : balls_per_grain(std::int64_t(points.count()), look));
    Places places{{}, {}, 4};
    for (std::size_t i = 0; i < points.count(); ++i) {
      const Vec3f centre = cells(points.positions[i]);
      if (wet && body && body->at(centre) < float(points.radius / h)) continue;
      const Vec3f way = moves ? motion(points.velocities[i]) : Vec3f{};
      for (int k = 0; k < grains->each(); ++k)
        places.add(centre + grains->offset(i, k) * float(points.radius / h), way, moves,
                   grains->radius(i, k) * float(points.radius / h));
    }
    if (places.open.empty()) continue;
    Part& part = (wet ? water : dry)->add();
    part.what = wet ? Hit::What::water : Hit::What::coated;
    part.places = std::move(places);
    if (!wet) part.grains = std::move(grains);
  }
}

StageGeometry::StageGeometry(const Frame& frame, const LookParams& look, double shutter, bool careful, const Exec& exec)
    : parts_(std::make_unique<Parts>(exec)) {
  Parts& p = *parts_;
  p.dry = std::make_unique<RayScene>(p.device, careful), p.water = std::make_unique<RayScene>(p.device, careful);
  p.lattice = frame.domain.lattice, p.h = p.lattice.h, p.shutter = shutter;
  p.floor = float(frame.domain.cells.lo.z), p.domain = frame.domain;
  bool wet = frame.find("surface") != nullptr;
  for (const Mesh& mesh : frame.meshes) wet = wet || mesh.material == "water";
  p.has_floor = !(wet && frame.domain.side(2, 0) == Side::open);  // water falls on, out of the domain
  p.ground = {look.ground_colour.as<float>(), 0, 0.3f};
  p.add_meshes(frame, look, exec);
  p.add_points(frame, look);
  p.dry->build(), p.water->build();
}

StageGeometry::~StageGeometry() = default;

/// Where the mesh of water meets a wall its edge is cut off, a voxel wide, and corners' normals turn from the surface
/// to the wall's over another: a gutter that would mirror the sun all along. Its normal there is either the wall's, or
/// that of a surface that stands upright on it.
Vec3f StageGeometry::Parts::beside_walls(const Vec3f& x, Vec3f normal) const {
  for (int a = 0; a < 3; ++a)
    for (int end = 0; end < 2; ++end) {
      if (domain.side(a, end) != Side::wall) continue;
      const float off = std::abs(x[a] - float(end ? domain.cells.hi[a] : domain.cells.lo[a]));  // [cells]
      const float towards = end ? normal[a] : -normal[a];
      if (off > 1 || towards <= 0) continue;  // the top of a puddle looks away from the floor
      if (off < 0.5f && towards > 0.7f) {
        normal = {}, normal[a] = end ? 1.0f : -1.0f;
        return normal;
      }
      normal[a] *= smooth_step(0.5f, 1, off);
    }
  return normalized(normal);
}

/// Normal and colour where a ray met a part.
void StageGeometry::Parts::shade(const Meeting& met, const Ray& ray, Hit& hit) const {
  const Part& part = *met.part;
  hit.what = part.what, hit.t = met.t, hit.surface = part.surface;
  Vec3f flat = normalized(met.normal);
  hit.normal = flat;
  if (!met.flat) hit.normal = part.level_set->smooth_normal(ray.origin + ray.direction * hit.t);
  if (!part.triangles.empty()) {
    const Int3& t = part.triangles[met.piece];
    const float u = met.u, v = met.v, w = 1 - u - v;
    const auto blend = [&](const std::vector<Vec3f>& list) { return list[t.x] * w + list[t.y] * u + list[t.z] * v; };
    if (!part.normals.empty()) hit.normal = normalized(blend(part.normals));
    if (!part.colours.empty()) hit.surface.albedo = blend(part.colours);
    if (part.what == Hit::What::water) hit.normal = beside_walls(ray.origin + ray.direction * hit.t, hit.normal);
  }
  hit.grain = part.grains != nullptr;
  if (hit.grain) hit.surface = part.grains->surface(met.piece);
  hit.from_inside = dot(flat, ray.direction) > 0;
  hit.flat_normal = hit.from_inside ? -flat : flat;
  // A normal that seems to look the other way than the surface would bend light to the wrong side.
  if (!(dot(hit.normal, flat) > 0) || (dot(hit.normal, ray.direction) > 0) != hit.from_inside) hit.normal = flat;
}

namespace {

constexpr float contact = 0.3f;  ///< no air is between water and what is so close to it [cells]

}  // namespace

Hit StageGeometry::nearest(const Ray& ray, bool coherent) const {
  const Parts& p = *parts_;
  Hit hit;
  if (p.has_floor && ray.direction.z < 0 && ray.origin.z >= p.floor) {
    const Vec3f up{0, 0, 1};
    hit = {Hit::What::ground, (p.floor - ray.origin.z) / ray.direction.z, false, false, up, up, p.ground};
  }
  if (const Meeting met = p.dry->nearest(ray, hit.t, coherent)) p.shade(met, ray, hit);
  if (const Meeting met = p.water->nearest(ray, hit.t, coherent)) {
    const bool leaves = dot(met.normal, ray.direction) > 0;
    const bool touches =
        hit.what != Hit::What::nothing && (met.t - hit.t) * dot(hit.flat_normal, ray.direction) < contact;
    if (!(leaves && touches)) p.shade(met, ray, hit);
  }
  return hit;
}

Colour StageGeometry::light_along(const Ray& ray, float t_max, bool in_water, const Colour& absorption) const {
  const Parts& p = *parts_;
  const float down = -ray.direction.z, height = ray.origin.z - p.floor;
  if (p.has_floor && down > 0 && height >= 0 && height < t_max * down) return {};
  if (p.dry->anything_before(ray, t_max)) return {};
  if (p.water->empty()) return {1, 1, 1};
  float share = 1, way = 0, t = 0;
  Ray rest = ray;
  for (int crossing = 0; crossing < 16; ++crossing) {
    const Meeting met = p.water->nearest(rest, t_max - t, false);
    if (!met) break;
    const float cosine = dot(normalized(met.normal), ray.direction);
    t += met.t;
    if (!(crossing == 0 && in_water && cosine < 0 && -cosine * t < contact)) {
      way += cosine > 0 ? t : -t;
      share *= 1 - water_reflectance(std::abs(cosine), false);
    }
    t += 2e-3f;
    rest.origin = ray.origin + ray.direction * t;
  }
  way = std::max(way, 0.0f);
  return Colour{std::exp(-absorption.x * way), std::exp(-absorption.y * way), std::exp(-absorption.z * way)} * share;
}

bool StageGeometry::under_water(const Vec3f& x) const {
  const Meeting met = parts_->water->nearest({x, {0, 0, 1}, 0.5f}, 1e30f, false);
  return met && met.normal.z > 0;
}

std::size_t StageGeometry::bytes() const {
  return parts_->dry->bytes() + parts_->water->bytes() + std::size_t(std::max<std::int64_t>(0, parts_->embree_bytes));
}

}  // namespace silt
