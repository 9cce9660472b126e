#include <algorithm>
#include <cmath>
#include <map>

#include "silt/core/text.h"
#include "silt/physics/common/advect.h"
#include "silt/physics/common/flux_transport.h"
#include "validation/lab.h"

namespace silt::validation {

namespace {

constexpr double pi = 3.14159265358979323846;

struct Scheme {
  AdvectionOptions options;
  double least_order;  ///< of a rotating smooth field
  std::string name() const {
    std::string out(name_of(options.scheme));
    if (options.tracing == Tracing::rk3) out += "_rk3";
    if (!options.clamp) out += "_free";
    return out;
  }
  bool second_order() const { return least_order > 1; }
  /// As many curves as a plot bears: the usual form of each scheme.
  bool shown() const {
    return options.scheme != Advection::lax_friedrichs && options.tracing == Tracing::rk2 && options.clamp;
  }
  /// Cells a step may cross: what semi-Lagrangian schemes are used at, or nine tenths of what differences bear.
  double cfl(double usual) const { return std::min(usual, 0.9 * cfl_limit(options, 2)); }
};

std::vector<Scheme> all_schemes() {
  using enum Advection;
  return {{{lax_friedrichs}, 0.6},
          {{upwind}, 0.8},
          {{lax_wendroff}, 1.8},
          {{linear}, 0.8},
          {{linear, Tracing::rk3}, 0.8},
          {{cubic}, 1.7},
          {{cubic, Tracing::rk3}, 1.7},
          {{maccormack}, 1.6},
          {{maccormack, Tracing::rk2, false}, 1.8},
          {{maccormack, Tracing::rk3, false}, 1.8},
          {{bfecc}, 1.6},
          {{bfecc, Tracing::rk2, false}, 1.8},
          {{bfecc, Tracing::rk3, false}, 1.8}};
}

template <class Visit>
void for_each(const Box& b, const Visit& visit) {
  for (int j = b.lo.y; j < b.hi.y; ++j)
    for (int i = b.lo.x; i < b.hi.x; ++i) visit(Cell{i, j, 0});
}

/// The unit square turning about its middle, once a second, and one field that turns with it.
class Turntable {
 public:
  Turntable(const Exec& exec, int n)
      : exec_(exec),
        domain_{{{}, 1.0 / n, {1, 1, 0}}, {{0, 0, 0}, {n, n, 1}}, {}},
        layout_(make_layout(domain_.cells, domain_.lattice.active)),
        velocity_(layout_),
        scratch_(layout_),
        field(layout_),
        next_(layout_) {
    for (int a = 0; a < 2; ++a) {
      for_each(domain_.faces(a), [&](Cell c) {
        const Vec3d x = domain_.lattice.face_centre(a, c);
        velocity_[a].at(c) = float(2 * pi * (a == 0 ? 0.5 - x.y : x.x - 0.5));
      });
      fill_halo(exec_, domain_, domain_.faces(a), HaloRule{}, velocity_[a]);
    }
  }

  /// As smoke goes: by what crosses faces.
  void turn_by_fluxes(double turns, double cfl) {
    const int steps = int(std::ceil(turns * pi / (cfl * domain_.lattice.h)));
    Domain open = domain_;  // the flow goes through its sides
    open.sides = {{{Side::open, Side::open}, {Side::open, Side::open}, {}}};
    CutCells cut(layout_);
    cut_cells(exec_, open, {}, cut);
    MacField<float> fluxes(layout_);
    volume_fluxes(exec_, open, turns / steps, velocity_, cut, fluxes);
    FluxTransport transport(layout_);
    const FluxStep step{.exec = exec_, .domain = open, .fluxes = fluxes, .beyond = HaloRule{}};
    for (int s = 0; s < steps && transport.plan(step); ++s) transport.carry(step, field);
  }

  /// In equal steps of no more than `cfl` cells along either axis, counted at the rim.
  void turn(const AdvectionOptions& options, double turns, double cfl) {
    const int steps = int(std::ceil(turns * pi / (cfl * domain_.lattice.h)));
    for (int s = 0; s < steps; ++s) {
      fill_halo(exec_, domain_, domain_.cells, HaloRule{}, field);
      advect_cells(exec_, domain_, options, turns / steps, velocity_, HaloRule{}, field, scratch_, next_);
      std::swap(field, next_);
    }
  }

  const Domain& domain() const { return domain_; }
  Vec3d centre(Cell c) const { return domain_.lattice.centre(c); }

 private:
  const Exec& exec_;
  Domain domain_;
  Layout layout_;
  MacField<float> velocity_;
  AdvectScratch scratch_;

 public:
  Field<float> field;

 private:
  Field<float> next_;
};

/// Mean error of a Gaussian after a quarter of a turn; `turn(table, turns)` takes it there.
template <class Turn>
double blob_error(const Lab& lab, int n, const Turn& turn) {
  Turntable table(lab.exec, n);
  const auto blob = [](Vec3d x, double at_x, double at_y) {
    return std::exp(-((x.x - at_x) * (x.x - at_x) + (x.y - at_y) * (x.y - at_y)) / (2 * 0.08 * 0.08));
  };
  const Box& cells = table.domain().cells;
  for_each(cells, [&](Cell c) { table.field.at(c) = float(blob(table.centre(c), 0.65, 0.5)); });
  turn(table, 0.25);
  double error = 0;
  for_each(cells, [&](Cell c) { error += std::abs(table.field(c) - blob(table.centre(c), 0.5, 0.65)); });
  return error / double(cells.count());
}

/// Zalesak's disk: centre (0.5, 0.75), radius 0.15, a slot 0.05 wide and 0.25 long from below.
struct SlottedDisk {
  static constexpr double radius = 0.15, width = 0.05, length = 0.25;
  static bool covers(double x, double y) {
    const double dx = x - 0.5, dy = y - 0.75;
    return dx * dx + dy * dy < radius * radius && (std::abs(dx) > width / 2 || dy > length - radius);
  }
  /// The rim without the slot's mouth, and the slot's three sides.
  static double perimeter() {
    const double half_mouth = std::asin(width / 2 / radius), mouth = radius * std::cos(half_mouth);
    return 2 * radius * (pi - half_mouth) + 2 * (length - radius + mouth) + width;
  }
  /// Covered part of a cell.
  static double fraction(Vec3d centre, double h) {
    constexpr int fine = 16;
    int inside = 0;
    for (int j = 0; j < fine; ++j)
      for (int i = 0; i < fine; ++i)
        inside += covers(centre.x + h * ((i + 0.5) / fine - 0.5), centre.y + h * ((j + 0.5) / fine - 0.5));
    return double(inside) / (fine * fine);
  }
};

struct DiskResult {
  double area_loss;          ///< of what is more than half covered, as a fraction
  double error;              ///< integral of |c - exact| over the perimeter [cells]
  std::vector<double> x, c;  ///< along a line through the slot
};

template <class Turn>
DiskResult turn_disk(const Lab& lab, int n, double turns, const Turn& turn) {
  Turntable table(lab.exec, n);
  const Box& cells = table.domain().cells;
  const double h = table.domain().lattice.h;
  for_each(cells, [&](Cell c) { table.field.at(c) = float(SlottedDisk::fraction(table.centre(c), h)); });
  const Field<float> start = table.field;
  if (turns > 0) turn(table, turns);
  double before = 0, after = 0, error = 0;
  for_each(cells, [&](Cell c) {
    before += start(c) > 0.5f, after += table.field(c) > 0.5f;
    error += std::abs(double(table.field(c)) - start(c));
  });
  DiskResult out{1 - after / before, error * h / SlottedDisk::perimeter(), {}, {}};
  for (int i = int(0.3 * n); i < int(0.7 * n); ++i) {
    const Cell c{i, int(0.72 * n), 0};
    out.x.push_back(table.centre(c).x);
    out.c.push_back(table.field(c));
  }
  return out;
}

struct Decay {
  std::vector<double> time, energy;  ///< energy over that at the start
  double lost() const { return 1 - energy.back(); }
};

/// Steady vortices of a fluid without viscosity, until t = 5.
Decay run_vortices(const Lab& lab, const Scheme& scheme, const std::string& splitting, int cells) {
  Simulation sim = lab.simulate(
      lab.scene("taylor_green",
                {str("domain.resolution=", cells), "smoke.viscosity=0", "smoke.tolerance=1e-6", "run.frames=11",
                 "run.fps=2", "smoke.splitting=" + splitting, str("smoke.advection=", name_of(scheme.options.scheme)),
                 str("smoke.tracing=", scheme.options.tracing == Tracing::rk3 ? "rk3" : "rk2"),
                 str("smoke.clamp=", scheme.options.clamp ? "true" : "false"), str("smoke.cfl=", scheme.cfl(1))}));
  Decay out;
  while (sim.advance_frame()) {
    out.time.push_back(sim.time());
    out.energy.push_back(sim.stats().totals.kinetic_energy);
  }
  for (std::size_t i = out.energy.size(); i-- > 0;) out.energy[i] /= out.energy[0];
  return out;
}

std::string rounded(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

}  // namespace

void advection(Lab& lab) {
  const std::vector<int> sizes = lab.quick ? std::vector{32, 64} : std::vector{64, 128, 256};
  const int disk_cells = lab.quick ? 50 : 100, vortex_cells = lab.quick ? 24 : 64;
  lab.about(str(
      "Every advection scheme on three flows, and transport by fluxes on the first two.\n\n"
      "* **A smooth field in a rotation**: a Gaussian (standard deviation 0.08) a quarter of a turn round the unit\n"
      "  square, dt proportional to h. The order is that of the mean error between the two finest grids of ",
      sizes.front(), "^2 to ", sizes.back(),
      "^2 cells.\n"
      "* **Zalesak's slotted disk** (Zalesak 1979, J. Comput. Phys. 31, 335-362): one turn on ",
      disk_cells,
      "^2 cells. Area is\n"
      "  what is more than half covered; the error is the integral of |c - exact| over the perimeter, in cells.\n"
      "* **Taylor-Green vortices without viscosity** on ",
      vortex_cells,
      "^2 cells: a steady flow that carries itself. Kinetic\n"
      "  energy lost at t = 5, with plain splitting and with advection-reflection.\n\n"
      "The rotations cross at most 0.8 cells a step (smooth field) and 2 cells (disk) at the rim, the vortices 1;\n"
      "finite differences nine tenths of their limit where that is less. `free` is without the clamp, `rk3` traced\n"
      "by the third-order rule. `fluxes` is what carries smoke and heat by default: no worse than `maccormack`."));
  Plot& errors = lab.plot("order", "A smooth field in a rotation: mean error.", "cells a side", "mean |c - exact|");
  errors.log_x = errors.log_y = true;
  Plot& slot = lab.plot("zalesak", "Zalesak's disk after one turn: a line through the slot.", "x [m]", "c");
  Plot& energy = lab.plot("taylor_green", "Kinetic energy with advection-reflection.", "t [s]", "E / E(0)");
  std::string table =
      "| scheme | order | disk: area lost | disk: error [cells] | vortices: energy lost, plain | with reflection |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  const DiskResult exact = turn_disk(lab, disk_cells, 0, [](Turntable&, double) {});
  slot.dashed("exact", exact.x, exact.c);
  double maccormack = 0;  // error of the disk [cells]
  for (const Scheme& scheme : all_schemes()) {
    const std::string name = scheme.name();
    std::vector<double> cells, error;
    for (const int n : sizes) {
      cells.push_back(n);
      error.push_back(blob_error(
          lab, n, [&](Turntable& turntable, double turns) { turntable.turn(scheme.options, turns, scheme.cfl(0.8)); }));
    }
    const std::size_t last = error.size() - 1;
    const double order = std::log2(error[last - 1] / error[last]);
    lab.measure.at_least("order." + name, order, scheme.least_order - (lab.quick ? 0.2 : 0));
    if (scheme.shown()) errors.points(name, cells, error);

    const DiskResult disk = turn_disk(lab, disk_cells, 1, [&](Turntable& turntable, double turns) {
      turntable.turn(scheme.options, turns, scheme.cfl(2));
    });
    if (name == "maccormack") maccormack = disk.error;
    lab.measure.tell("zalesak.area_lost." + name, disk.area_loss);
    if (scheme.second_order())
      lab.measure.at_most("zalesak.error." + name, disk.error, lab.quick ? 2.5 : 3.2, "cells");
    else
      lab.measure.tell("zalesak.error." + name, disk.error, "cells");
    if (scheme.shown()) slot.line(name, disk.x, disk.c);

    const Decay plain = run_vortices(lab, scheme, "plain", vortex_cells),
                reflected = run_vortices(lab, scheme, "reflection", vortex_cells);
    lab.measure.tell("taylor_green.lost.plain." + name, plain.lost());
    if (scheme.second_order())
      lab.measure.at_most("taylor_green.lost.reflection." + name, reflected.lost(), lab.quick ? 0.08 : 0.01);
    else
      lab.measure.tell("taylor_green.lost.reflection." + name, reflected.lost());
    if (scheme.shown()) energy.line(name, reflected.time, reflected.energy);

    table += str("| `", name, "` | ", rounded(order, 2), " | ", rounded(100 * disk.area_loss, 1), " % | ",
                 rounded(disk.error, 2), " | ", rounded(100 * plain.lost(), 2), " % | ",
                 rounded(100 * reflected.lost(), 2), " % |\n");
  }
  const auto by_fluxes = [](double cfl) {
    return [cfl](Turntable& turntable, double turns) { turntable.turn_by_fluxes(turns, cfl); };
  };
  std::vector<double> cells, error;
  for (const int n : sizes) {
    cells.push_back(n);
    error.push_back(blob_error(lab, n, by_fluxes(0.8)));
  }
  const double order = std::log2(error[error.size() - 2] / error.back());
  lab.measure.at_least("order.fluxes", order, lab.quick ? 1.6 : 1.8);
  lab.measure.tell("blob.fluxes", error[1]);
  errors.points("fluxes", cells, error);
  const DiskResult disk = turn_disk(lab, disk_cells, 1, by_fluxes(2));
  lab.measure.tell("zalesak.area_lost.fluxes", disk.area_loss);
  lab.measure.at_most("zalesak.error.fluxes", disk.error, maccormack, "cells");
  slot.line("fluxes", disk.x, disk.c);
  table += str("| by fluxes | ", rounded(order, 2), " | ", rounded(100 * disk.area_loss, 1), " % | ",
               rounded(disk.error, 2), " | | |\n");
  lab.note(table);
}

}  // namespace silt::validation
