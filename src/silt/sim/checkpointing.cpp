#include "silt/sim/checkpointing.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/sim/kept_state.h"
#include "silt/sim/particle_arrays.h"
#include "silt/sim/rows.h"

namespace silt {
namespace {

/// Slowest axis first, as other readers of the format expect.
std::vector<std::int64_t> shape_of(const Box& box) {
  const Int3 n = box.size();
  return {n.z, n.y, n.x};
}

/// Takes a model's state from a checkpoint, array by array: what comes later in the visit may depend on what came
/// before (how many pools a liquid has). Each array is checked before it is copied.
struct Unpacker : StateVisitor {
  const Checkpoint& checkpoint;
  std::set<std::string, std::less<>> expected;

  explicit Unpacker(const Checkpoint& c) : checkpoint(c) {}
  bool restores() const override { return true; }
  void operator()(std::string_view name, Field<float>& field, const Box& box) override { unpack(name, field, box); }
  void operator()(std::string_view name, Field<double>& field, const Box& box) override { unpack(name, field, box); }
  void operator()(std::string_view name, Particles& particles) override {
    for (std::string& array : check_particles(checkpoint, name, particles)) expected.insert(std::move(array));
    unpack_particles(checkpoint, name, particles);
  }
  void operator()(std::string_view name, Buffer<float>& values) override { unpack(name, values); }
  void operator()(std::string_view name, Buffer<double>& values) override { unpack(name, values); }
  void operator()(std::string_view name, Buffer<std::int64_t>& values) override { unpack(name, values); }

  template <class T>
  void unpack(std::string_view name, Buffer<T>& values) {
    expected.emplace(name);
    unpack_list(checkpoint, name, values);
  }

  template <class T>
  void unpack(std::string_view name, Field<T>& field, const Box& box) {
    if (box.empty()) return;
    expected.emplace(name);
    const Checkpoint::Array& array = array_of(checkpoint, name);
    if (array.dtype != dtype_of<T>() || array.shape != shape_of(box)) {
      const Int3 n = box.size();
      throw IoError(str("the checkpoint's array '", name, "' does not fit this scene: ", n.x, " x ", n.y, " x ", n.z,
                        " values of type ", name_of(dtype_of<T>()), " are expected"));
    }
    std::vector<T> values(std::size_t(box.count()));
    checkpoint.copy(name, values.data(), values.size());
    const T* next = values.data();
    for_each_row(field, box, [&](T* row, std::size_t n) {
      std::copy_n(next, n, row);
      next += n;
    });
  }
};

constexpr std::string_view solve_prefix = "stats.solve.", seconds_prefix = "stats.seconds.",
                           impulse_prefix = "stats.impulse.";

SolveReport read_solve(const std::string& text) {
  SolveReport solve;
  std::istringstream in(text);
  strict(in) >> solve.residual >> solve.imbalance >> solve.iterations >> solve.converged;
  return solve;
}
Vec3d read_vector(const std::string& text) {
  Vec3d v{};
  std::istringstream in(text);
  strict(in) >> v.x >> v.y >> v.z;
  return v;
}

}  // namespace

struct PackedState::Packer : StateVisitor {
  PackedState& packed;
  CheckpointWriter& writer;

  Packer(PackedState& p, CheckpointWriter& w) : packed(p), writer(w) {}
  void operator()(std::string_view name, Field<float>& field, const Box& box) override {
    pack(name, field, box, packed.floats_);
  }
  void operator()(std::string_view name, Field<double>& field, const Box& box) override {
    pack(name, field, box, packed.doubles_);
  }
  void operator()(std::string_view name, Particles& particles) override { add_particles(writer, name, particles); }
  void operator()(std::string_view name, Buffer<float>& values) override { add_list(writer, name, values); }
  void operator()(std::string_view name, Buffer<double>& values) override { add_list(writer, name, values); }
  void operator()(std::string_view name, Buffer<std::int64_t>& values) override { add_list(writer, name, values); }

  template <class T>
  void pack(std::string_view name, const Field<T>& field, const Box& box, std::deque<std::vector<T>>& store) {
    if (box.empty()) return;
    std::vector<T>& values = store.emplace_back();
    values.reserve(std::size_t(box.count()));
    for_each_row(field, box, [&](const T* row, std::size_t n) { values.insert(values.end(), row, row + n); });
    writer.add(std::string(name), dtype_of<T>(), shape_of(box), values.data(), values.size() * sizeof(T));
  }
};

void PackedState::add_to(CheckpointWriter& writer, Model& model) {
  clear();
  Packer packer{*this, writer};
  model.visit(packer);
}

void PackedState::clear() {
  floats_.clear();
  doubles_.clear();
}

void unpack_state(const Checkpoint& checkpoint, Model& model) {
  const Exec host(Device::cpu, 1);
  KeptState before;
  before.keep(host, model);
  try {
    Unpacker unpacker{checkpoint};
    model.visit(unpacker);
    for (const Checkpoint::Array& array : checkpoint.arrays())
      if (!unpacker.expected.contains(array.name))
        throw IoError(str("the checkpoint's array '", array.name, "' belongs to no field of this scene"));
  } catch (const InputError& e) {  // of the checkpoint, not of the scene: that had been fine
    before.restore(host, model);
    throw IoError(str("the checkpoint does not fit this scene: ", e.what()));
  } catch (...) {
    before.restore(host, model);
    throw;
  }
}

void save_progress(const Clock& clock, const FrameStats& partial, Metadata& metadata) {
  metadata["sim.frame"] = str(clock.frame);
  metadata["sim.time"] = exact_text(clock.time);
  metadata["sim.fps"] = exact_text(clock.fps);
  if (partial.frame <= clock.frame) return;  // no frame has begun
  metadata["stats.substeps"] = str(partial.substeps);
  metadata["stats.retries"] = str(partial.retries);
  metadata["stats.dt_min"] = exact_text(partial.dt_min);
  metadata["stats.dt_max"] = exact_text(partial.dt_max);
  metadata["stats.swallowed"] = str(partial.swallowed);
  metadata["stats.refused"] = str(partial.refused);
  metadata["stats.left"] = str(partial.left);
  for (const auto& [name, solve] : partial.solves)
    metadata[str(solve_prefix, name)] = exact_text(solve.residual) + ' ' + exact_text(solve.imbalance) +
                                        str(' ', solve.iterations, ' ', solve.converged);
  for (const auto& [name, v] : partial.impulses)
    metadata[str(impulse_prefix, name)] = exact_text(v.x) + ' ' + exact_text(v.y) + ' ' + exact_text(v.z);
  for (const auto& [name, seconds] : partial.seconds) metadata[str(seconds_prefix, name)] = exact_text(seconds);
}

void load_progress(const Checkpoint& checkpoint, Clock& clock, FrameStats& partial) {
  Clock read = clock;
  read.frame = int(checkpoint.integer("sim.frame"));
  read.time = checkpoint.number("sim.time");
  const double fps = checkpoint.number("sim.fps");
  if (fps != clock.fps)
    throw IoError(str("the checkpoint was written at ", fps, " frames a second, and the scene has ", clock.fps));
  if (read.frame < 0 || read.time < read.time_of(read.frame) || read.time > read.frame_end())
    throw IoError(str("the checkpoint's time ", read.time, " s does not belong to its frame ", read.frame));
  FrameStats stats;
  stats.frame = read.frame + 1;
  if (checkpoint.metadata().contains("stats.substeps")) {
    stats.substeps = int(checkpoint.integer("stats.substeps"));
    stats.retries = int(checkpoint.integer("stats.retries"));
    stats.dt_min = checkpoint.number("stats.dt_min");
    stats.dt_max = checkpoint.number("stats.dt_max");
    if (checkpoint.metadata().contains("stats.swallowed")) stats.swallowed = checkpoint.integer("stats.swallowed");
    if (checkpoint.metadata().contains("stats.refused")) stats.refused = checkpoint.integer("stats.refused");
    if (checkpoint.metadata().contains("stats.left")) stats.left = checkpoint.integer("stats.left");
  }
  for (const auto& [key, text] : checkpoint.metadata()) {
    if (key.starts_with(solve_prefix)) stats.solves[key.substr(solve_prefix.size())] = read_solve(text);
    if (key.starts_with(impulse_prefix)) stats.impulses[key.substr(impulse_prefix.size())] = read_vector(text);
    if (key.starts_with(seconds_prefix)) stats.seconds[key.substr(seconds_prefix.size())] = checkpoint.number(key);
  }
  clock = read;
  partial = std::move(stats);
}

}  // namespace silt
