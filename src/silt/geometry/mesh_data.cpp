#include "silt/geometry/mesh_data.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_map>

#include "silt/core/mat3.h"
#include "silt/geometry/mesh_topology.h"

namespace silt {
namespace {

constexpr double far_off = 1e300;

float rounded_up(double x) {
  const float f = float(x);
  return f < x ? std::nextafter(f, std::numeric_limits<float>::infinity()) : f;
}

double square(double x) {
  return x * x;
}

/// Halves the triangles at the median along the longest side of their middles, down to a group.
class TreeBuilder {
 public:
  explicit TreeBuilder(const TriangleMesh& mesh) : left_(mesh.triangles.size()) {
    for (const Int3& t : mesh.triangles)
      middles_.push_back((mesh.vertices[t.x] + mesh.vertices[t.y] + mesh.vertices[t.z]) / 3.0);
    std::iota(left_.begin(), left_.end(), 0);
    build(0, int(left_.size()));
  }
  std::vector<MeshCluster> clusters;
  std::vector<int> order;  ///< in groups, filled up with -1

 private:
  void build(int first, int count) {
    const std::size_t here = clusters.size();
    clusters.emplace_back();
    if (count <= mesh_lanes) {
      clusters[here].first = int(order.size());
      clusters[here].count = count;
      for (int i = 0; i < mesh_lanes; ++i) order.push_back(i < count ? left_[first + i] : -1);
      return;
    }
    Vec3d low = middles_[left_[first]], high = low;
    for (int i = first; i < first + count; ++i)
      low = min(low, middles_[left_[i]]), high = max(high, middles_[left_[i]]);
    const Vec3d size = high - low;
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const int half = count / 2;
    std::nth_element(left_.begin() + first, left_.begin() + first + half, left_.begin() + first + count,
                     [&](int a, int b) {
                       const double p = middles_[a][axis], q = middles_[b][axis];
                       return p != q ? p < q : a < b;
                     });
    build(first, half);
    clusters[here].first = int(clusters.size());
    build(first + half, count - half);
  }

  std::vector<Vec3d> middles_;
  std::vector<int> left_;
};

std::array<Vec3d, 3> corners(const MeshTriangle& t) {
  return {t.a, t.a + t.ab, t.a + t.ac};
}
Vec3d middle(const MeshTriangle& t) {
  return t.a + (t.ab + t.ac) / 3.0;
}
Vec3d area(const MeshTriangle& t) {
  return cross(t.ab, t.ac) * 0.5;
}

/// Puts a triangle into a group.
void set_lane(MeshGroup& g, std::size_t l, const MeshTriangle& triangle) {
  // Its corners, so that the longest edge comes first.
  std::array<Vec3d, 3> p = corners(triangle);
  const auto edge2 = [&](int e) { return dot(p[(e + 1) % 3] - p[e], p[(e + 1) % 3] - p[e]); };
  const int longest = edge2(0) >= edge2(1) && edge2(0) >= edge2(2) ? 0 : edge2(1) >= edge2(2) ? 1 : 2;
  std::rotate(p.begin(), p.begin() + longest, p.end());
  const Vec3d ab = p[1] - p[0], ac = p[2] - p[0], bc = p[2] - p[1];
  const Vec3d along = length(ab) > 0 ? normalized(ab) : Vec3d{1, 0, 0};
  // Of a needle this is across its longest edge by rounding only; made to be so exactly, it errs by less than its
  // height.
  Vec3d across = normalized(cross(ab, ac));
  across = normalized(across - along * dot(across, along));
  if (across == Vec3d{}) across = transpose(rotation_from_z(along)).x;
  const Mat3d frame{along, cross(across, along), across};
  const Vec3d c = frame * ac;
  for (int i = 0; i < 3; ++i) {
    g.a[i][l] = float(p[0][i]);
    for (int j = 0; j < 3; ++j) g.axes[i][j][l] = float(frame[i][j]);
  }
  g.b[l] = float(dot(ab, along));
  g.c[l] = float(c.x);
  g.height[l] = float(std::max(c.y, 0.0));
  g.inv_ac[l] = float(1 / dot(ac, ac));
  g.inv_bc[l] = float(1 / dot(bc, bc));
}

}  // namespace

struct MeshData::TurnedBox {
  Mat3d frame;  ///< its rows are the axes
  Vec3d centre{}, half{};
};

MeshData::MeshData(const TriangleMesh& mesh, const MeshSides& sides) : sides_(sides) {
  assert(!mesh.triangles.empty());
  TreeBuilder tree(mesh);
  order_ = std::move(tree.order);
  clusters_ = Buffer<MeshCluster>(tree.clusters.size());
  std::copy(tree.clusters.begin(), tree.clusters.end(), clusters_.host());
  spans_.resize(clusters_.size());
  triangles_ = Buffer<MeshTriangle>(order_.size());
  groups_ = Buffer<MeshGroup>(order_.size() / mesh_lanes);
  place(mesh);
  fit_clusters();
  widen(0);
  boxes_ = Buffer<MeshBoxes>(lanes_.size() / mesh_lanes);
  fit_boxes();
  if (sides.simple && sides.thickness == 0) make_normals(mesh);
}

MeshData MeshData::moved(const TriangleMesh& mesh, const std::vector<Vec3d>& velocities) const {
  MeshData out = *this;
  out.sides_.simple = false;  // it may have come to touch itself
  out.normals_ = {};
  out.place(mesh);
  out.fit_clusters();
  out.fit_boxes();
  out.velocities_ = Buffer<Vec3f>(3 * order_.size());
  Vec3f* v = out.velocities_.host();
  for (std::size_t i = 0; i < order_.size(); ++i)
    for (int c = 0; c < 3 && order_[i] >= 0; ++c) v[3 * i + c] = velocities[mesh.triangles[order_[i]][c]].as<float>();
  return out;
}

MeshView MeshData::view(const Exec& exec) const {
  MeshView out;
  out.boxes = boxes_.read(exec);
  out.groups = groups_.read(exec);
  out.triangles = triangles_.read(exec);
  out.clusters = clusters_.read(exec);
  out.normals = normals_.size() ? normals_.read(exec) : nullptr;
  out.velocities = velocities_.size() ? velocities_.read(exec) : nullptr;
  out.origin = origin_;
  out.size2 = size_ * size_;
  out.closed = sides_.closed;
  out.thickness = sides_.thickness;
  return out;
}

TriangleMesh MeshData::triangles() const {
  TriangleMesh out;
  // A corner is kept as a sum, which rounding moves a little: what is nearer than a 2^40th of the mesh is one.
  const double fine = std::ldexp(1.0, 40 - std::ilogb(std::max(size_, 1e-30)));
  std::map<std::array<long long, 3>, int> known;
  const auto vertex = [&](const Vec3d& x) {
    const Vec3d at = (x - origin_) * fine;
    const auto [found, fresh] =
        known.try_emplace({std::llround(at.x), std::llround(at.y), std::llround(at.z)}, int(out.vertices.size()));
    if (fresh) out.vertices.push_back(x);
    return found->second;
  };
  const MeshTriangle* triangle = triangles_.host();
  for (std::size_t i = 0; i < order_.size(); ++i) {
    if (order_[i] < 0) continue;
    const auto [a, b, c] = corners(triangle[i]);
    const Int3 t{vertex(a), vertex(b), vertex(c)};
    if (t.x != t.y && t.y != t.z && t.z != t.x) out.triangles.push_back(t);
  }
  return out;
}

std::size_t MeshData::bytes() const {
  return order_.size() * sizeof(int) + spans_.size() * sizeof(Span) + lanes_.size() * sizeof(Lane) + boxes_.bytes() +
         groups_.bytes() + triangles_.bytes() + clusters_.bytes() + normals_.bytes() + velocities_.bytes();
}

/// Puts the triangles where they are now, and their groups.
void MeshData::place(const TriangleMesh& mesh) {
  Vec3d low{far_off, far_off, far_off}, high = -low;
  for (const Int3& t : mesh.triangles)
    for (int c = 0; c < 3; ++c) low = min(low, mesh.vertices[t[c]]), high = max(high, mesh.vertices[t[c]]);
  origin_ = (low + high) * 0.5;
  size_ = length(high - low) * 0.5;
  MeshTriangle* triangles = triangles_.host();
  MeshGroup* groups = groups_.host();
  for (std::size_t i = 0; i < order_.size(); ++i) {
    MeshTriangle& t = triangles[i];
    if (order_[i] < 0) {
      t = triangles[i - 1];
    } else {
      const Int3& c = mesh.triangles[order_[i]];
      const Vec3d& a = mesh.vertices[c.x];
      t = {a, mesh.vertices[c.y] - a, mesh.vertices[c.z] - a};
    }
    set_lane(groups[i / mesh_lanes], i % mesh_lanes, {t.a - origin_, t.ab, t.ac});
  }
}

/// Boxes along the axes and moments, from the leaves up: children stand behind their parents.
void MeshData::fit_clusters() {
  MeshCluster* clusters = clusters_.host();
  const MeshTriangle* triangles = std::as_const(triangles_).host();
  for (int i = int(clusters_.size()) - 1; i >= 0; --i) {
    MeshCluster& m = clusters[i];
    Span& span = spans_[i];
    span = {{{far_off, far_off, far_off}, {-far_off, -far_off, -far_off}}};
    Vec3d centre{}, vector_area{}, tilt[3]{};
    if (m.count == 0) {
      const int children[2] = {i + 1, m.first};
      for (const int c : children) {
        const MeshBox& box = spans_[c].box;
        span.box = {min(span.box.lowest, box.lowest), max(span.box.highest, box.highest)};
        span.area += spans_[c].area;
        span.groups += spans_[c].groups;
        centre += clusters[c].centre * spans_[c].area;
        vector_area += clusters[c].area;
      }
      span.first_group = spans_[i + 1].first_group;
      m.centre = span.area > 0 ? centre / span.area : clusters[i + 1].centre;
      double by_parts = 0;
      for (const int c : children) {
        const Vec3d off = clusters[c].centre - m.centre;
        for (int row = 0; row < 3; ++row) tilt[row] += clusters[c].tilt[row] + off * clusters[c].area[row];
        by_parts = std::max(by_parts, square(length(off) + std::sqrt(clusters[c].radius2)));
      }
      const Vec3d corner = max(span.box.highest - m.centre, m.centre - span.box.lowest);  // the farthest one
      m.radius2 = std::min(by_parts, dot(corner, corner));
    } else {
      span.first_group = m.first / mesh_lanes;
      span.groups = 1;
      for (int t = m.first; t < m.first + m.count; ++t) {
        for (const Vec3d& x : corners(triangles[t])) span.box = {min(span.box.lowest, x), max(span.box.highest, x)};
        const double a = length(area(triangles[t]));
        span.area += a;
        centre += middle(triangles[t]) * a;
        vector_area += area(triangles[t]);
      }
      m.centre = span.area > 0 ? centre / span.area : triangles[m.first].a;
      m.radius2 = 0;
      for (int t = m.first; t < m.first + m.count; ++t) {
        const Vec3d off = middle(triangles[t]) - m.centre;
        for (int row = 0; row < 3; ++row) tilt[row] += off * area(triangles[t])[row];
        for (const Vec3d& x : corners(triangles[t])) m.radius2 = std::max(m.radius2, dot(x - m.centre, x - m.centre));
      }
    }
    m.area = vector_area;
    for (int row = 0; row < 3; ++row) m.tilt[row] = tilt[row];
  }
}

/// Makes a node of eight of a node of the tree of twos: its largest descendants. Answers where it is.
int MeshData::widen(int cluster) {
  const MeshCluster* clusters = std::as_const(clusters_).host();
  std::vector<int> parts{cluster};
  while (parts.size() < std::size_t(mesh_lanes)) {
    const auto largest =
        std::max_element(parts.begin(), parts.end(), [&](int a, int b) { return spans_[a].groups < spans_[b].groups; });
    const int split = *largest;
    if (clusters[split].count > 0) break;
    *largest = split + 1;
    parts.insert(largest + 1, clusters[split].first);
  }
  const std::size_t here = lanes_.size();
  lanes_.resize(here + mesh_lanes);
  for (std::size_t l = 0; l < parts.size(); ++l) {
    const MeshCluster& part = clusters[parts[l]];
    const int child = part.count > 0 ? ~(part.first / mesh_lanes) : widen(parts[l]);
    lanes_[here + l] = {parts[l], child};
  }
  return int(here / mesh_lanes);
}

/// Lies across the mean normal of its triangles; the other two axes lie as near as may be to those of space.
MeshData::TurnedBox MeshData::turned_box(int cluster) const {
  const MeshTriangle* triangles = triangles_.host();
  const MeshCluster& m = clusters_.host()[cluster];
  TurnedBox out;
  out.frame = transpose(rotation_from_z(length(m.area) > 0 ? m.area : Vec3d{0, 0, 1}));
  Vec3d low{far_off, far_off, far_off}, high = -low;
  const int first = spans_[cluster].first_group * mesh_lanes, end = first + spans_[cluster].groups * mesh_lanes;
  for (int t = first; t < end; ++t) {
    if (order_[t] < 0) continue;
    for (const Vec3d& x : corners(triangles[t])) {
      const Vec3d p = out.frame * (x - m.centre);
      low = min(low, p), high = max(high, p);
    }
  }
  out.centre = m.centre + transpose(out.frame) * ((low + high) * 0.5) - origin_;
  // What rounding to float may lose: of the centre, and of the axes.
  const double lost = 1e-6 * size_;
  out.half = (high - low) * 0.5 + Vec3d{lost, lost, lost};
  return out;
}

void MeshData::fit_boxes() {
  MeshBoxes* boxes = boxes_.host();
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    MeshBoxes& b = boxes[i / mesh_lanes];
    const std::size_t l = i % mesh_lanes;
    const auto [cluster, child] = lanes_[i];
    const TurnedBox box = cluster < 0 ? TurnedBox{} : turned_box(cluster);
    for (int a = 0; a < 3; ++a) {
      b.centre[a][l] = float(box.centre[a]);
      b.half[a][l] = cluster < 0 ? -1e30f : rounded_up(box.half[a]);
      for (int c = 0; c < 3; ++c) b.axes[a][c][l] = float(box.frame[a][c]);
    }
    b.child[l] = child;
  }
}

/// Of faces, of edges (the mean of their faces) and of corners (weighted by angle): the sign of the distance is that of
/// the offset along them [BA05: Baerentzen & Aanaes 2005].
void MeshData::make_normals(const TriangleMesh& mesh) {
  std::vector<Vec3d> faces, at_corner(mesh.vertices.size());
  std::unordered_map<std::uint64_t, Vec3d> edges;
  edges.reserve(mesh.triangles.size() * 2);
  for (const Int3& t : mesh.triangles) {
    const Vec3d p[3] = {mesh.vertices[t.x], mesh.vertices[t.y], mesh.vertices[t.z]};
    faces.push_back(normalized(cross(p[1] - p[0], p[2] - p[0])));
    for (int c = 0; c < 3; ++c) {
      const Vec3d u = p[(c + 1) % 3] - p[c], v = p[(c + 2) % 3] - p[c];
      at_corner[t[c]] += faces.back() * std::atan2(length(cross(u, v)), dot(u, v));
      edges[edge_key(t[c], t[(c + 1) % 3])] += faces.back();
    }
  }
  normals_ = Buffer<Vec3f>(7 * order_.size());
  Vec3f* out = normals_.host();
  for (std::size_t i = 0; i < order_.size(); ++i) {
    if (order_[i] < 0) {
      std::copy_n(out + 7 * (i - 1), 7, out + 7 * i);
      continue;
    }
    const Int3& t = mesh.triangles[order_[i]];
    for (int c = 0; c < 3; ++c) {
      out[7 * i + c] = at_corner[t[c]].as<float>();
      out[7 * i + 3 + c] = edges[edge_key(t[c], t[(c + 1) % 3])].as<float>();
    }
    out[7 * i + 6] = faces[order_[i]].as<float>();
  }
}

}  // namespace silt
