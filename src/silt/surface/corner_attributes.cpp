#include "silt/surface/corner_attributes.h"

#include <algorithm>
#include <cmath>

#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/surface/corner_loop.h"

namespace silt {
namespace {

/// A number of each particle, in the order of the frame, and then of each corner.
struct Column {
  std::vector<float> of_particles, of_corners;
  bool nearest = false;  ///< of the nearest particle; otherwise a mean
};

/// All that one name stands for: a column, or three for a colour.
struct Named {
  std::string name, unit;
  std::vector<Column> columns;
};

const Attribute* find(const Points& points, const std::string& name) {
  for (const Attribute& a : points.attributes)
    if (a.name == name) return &a;
  return nullptr;
}

bool has(const Points& points, const std::string& name) {
  if (name == "age") return !points.age.empty();
  if (name == "source") return !points.source.empty();
  if (name == "Cd") return !points.colour.empty();
  return find(points, name) != nullptr;
}

std::string names_in(const Points& points) {
  std::string out;
  const auto add = [&](const std::string& name) { out += (out.empty() ? "" : ", ") + name; };
  for (const char* name : {"age", "source", "Cd"})
    if (has(points, name)) add(name);
  for (const Attribute& a : points.attributes) add(a.name);
  return out.empty() ? "none" : out;
}

float number_of(const Points& points, const std::string& name, const Attribute* attribute, std::size_t i, int part) {
  if (name == "age") return points.age[i];
  if (name == "source") return float(points.source[i]);
  if (name == "Cd") return float(points.colour[i] >> (16 - 8 * part) & 255);
  return attribute->values[i];
}

Named read(const AttributeSource& from, const std::string& name) {
  Named out{name, attribute_unit(name), std::vector<Column>(name == "Cd" ? 3 : 1)};
  out.columns.front().nearest = name == "source";
  for (const Points& points : from.frame.points) {
    if (points.material != from.material || points.count() == 0) continue;
    if (!has(points, name))
      throw InputError(
          str("the particles of ", from.material, " have no '", name, "' for a surface; they have ", names_in(points)));
    const Attribute* const attribute = find(points, name);
    if (attribute) out.unit = attribute->unit;
    for (int part = 0; part < int(out.columns.size()); ++part)
      for (std::size_t i = 0; i < points.count(); ++i)
        out.columns[std::size_t(part)].of_particles.push_back(number_of(points, name, attribute, i, part));
  }
  return out;
}

void interpolate(const Exec& exec, const ParticleBins& bins, const Lattice& voxels, float reach,
                 const std::vector<Vec3f>& corners, std::vector<Column*>& columns) {
  const std::uint32_t* const from = bins.cloud().from.data();
  const float inverse = 1 / (reach * reach);
  for_each_eight(exec, bins, voxels, reach, corners, [&](const EightCorners& at, const NearParticles& near) {
    Lanes weight{}, best{};
    std::uint32_t nearest[lane_count] = {};
    for (std::size_t i = 0; i < std::size_t(near.count); ++i) {
      const Lanes k = at.weight(near, i, inverse);
      weight += k;
      for (int l = 0; l < at.count; ++l)
        if (k[l] > best[l]) best[l] = k[l], nearest[l] = from[near.number[i]];
    }
    for (Column* column : columns) {
      Lanes sum{};
      if (!column->nearest)
        for (std::size_t i = 0; i < std::size_t(near.count); ++i)
          sum += at.weight(near, i, inverse) * all_lanes(column->of_particles[from[near.number[i]]]);
      for (int l = 0; l < at.count; ++l)
        if (weight[l] > 0)
          column->of_corners[at.first + std::size_t(l)] =
              column->nearest ? column->of_particles[nearest[l]] : sum[l] / weight[l];
    }
  });
}

void put(Named& named, Mesh& mesh) {
  if (named.name != "Cd") {
    mesh.attributes.push_back({named.name, named.unit, std::move(named.columns.front().of_corners)});
    return;
  }
  mesh.colour.assign(mesh.positions.size(), 0);
  for (const Column& column : named.columns)
    for (std::size_t i = 0; i < mesh.colour.size(); ++i)
      mesh.colour[i] = mesh.colour[i] << 8 | std::uint32_t(std::lround(std::clamp(column.of_corners[i], 0.0f, 255.0f)));
}

}  // namespace

void add_attributes(const Exec& exec, const AttributeSource& source, const ParticleBins& bins, const Lattice& voxels,
                    float reach, const std::vector<Ball>& balls, Mesh& mesh) {
  std::vector<Named> all;
  std::vector<Column*> columns;
  for (const std::string& name : source.names) {
    const bool again = std::any_of(all.begin(), all.end(), [&](const Named& n) { return n.name == name; });
    if (!again) all.push_back(read(source, name));
  }
  for (Named& named : all)
    for (Column& column : named.columns) {
      column.of_corners.assign(mesh.positions.size(), 0);
      columns.push_back(&column);
    }
  if (columns.empty()) return;
  const std::size_t of_balls = balls.size() * ball_corners, first_ball = mesh.positions.size() - of_balls;
  interpolate(exec, bins, voxels, reach, {mesh.positions.begin(), mesh.positions.begin() + std::ptrdiff_t(first_ball)},
              columns);
  for (Column* column : columns)
    for (std::size_t i = 0; i < of_balls; ++i)
      column->of_corners[first_ball + i] = column->of_particles[balls[i / ball_corners].particle];
  for (Named& named : all) put(named, mesh);
}

}  // namespace silt
