#include "silt/geometry/mesh_repair.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/geometry/mesh_clean.h"
#include "silt/geometry/mesh_rays.h"
#include "silt/geometry/mesh_topology.h"

namespace silt {
namespace {

constexpr int most_looks = 31;          // triangles of a patch that vote
constexpr double nearly_closed = 0.25;  // vector area over area

/// Of each of the two searches: ten times what they take where a tree helps, and a second where it does not.
MeshWork allowed_work(const TriangleMesh& mesh) {
  return {(std::int64_t(1) << 25) + 1000 * std::int64_t(mesh.triangles.size())};
}

struct Patch {
  std::vector<int> triangles;
  double area = 0, volume = 0;  ///< [m^2], [m^3]; the volume about its middle, so that a hole hardly matters
  Vec3d vector_area{};
  bool turned = false;

  bool has_volume() const { return length(vector_area) < nearly_closed * area; }
};

void turn(Int3& triangle) {
  std::swap(triangle.y, triangle.z);
}

class Orienter {
 public:
  explicit Orienter(TriangleMesh& to_turn) : mesh_(to_turn) {
    const Patches patches = orient_patches(mesh_);
    patches_.resize(patches.count);
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) patches_[patches.of[t]].triangles.push_back(int(t));
    for (Patch& p : patches_) measure(p);
  }

  /// Turns patches outwards. Those with a volume first: the others are judged against what is then known.
  void run() {
    std::vector<Patch*> inward, open;
    for (Patch& p : patches_) {
      if (!p.has_volume()) open.push_back(&p);
      if (p.has_volume() && p.volume < 0) inward.push_back(&p), turn_patch(p);
    }
    if (patches_.size() == 1 && open.empty()) return;
    const MeshData data(mesh_, {});
    const MeshView view = data.view(Exec(Device::cpu, 1));
    std::vector<int> place(mesh_.triangles.size());  // in the tree
    for (std::size_t i = 0; i < data.order().size(); ++i)
      if (data.order()[i] >= 0) place[data.order()[i]] = int(i);
    // What faced inwards and lies within others is a hollow.
    for (Patch* p : inward)
      if (patches_.size() > 1 && lies_within(*p, view)) turn_patch(*p);
    MeshWork work = allowed_work(mesh_);
    for (Patch* p : open) {
      const bool inwards = !work.over() && faces_inwards(*p, data, place, work);
      unjudged_ += work.over();
      if (inwards && !work.over()) turn_patch(*p);
    }
  }

  const std::vector<Patch>& patches() const { return patches_; }
  int unjudged() const { return unjudged_; }

 private:
  Vec3d middle(int t) const {
    const Int3& c = mesh_.triangles[t];
    return (mesh_.vertices[c.x] + mesh_.vertices[c.y] + mesh_.vertices[c.z]) / 3.0;
  }
  Vec3d area(int t) const {
    const Int3& c = mesh_.triangles[t];
    return cross(mesh_.vertices[c.y] - mesh_.vertices[c.x], mesh_.vertices[c.z] - mesh_.vertices[c.x]) * 0.5;
  }

  void measure(Patch& p) const {
    Vec3d centre{};
    for (const int t : p.triangles) {
      const double a = length(area(t));
      p.area += a;
      p.vector_area += area(t);
      centre += middle(t) * a;
    }
    if (p.area == 0) return;  // flat now, not always
    centre = centre / p.area;
    for (const int t : p.triangles) p.volume += dot(area(t), middle(t) - centre) / 3;
  }

  void turn_patch(Patch& p) {
    for (const int t : p.triangles) turn(mesh_.triangles[t]);
    p.turned = !p.turned;
    p.volume = -p.volume;
  }

  /// Calls use(triangle) with a few of a patch, spread over it.
  template <class F>
  static void look_around(const Patch& p, const F& use) {
    const std::size_t n = p.triangles.size(), looks = std::min<std::size_t>(n, most_looks);
    for (std::size_t i = 0; i < looks; ++i) use(p.triangles[i * n / looks]);
  }

  /// Whether the others wind round the places just outside of it. All with a volume face outwards now.
  bool lies_within(const Patch& p, const MeshView& view) const {
    int within = 0, looks = 0;
    look_around(p, [&](int t) {
      const Vec3d a = area(t);
      within += view.winding_number(middle(t) + normalized(a) * (1e-3 * std::sqrt(length(a)))) > 0.5;
      ++looks;
    });
    return 10 * within >= 9 * looks;  // what sticks out is no hollow, but a part that was turned
  }

  /// By the number of times that rays from its two sides leave and enter: the outside is where it is even.
  bool faces_inwards(const Patch& p, const MeshData& data, const std::vector<int>& place, MeshWork& work) const {
    double inwards = 0;
    look_around(p, [&](int t) {
      const Vec3d a = area(t), x = middle(t), n = normalized(a);
      // Not quite along the normal, which in made things runs along axes and into edges.
      for (const Vec3d& off : {Vec3d{0.13, 0.071, -0.093}, Vec3d{-0.31, 0.17, 0.23}, Vec3d{0.19, -0.37, 0.11}}) {
        const bool front = crossings(data, x, n + off, place[t], work) % 2,
                   back = crossings(data, x, off - n, place[t], work) % 2;
        if (front != back) inwards += front ? length(a) : -length(a);
      }
    });
    return inwards > 0;
  }

  TriangleMesh& mesh_;
  std::vector<Patch> patches_;
  int unjudged_ = 0;
};

/// Rims of holes: edges on which the triangles do not cancel.
void find_holes(const TriangleMesh& mesh, MeshReport& report) {
  struct Rim {
    Vec3d centre{}, area{};
    int edges = 0;
  };
  std::vector<std::pair<int, int>> open;  // directed as the missing triangles would run
  bool whole = true;
  for_each_edge(edge_sides(mesh), [&](const EdgeSide* first, const EdgeSide* end) {
    int net = 0;
    for (const EdgeSide* s = first; s != end; ++s) net += s->direction;
    whole = whole && net == 0;
    if (net > 0) open.emplace_back(first->high(), first->low());
    if (net < 0) open.emplace_back(first->low(), first->high());
  });
  report.closed = whole;
  report.open_edges = int(open.size());
  UnionFind rims(mesh.vertices.size());
  for (const auto& [a, b] : open) rims.join(a, b);
  std::vector<Rim> by_vertex(open.empty() ? 0 : mesh.vertices.size());
  for (const auto& [a, b] : open) {
    Rim& rim = by_vertex[rims.find(a)];
    report.holes += rim.edges == 0;
    ++rim.edges;
    rim.centre += (mesh.vertices[a] + mesh.vertices[b]) * 0.5;
  }
  for (const auto& [a, b] : open) {
    Rim& rim = by_vertex[rims.find(a)];
    const Vec3d c = rim.centre / rim.edges;
    rim.area += cross(mesh.vertices[a] - c, mesh.vertices[b] - c) * 0.5;
  }
  double missing = 0, there = 0;
  for (const Rim& rim : by_vertex) missing += length(rim.area);
  for (const Int3& t : mesh.triangles)
    there += 0.5 * length(cross(mesh.vertices[t.y] - mesh.vertices[t.x], mesh.vertices[t.z] - mesh.vertices[t.x]));
  report.open_fraction = missing / there;
}

bool overlap(const Vec3d& low, const Vec3d& high, const MeshBox& n) {
  return low.x <= n.highest.x && low.y <= n.highest.y && low.z <= n.highest.z && n.lowest.x <= high.x &&
         n.lowest.y <= high.y && n.lowest.z <= high.z;
}

/// No more than `MeshReport::most_counted`: a heap of loose triangles has one for nearly every pair.
int count_self_intersections(const TriangleMesh& mesh, const MeshData& data, MeshWork& work) {
  const MeshView view = data.view(Exec(Device::cpu, 1));
  // By place, not by number: parts that touch now may part later.
  const auto share_a_corner = [&](int i, int j) {
    const Int3 &s = mesh.triangles[data.order()[i]], &t = mesh.triangles[data.order()[j]];
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        if (mesh.vertices[s[a]] == mesh.vertices[t[b]]) return true;
    return false;
  };
  int count = 0;
  for (int i = 0; i < int(data.order().size()) && count < MeshReport::most_counted && !work.over(); ++i) {
    if (data.order()[i] < 0) continue;
    const MeshTriangle& t = view.triangles[i];
    const Vec3d b = t.a + t.ab, c = t.a + t.ac;
    const Vec3d low = min(t.a, min(b, c)), high = max(t.a, max(b, c));
    int stack[MeshView::deepest], top = 0;
    stack[top++] = 0;
    while (top > 0) {
      const int at = stack[--top];
      const MeshCluster& n = view.clusters[at];
      work.left -= 1 + n.count;
      if (!overlap(low, high, data.box(at))) continue;
      if (n.count == 0) {
        stack[top++] = n.first;
        stack[top++] = at + 1;
      }
      for (int j = std::max(n.first, i + 1); j < n.first + n.count; ++j)
        count += !share_a_corner(i, j) && triangles_cross(t, view.triangles[j]);
    }
  }
  return std::min(count, MeshReport::most_counted);
}

/// Whether outside of every patch the winding number is 0, and inside 1. Where nothing crosses it is the same all over
/// a patch: one look will do.
bool winds_once(const TriangleMesh& mesh, const std::vector<Patch>& patches, const MeshData& data) {
  const MeshView view = data.view(Exec(Device::cpu, 1));
  return std::all_of(patches.begin(), patches.end(), [&](const Patch& p) {
    const Int3& t = mesh.triangles[p.triangles[0]];
    const Vec3d a = mesh.vertices[t.x], b = mesh.vertices[t.y], c = mesh.vertices[t.z];
    const Vec3d area = cross(b - a, c - a) * 0.5, off = normalized(area) * (1e-4 * std::sqrt(length(area)));
    const Vec3d middle = (a + b + c) / 3.0;
    return std::abs(view.winding_number(middle + off)) < 0.25 && std::abs(view.winding_number(middle - off) - 1) < 0.25;
  });
}

void add(std::string& text, int count, const char* one, const char* many) {
  if (count > 0) text += str(text.empty() ? "" : ", ", count, " ", count == 1 ? one : many);
}

}  // namespace

std::string MeshReport::text() const {
  std::string out;
  add(out, holes, "hole", "holes");
  if (holes > 0) out += str(" (", open_edges, open_edges == 1 ? " edge)" : " edges)");
  add(out, flipped_triangles, "flipped face", "flipped faces");
  add(out, duplicate_vertices, "duplicate vertex", "duplicate vertices");
  add(out, duplicate_triangles, "duplicate face", "duplicate faces");
  add(out, degenerate_triangles, "face without area", "faces without area");
  add(out, self_intersections, "self-intersection",
      self_intersections < most_counted && all_looked_at ? "self-intersections" : "self-intersections or more");
  add(out, unjudged, "loose part that faces as it came", "loose parts that face as they came");
  if (!all_looked_at && self_intersections == 0)
    out += str(out.empty() ? "" : ", ", "too many faces on one another to look for self-intersections");
  return out;
}

RepairedMesh repair_mesh(const TriangleMesh& mesh) {
  return repair_mesh(mesh, MeshSurplus(mesh));
}

RepairedMesh repair_mesh(const TriangleMesh& mesh, const MeshSurplus& surplus) {
  CleanMesh clean = clean_mesh(mesh, surplus);
  if (clean.mesh.triangles.empty()) throw InputError("it has no triangle with an area");
  RepairedMesh out{std::move(clean.mesh), std::move(clean.source), {}};
  MeshReport& report = out.report;
  report.duplicate_vertices = clean.duplicate_vertices;
  report.degenerate_triangles = clean.degenerate_triangles;
  report.duplicate_triangles = clean.duplicate_triangles;

  const std::vector<Int3> before = out.mesh.triangles;
  Orienter orienter(out.mesh);
  orienter.run();
  for (std::size_t t = 0; t < before.size(); ++t) report.flipped_triangles += before[t] != out.mesh.triangles[t];
  report.patches = int(orienter.patches().size());
  report.unjudged = orienter.unjudged();

  find_holes(out.mesh, report);
  const MeshData data(out.mesh, {});
  MeshWork work = allowed_work(out.mesh);
  report.self_intersections = count_self_intersections(out.mesh, data, work);
  report.all_looked_at = !work.over();
  report.simple = report.closed && report.all_looked_at && report.self_intersections == 0 &&
                  winds_once(out.mesh, orienter.patches(), data);
  return out;
}

}  // namespace silt
