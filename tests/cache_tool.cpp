// For the tests of exported files: makes a run folder with one of everything, and writes a frame of any run folder as
// plain arrays (safetensors), read by silt's own readers.
//
//   cache_tool make FOLDER
//   cache_tool dump FOLDER FRAME FILE

#include <cstdlib>
#include <deque>
#include <iostream>
#include <string>

#include "silt/cache/checkpoint.h"
#include "silt/cache/run_folder.h"
#include "silt/cache/test_tools.h"

namespace {

using namespace silt;

/// A body that turns, moves and keeps its form.
Body crate(int frame) {
  Mesh shape = test::small_mesh();
  shape.velocities.clear();
  Body body{"crate", {}, std::make_shared<Mesh>(shape)};
  body.pose.place = {euler_xyz({20.0 * frame, 100.0 * frame, -40}), {0.1 * frame, 0.2, 0.3}, 0.5};
  body.pose.velocity = {{1, 0, 2}, {0.1, 0.2, 0.3}, {0.1, 0.2, 0.3}};
  return body;
}

/// Volumes in two boxes with cells between them, of every kind; points and a mesh with all that can be known of them; a
/// body.
void make(const std::string& folder) {
  RunStatus status;
  status.frames = status.frame = 3;
  status.phase = RunStatus::Phase::finished;
  RunFolder run = RunFolder::create(folder, "silt = 1\n", status);
  for (int n = 1; n <= 3; ++n) {
    Frame frame = test::small_frame(n);
    const std::vector<Volume> volumes = frame.volumes;
    for (Volume far : volumes) {
      far.cells = {far.cells.lo + Int3{30, 0, 4}, far.cells.hi + Int3{30, 0, 4}};
      frame.volumes.push_back(far);
    }
    Volume surface{"water", "surface", Volume::Kind::level_set, "m", frame.domain.cells, 0.15f, {}};
    for (const float d : volumes[0].values) surface.values.push_back(0.1f - d);
    frame.volumes.push_back(surface);
    frame.points.push_back(test::small_points(frame, 500));
    frame.meshes.push_back(test::small_mesh());
    frame.bodies.push_back(crate(n));
    run.write_volumes(frame);
    run.write_points(frame);
    run.write_meshes(frame);
    run.write_bodies(frame);
  }
}

class Dump {
 public:
  template <class T>
  void add(const std::string& name, const std::vector<T>& values) {
    if (!values.empty()) writer_.add(name, values.data(), values.size());
  }
  template <class T>
  void add(const std::string& name, const std::vector<Vec3<T>>& values) {
    if (!values.empty()) writer_.add(name, &values.front().x, 3 * values.size());
  }
  void add(const std::string& name, const std::vector<Attribute>& attributes) {
    for (const Attribute& a : attributes) add(name + a.name, a.values);
  }
  void add_box(const std::string& name, const Box& box) {
    const std::vector<Int3>& corners = boxes_.emplace_back(std::vector<Int3>{box.lo, box.hi});
    add(name, corners);
  }
  void write(const std::string& path) {
    FileWriter file(path);
    writer_.write(file);
    file.commit();
  }
  Metadata& metadata() { return writer_.metadata; }

 private:
  CheckpointWriter writer_;
  std::deque<std::vector<Int3>> boxes_;
};

void dump(const std::string& folder, int number, const std::string& path) {
  const Frame frame = RunFolder::view(folder).read_frame(number);
  const Lattice& lattice = frame.domain.lattice;
  Dump out;
  const std::vector<Vec3d> origin{lattice.origin};
  out.add("origin", origin);
  out.metadata()["time"] = exact_text(frame.time);
  out.metadata()["h"] = exact_text(lattice.h);
  for (std::size_t i = 0; i < frame.volumes.size(); ++i) {
    const Volume& v = frame.volumes[i];
    const std::string name = str("volume/", v.material, '/', v.name, '/', i);
    out.add(name, v.values);
    if (!v.cells.empty()) out.add_box("cells/" + name, v.cells);
    out.metadata()["background/" + name] = exact_text(v.background);
  }
  for (const Points& p : frame.points) {
    const std::string name = "points/" + p.material + "/";
    out.add(name + "P", p.positions), out.add(name + "v", p.velocities), out.add(name + "id", p.id);
    out.add(name + "age", p.age), out.add(name + "source", p.source), out.add(name + "colour", p.colour);
    out.add(name, p.attributes);
    out.metadata()[name + "radius"] = exact_text(p.radius);
  }
  for (const Mesh& m : frame.meshes) {
    const std::string name = str("mesh/", m.material, '.', m.name, '/');
    out.add(name + "P", m.positions), out.add(name + "N", m.normals), out.add(name + "v", m.velocities);
    out.add(name + "triangles", m.triangles), out.add(name + "colour", m.colour);
    out.add(name, m.attributes);
  }
  out.write(path);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 2 && words[0] == "make") return make(words[1]), 0;
  if (words.size() == 4 && words[0] == "dump") return dump(words[1], std::atoi(words[2].c_str()), words[3]), 0;
  std::cerr << "usage: cache_tool make FOLDER | dump FOLDER FRAME FILE\n";
  return 2;
}
