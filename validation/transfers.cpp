#include <cmath>
#include <map>

#include "silt/core/random.h"
#include "silt/core/text.h"
#include "silt/fields/halo.h"
#include "silt/fields/seeding.h"
#include "silt/physics/common/grid_to_particles.h"
#include "silt/physics/common/move_particles.h"
#include "silt/physics/common/particles_to_grid.h"
#include "trials/text.h"
#include "validation/lab.h"
#include "validation/spinning_drop.h"

namespace silt::validation {

namespace {

constexpr double pi = 3.14159265358979323846;

std::vector<TransferOptions> all_transfers() {
  using enum Transfer;
  std::vector<TransferOptions> out;
  for (Transfer scheme : {pic, blend, flip, apic, polypic}) out.push_back({scheme, Across::linear});
  for (Transfer scheme : {pic, apic, polypic}) out.push_back({scheme, Across::smooth});
  return out;
}

std::string name_of(const TransferOptions& o) {
  return str(silt::name_of(o.scheme), o.across == Across::smooth ? "_smooth" : "");
}

template <class Visit>
void for_each(const Box& b, const Visit& visit) {
  for (int k = b.lo.z; k < b.hi.z; ++k)
    for (int j = b.lo.y; j < b.hi.y; ++j)
      for (int i = b.lo.x; i < b.hi.x; ++i) visit(Cell{i, j, k});
}

/// Particles in a box of n cells, h = 1, that nothing acts on: they go to the grid and come back.
class Cloud {
 public:
  Cloud(const Exec& exec, int n, int dims, Side side, const TransferOptions& options)
      : exec_(exec),
        options_(options),
        layout_(make_layout({{0, 0, 0}, {n, n, dims == 3 ? n : 1}}, {1, 1, dims == 3})),
        velocity(layout_),
        weight(layout_),
        particles({1, 1, dims == 3}, options.modes()) {
    domain.cells = {{0, 0, 0}, {n, n, dims == 3 ? n : 1}};
    domain.lattice.active = particles.active;
    for (auto& pair : domain.sides) pair = {side, side};
  }

  void seed(const Shape& shape, std::uint64_t random) {
    seed_particles(exec_, domain, shape, {.seed = random, .jitter = 1}, particles);
  }
  /// Anywhere in its cell, with the same chance: seeds keep to the middles of their parts of it.
  void scatter() {
    for (int a = 0; a < 3; ++a)
      if (domain.lattice.active[a])
        for (std::size_t i = 0; i < particles.count; ++i)
          particles.offset[a].update(exec_)[i] = float(random_unit(1, i, std::uint64_t(a))) * 0x1.fffffep-1f;
  }
  /// Each particle's velocity, and the modes it can carry by a transfer from the grid.
  template <class Flow>
  void set_flow(const Flow& flow) {
    for (int a = 0; a < 3; ++a)
      if (domain.lattice.active[a])
        for_each(layout_.storage(),
                 [&](Cell c) { velocity[a].at(c) = float(flow(domain.lattice.face_centre(a, c))[a]); });
    sort();
    TransferOptions first = options_;
    if (first.kept() > 0) first.scheme = Transfer::pic;  // there is nothing to keep yet
    grid_to_particles(exec_, first, velocity, velocity, ranges_, particles);
  }
  void to_grid() {
    sort();
    particles_to_grid(exec_, domain, particles, ranges_, options_.across, scratch_, velocity, weight);
  }
  /// Back as they are: the grid has done nothing.
  void to_particles() {
    for (int a = 0; a < 3; ++a)
      if (domain.lattice.active[a] && domain.periodic(a))
        fill_halo(exec_, domain, domain.faces(a), HaloRule{}, velocity[a]);
    grid_to_particles(exec_, options_, velocity, velocity, ranges_, particles);
  }
  void move(double dt) { move_particles(exec_, domain, Moving::own, velocity, dt, 1, particles); }

  /// Of the faces about the middle of the box, after to_grid.
  Vec3d angular_momentum() const {
    const Vec3d middle = (domain.lower() + domain.upper()) * 0.5;
    Vec3d sum{};
    each_face([&](int a, Cell c, double momentum) {
      Vec3d u{};
      u[a] = momentum;
      sum += cross(domain.lattice.face_centre(a, c) - middle, u);
    });
    return domain.lattice.active.z ? sum : Vec3d{0, 0, sum.z};
  }
  double energy() const {
    double sum = 0;
    each_face([&](int a, Cell c, double momentum) { sum += 0.5 * momentum * double(velocity[a](c)); });
    return sum;
  }

 private:
  template <class Visit>
  void each_face(const Visit& visit) const {
    for (int a = 0; a < 3; ++a)
      if (domain.lattice.active[a])
        for_each(domain.faces(a), [&](Cell c) {
          if (weight[a](c) > 0) visit(a, c, double(weight[a](c)) * double(velocity[a](c)));
        });
  }
  void sort() { sort_particles(exec_, domain, layout_, particles, ranges_, sorting_); }

  const Exec& exec_;
  TransferOptions options_;
  Layout layout_;
  CellRanges ranges_;
  SortScratch sorting_;
  TransferScratch scratch_;

 public:
  Domain domain;
  MacField<float> velocity, weight;
  Particles particles;
};

/// A turn about an axis that is none of the lattice's, with eddies of a few cells in it.
Vec3d eddies(const Vec3d& x, double middle, bool flat) {
  const Vec3d d{x.x - middle, x.y - middle, flat ? 0 : x.z - middle};
  const Vec3d turn = cross(flat ? Vec3d{0, 0, 1} : Vec3d{0.3, 0.5, 0.8}, d);
  const double k = 2 * pi / 7;
  const Vec3d eddy{std::sin(k * d.y + 1) * std::cos(k * d.z), std::sin(k * d.x) * std::cos(k * d.z + 2),
                   flat ? 0 : std::sin(k * (d.x + d.y))};
  return turn + eddy * 3.0;
}

struct Kept {
  double angular_error = 0;           ///< of angular momentum, relative, after all trips
  std::vector<double> trips, energy;  ///< energy over that at the start
};

/// A ball of particles that moves by its own velocities for a hundred trips to the grid and back.
Kept fly(const Exec& exec, int dims, const TransferOptions& options) {
  const int n = dims == 3 ? 40 : 64;
  const double middle = 0.5 * n, radius = dims == 3 ? 9.3 : 13.7;
  Cloud cloud(exec, n, dims, Side::wall, options);
  cloud.seed(Shape::sphere({middle, middle, dims == 3 ? middle : 0.5}, radius), 5);
  cloud.set_flow([&](const Vec3d& x) { return eddies(x, middle, dims == 2); });
  Kept out;
  Vec3d at_first{};
  double energy_at_first = 1;
  for (int trip = 0; trip <= 100; ++trip) {
    cloud.to_grid();
    if (trip == 0) at_first = cloud.angular_momentum(), energy_at_first = cloud.energy();
    out.trips.push_back(trip);
    out.energy.push_back(cloud.energy() / energy_at_first);
    out.angular_error = length(cloud.angular_momentum() - at_first) / length(at_first);
    cloud.to_particles();
    cloud.move(0.01);
  }
  return out;
}

/// D with u decaying as exp(-D k^2 h^2) a round trip: a wave across (component y along x) or along (component x).
double diffusion(const Exec& exec, const TransferOptions& options, int wavelength, bool along) {
  Cloud cloud(exec, wavelength, 2, Side::periodic, options);
  for (std::uint64_t random = 0; random < 8; ++random) cloud.seed(Shape::plane({0, 0, 9}, {0, 0, 1}), random);
  cloud.scatter();
  const double k = 2 * pi / wavelength;
  const int component = along ? 0 : 1;
  cloud.set_flow([&](const Vec3d& x) {
    Vec3d u{};
    u[component] = std::sin(k * x.x);
    return u;
  });
  const auto amplitude = [&] {
    double sum = 0, norm = 0;
    for_each(cloud.domain.faces(component), [&](Cell c) {
      const double s = std::sin(k * cloud.domain.lattice.face_centre(component, c).x);
      sum += s * cloud.velocity[component](c), norm += s * s;
    });
    return sum / norm;
  };
  cloud.to_grid();
  const double before = amplitude();
  constexpr int trips = 20;
  for (int trip = 0; trip < trips; ++trip) cloud.to_particles(), cloud.to_grid();
  return -std::log(amplitude() / before) / (trips * k * k);
}

void measure_diffusion(Lab& lab) {
  Plot& plot = lab.plot("diffusion", "PIC's diffusion in a round trip.", "cells a wavelength", "D, in h^2 a trip");
  plot.log_x = true;
  const std::vector<int> wavelengths = lab.quick ? std::vector{16, 32} : std::vector{8, 16, 32, 64, 128};
  for (Across across : {Across::linear, Across::smooth}) {
    std::vector<double> x, y;
    for (int n : wavelengths) x.push_back(n), y.push_back(diffusion(lab.exec, {Transfer::pic, across}, n, false));
    const bool linear = across == Across::linear;
    plot.points(linear ? "linear" : "smooth across", x, y);
    lab.measure.near(linear ? "pic.diffusion" : "pic_smooth.diffusion", y.back(), linear ? 1.0 / 6 : 0.25,
                     lab.quick ? 0.01 : 0.004, "h^2");
    lab.measure.near(linear ? "pic.diffusion.along" : "pic_smooth.diffusion.along",
                     diffusion(lab.exec, {Transfer::pic, across}, wavelengths.back(), true), 1.0 / 6,
                     lab.quick ? 0.01 : 0.004, "h^2");
  }
  const double last = wavelengths.back();
  plot.dashed("1/6", {double(wavelengths.front()), last}, {1.0 / 6, 1.0 / 6});
  plot.dashed("1/4", {double(wavelengths.front()), last}, {0.25, 0.25});
}

/// A whole step of a liquid, not a round trip alone.
void measure_spin(Lab& lab) {
  Plot& plot = lab.plot("spin", "Angular momentum of a drop that turns once.", "turns", "L / L(0)");
  using enum Transfer;
  const std::vector<Transfer> all = lab.quick ? std::vector{pic, apic} : std::vector{pic, blend, flip, apic, polypic};
  for (const Transfer transfer : all) {
    const Spin s = spin(lab.exec, transfer, lab.quick ? 32 : 64, lab.quick ? 1e-3 : 5e-4);
    const std::string name(silt::name_of(transfer));
    plot.line(name, s.turns, s.angular_momentum);
    const double lost = 1 - s.angular_momentum.back();
    if (transfer == apic)
      lab.measure.at_most("apic.spin_lost", std::abs(lost), lab.quick ? 0.04 : 0.01);
    else if (transfer == pic)
      lab.measure.at_least("pic.spin_lost", lost, 0.1);
    else
      lab.measure.tell(name + ".spin_lost", lost);
    lab.measure.tell(name + ".spin_energy", s.energy);
  }
}

}  // namespace

void transfers(Lab& lab) {
  lab.about(
      "What velocities lose on the way from particles to faces and back, where the grid does nothing to them.\n\n"
      "* **A ball of particles in flight**: it turns, with eddies of seven cells in it, and moves by its own\n"
      "  velocities, x += dt u_p, for 100 round trips, in 2D and in 3D. Angular momentum and kinetic energy are those\n"
      "  of the faces. With APIC and PolyPIC and weights that are smooth across, angular momentum has to be exact\n"
      "  (Jiang, Schroeder & Teran 2017, J. Comput. Phys. 338, 137-164).\n"
      "* **A drop that turns**: without weight, in the air, once, with the whole step of a liquid (RK2, steps of 0.5 "
      "ms):\n"
      "  APIC has to keep its angular momentum to 1 %, and PIC has to show why.\n"
      "* **PIC's diffusion**: a wave loses D k^2 h^2 of itself in a round trip. With linear weights each of the two\n"
      "  interpolations takes h^2/12 of the second derivative, so D = 1/6. (Zhu & Bridson 2005 stop the integral at\n"
      "  half a cell, and print 1/9.) Quadratic B-splines have a variance of 1/4 instead of 1/6: D = 1/4.\n\n"
      "`smooth`: quadratic B-splines along the axes that a face does not lie across. `blend` keeps 0.97 of FLIP.");
  const int most_dims = lab.quick ? 2 : 3;
  std::string table =
      "| transfer | angular momentum lost, 2D | 3D | energy kept, 2D | 3D |\n| --- | --- | --- | --- | --- |\n";
  Plot& linear =
      lab.plot("energy", str("Kinetic energy of a ball of particles in flight, ", most_dims, "D; linear weights."),
               "round trips", "E / E(0)");
  Plot& smooth = lab.plot("energy_smooth", "The same with weights that are smooth across.", "round trips", "E / E(0)");
  std::map<std::string, std::map<int, Kept>> kept;
  for (const TransferOptions& options : all_transfers()) {
    const std::string name = name_of(options);
    for (int dims = 2; dims <= most_dims; ++dims) {
      const Kept& k = kept[name][dims] = fly(lab.exec, dims, options);
      const std::string measure = str(name, ".angular_momentum.", dims, "d");
      if (options.across == Across::smooth && options.modes() != Modes::constant)
        lab.measure.at_most(measure, k.angular_error, 1e-6);
      else
        lab.measure.tell(measure, k.angular_error);
      lab.measure.tell(str(name, ".energy.", dims, "d"), k.energy.back());
      if (dims == most_dims) (options.across == Across::linear ? linear : smooth).line(name, k.trips, k.energy);
    }
    const Kept &flat = kept[name][2], &full = kept[name][most_dims];
    table += str("| `", name, "` | ", trials::short_number(flat.angular_error), " | ",
                 trials::short_number(full.angular_error), " | ", trials::short_number(flat.energy.back()), " | ",
                 trials::short_number(full.energy.back()), " |\n");
  }
  for (int dims = 2; dims <= most_dims; ++dims)
    for (const std::string across : {"", "_smooth"}) {
      const auto energy = [&](const std::string& name) { return kept[name + across][dims].energy.back(); };
      lab.measure.at_least(str("apic_over_pic.energy", across, ".", dims, "d"), energy("apic") / energy("pic"), 1);
      lab.measure.at_least(str("polypic_over_apic.energy", across, ".", dims, "d"), energy("polypic") / energy("apic"),
                           1);
    }
  measure_diffusion(lab);
  measure_spin(lab);
  lab.note(table);
  lab.note(
      "With linear weights a particle's slope weighs f (1 - f) in the angular momentum, which depends on where in its\n"
      "cell it is, so a part of it comes and goes as particles move; it is not conserved exactly, whatever the step.");
}

}  // namespace silt::validation
