#include "silt/sim/scene_domain.h"

#include <algorithm>
#include <cmath>

#include "silt/core/text.h"
#include "silt/physics/gas/gas_model.h"
#include "silt/physics/smoke/smoke_model.h"
#include "silt/sim/estimate.h"
#include "silt/sim/people.h"

namespace silt {
namespace {

constexpr int fewest_cells = 4;              // along an axis: stencils and the pressure solve want room
constexpr double most_cells = 2147483648.0;  // fields count their values in 32 bits
constexpr double smallest_cell = 1.1e-5;     // [m]; OpenVDB takes a scale whose cube is 1e-15 for none at all
constexpr double whole_cells = 1e-6;         // relative; a size this near to whole cells is meant to be
constexpr char axis_names[] = "xyz";

std::string scale_text(double scale) {
  return scale == 1 ? std::string() : str(", at scale ", scale);
}

/// The edge of a cell [m].
double cell_edge(const DomainParams& p, double scale) {
  if (p.cell_size) return *p.cell_size / scale;
  const double longest = std::max({p.size.x, p.size.y, p.size.z});
  return longest / std::max(1.0, std::round(p.resolution.value_or(1) * scale));
}

/// The nearest cell size that is no smaller and that people would write.
double rounded_up(double h) {
  const double step = std::pow(10, std::floor(std::log10(h)) - 1);
  return std::ceil(h / step - 1e-9) * step;
}

/// "cell_size = 0.02", or the same as a resolution where the scene has that.
std::string finer_or_coarser(const DomainParams& p, double h, double scale) {
  if (p.cell_size) return "cell_size = " + short_text(h * scale);
  const double longest = std::max({p.size.x, p.size.y, p.size.z});
  return str("resolution = ", std::int64_t(longest / h / scale + 1e-6));
}

/// Cells along each axis, as numbers that cannot overflow.
Vec3d count_cells(const SceneBlocks& blocks, double h) {
  Vec3d n{1, 1, 1};
  for (int axis = 0; axis < blocks.dims; ++axis)
    n[axis] = std::max(1.0, std::round(blocks.domain.values.size[axis] / h));
  return n;
}

/// Makes the size a whole number of cells, and says so.
void round_size(SceneBlocks& blocks, const Vec3d& n, double h, double scale, Diagnostics& diagnostics) {
  DomainParams& p = blocks.domain.values;
  Vec3d used = p.size;
  for (int axis = 0; axis < blocks.dims; ++axis)
    if (std::abs(n[axis] * h - p.size[axis]) > whole_cells * p.size[axis]) used[axis] = n[axis] * h;
  if (!(used == p.size)) {
    diagnostics.warning(blocks.domain.where("size"),
                        "the size is not a whole number of cells of " + short_text(h) + " m" + scale_text(scale),
                        "using " + vector_text(used, blocks.dims) + " m: " + cells_text(n, blocks.dims) + " cells");
    p.size = used;
  }
}

bool check_count(const SceneBlocks& blocks, const Vec3d& n, double h, double scale, const Machine& machine,
                 Diagnostics& diagnostics) {
  const DomainParams& p = blocks.domain.values;
  const Location& where = blocks.domain.where(p.cell_size ? "cell_size" : "resolution");
  bool good = true;
  for (int axis = 0; axis < blocks.dims; ++axis)
    if (n[axis] < fewest_cells) {
      const double fits = p.size[axis] / fewest_cells;
      diagnostics.error(blocks.domain.where("size"),
                        str("the domain is ", n[axis] == 1 ? "1 cell" : str(n[axis], " cells"), " wide along ",
                            axis_names[axis], scale_text(scale), "; it needs at least ", fewest_cells),
                        p.cell_size ? "cell_size = " + short_text(fits * scale) + " makes it " + str(fewest_cells)
                                    : finer_or_coarser(p, fits, scale) + " makes it " + str(fewest_cells));
      good = false;
    }
  // Grids of water and sand are where those are: see check_memory.
  const double bytes_per_cell = has_particles(blocks) ? 0
                                : blocks.material == "gas"
                                    ? gas_bytes_per_cell(blocks.gas.values)
                                    : smoke_bytes_per_cell(blocks.smoke.values, contents_of(blocks));
  const double cells = n.x * n.y * n.z, bytes = cells * bytes_per_cell;
  const double memory = double(machine.memory_bytes);
  const double mean =
      std::pow(n.x, 1.0 / blocks.dims) * std::pow(n.y, 1.0 / blocks.dims) * std::pow(n.z, 1.0 / blocks.dims);
  const auto coarser = [&](double most) { return rounded_up(h * mean / std::pow(most, 1.0 / blocks.dims)); };
  if (cells > most_cells) {
    diagnostics.error(where,
                      "that makes " + cells_text(n, blocks.dims) + " = " + count_text(cells) +
                          " cells; a domain can have 2.1 billion" + scale_text(scale),
                      finer_or_coarser(p, coarser(most_cells), scale) + " fits");
    return false;
  }
  if (memory > 0 && bytes > memory) {
    diagnostics.error(where,
                      "that makes " + cells_text(n, blocks.dims) + " = " + count_text(cells) + " cells, which need " +
                          bytes_text(bytes) + " of memory; this machine has " + bytes_text(memory),
                      finer_or_coarser(p, coarser(0.9 * memory / bytes_per_cell), scale) + " would fit");
    return false;
  }
  if (h < smallest_cell) {
    diagnostics.error(
        where,
        "a cell is " + short_text(h) + " m wide" + scale_text(scale) + ", and its volumes too small to be written",
        finer_or_coarser(p, smallest_cell, scale) + " is large enough; or make all of the scene larger");
    good = false;
  }
  return good;
}

/// Writes every side of an axis that exists into the block, and the domain's sides from it.
bool settle_sides(SceneBlocks& blocks, Domain& domain, Diagnostics& diagnostics) {
  SidesParams& sides = blocks.domain.values.sides;
  bool good = true;
  for (int axis = 0; axis < 3; ++axis) {
    const std::string low = {axis_names[axis], '_', 'm', 'i', 'n'}, high = {axis_names[axis], '_', 'm', 'a', 'x'};
    for (int end = 0; end < 2; ++end) {
      std::optional<Side>& side = sides.at(axis, end);
      const std::string& name = end ? high : low;
      if (axis >= blocks.dims) {
        if (side)
          diagnostics.error(blocks.domain.block.key_where("sides." + name),
                            str("the scene is ", blocks.dims, "D, so it has no side ", name),
                            str("sides are ", blocks.dims == 1 ? "x_min and x_max" : "x_min, x_max, y_min and y_max"));
        good = good && !side;
        continue;
      }
      if (!side) side = Side::wall;
      domain.sides[std::size_t(axis)][std::size_t(end)] = *side;
    }
    if (axis < blocks.dims && (sides.at(axis, 0) == Side::periodic) != (sides.at(axis, 1) == Side::periodic)) {
      const bool at_low = sides.at(axis, 0) == Side::periodic;
      const std::string &name = at_low ? low : high, &other = at_low ? high : low;
      diagnostics.error(
          blocks.domain.where("sides." + name), name + " is periodic and " + other + " is not",
          "what leaves through one must come in through the other: write " + other + " = \"periodic\" too");
      good = false;
    }
  }
  return good;
}

Vec3d usual_gravity(int dims) {
  return {0, dims == 2 ? -9.81 : 0, dims == 3 ? -9.81 : 0};
}

}  // namespace

std::optional<Domain> make_domain(SceneBlocks& blocks, double scale, const Machine& machine, Diagnostics& diagnostics) {
  if (blocks.dims == 1 && has_particles(blocks)) return std::nullopt;  // check_particles has said so
  DomainParams& p = blocks.domain.values;
  Domain domain;
  const bool sides_good = settle_sides(blocks, domain, diagnostics);
  if (!p.gravity) p.gravity = usual_gravity(blocks.dims);
  if (!blocks.domain.good) return {};

  const double h = cell_edge(p, scale);
  const Vec3d n = count_cells(blocks, h);
  if (!check_count(blocks, n, h, scale, machine, diagnostics) || !sides_good) return {};
  round_size(blocks, n, h, scale, diagnostics);
  p.cell_size = h;
  p.resolution.reset();

  Lattice& lattice = domain.lattice;
  lattice.h = h;
  lattice.origin = p.origin;
  for (int axis = blocks.dims; axis < 3; ++axis) {
    lattice.active[axis] = 0;
    lattice.origin[axis] = -h / 2;  // so that everything lies in the plane 0
  }
  domain.cells = {{0, 0, 0}, n.as<int>()};
  return domain;
}

void check_memory(const Scene& scene, const SceneBlocks& blocks, const DomainParams& asked, double scale,
                  const Machine& machine, Diagnostics& diagnostics) {
  const double memory = double(machine.memory_bytes);
  if (!scene.has_particles() || memory <= 0) return;
  const SceneEstimate need = estimate(scene);
  if (need.memory_bytes <= memory) return;
  const double h = scene.setting.domain.lattice.h;
  const double fits = rounded_up(h * std::pow(need.memory_bytes / (0.9 * memory), 1.0 / blocks.dims));
  diagnostics.error(blocks.domain.where(asked.cell_size ? "cell_size" : "resolution"),
                    "that makes " + count_text(double(need.particles)) + " particles, which need " +
                        bytes_text(need.memory_bytes) + " of memory; this machine has " + bytes_text(memory),
                    finer_or_coarser(asked, fits, scale) + " would fit");
}

}  // namespace silt
