#include <cmath>

#include "silt/core/text.h"
#include "silt/physics/smoke/smoke_model.h"
#include "validation/lab.h"

namespace silt::validation {

namespace {

/// Sets u = sin x cos y, v = -cos x sin y on the faces of a smoke state.
struct SetVortices final : StateVisitor {
  const Lattice lattice;
  explicit SetVortices(const Lattice& l) : lattice(l) {}

  void operator()(std::string_view name, Field<float>& field, const Box& box) override {
    const int axis = name == "smoke.velocity.x" ? 0 : name == "smoke.velocity.y" ? 1 : -1;
    if (axis < 0) return;
    float* values = field.values().host();
    for (int j = box.lo.y; j < box.hi.y; ++j)
      for (int i = box.lo.x; i < box.hi.x; ++i) {
        const Vec3d x = lattice.face_centre(axis, {i, j, box.lo.z});
        values[field.layout().index({i, j, box.lo.z})] =
            float(axis == 0 ? std::sin(x.x) * std::cos(x.y) : -std::cos(x.x) * std::sin(x.y));
      }
  }
  void operator()(std::string_view, Field<double>&, const Box&) override {}
};

struct Decay {
  std::vector<double> time, energy;  ///< energy over that at the start
  double lost() const { return 1 - energy.back(); }
};

Decay run(const Lab& lab, int cells, const std::string& splitting, double cfl) {
  const std::string text =
      str("silt = 1\n[run]\nframes = 11\nfps = 2\n[domain]\nsize = [6.283185307179586, 6.283185307179586]\n"
          "gravity = [0, 0]\nsides = { x_min = \"periodic\", x_max = \"periodic\", y_min = \"periodic\", y_max = "
          "\"periodic\" }\nresolution = ",
          cells, "\n[smoke]\ntolerance = 1e-6\nsplitting = \"", splitting, "\"\ncfl = ", cfl, "\n");
  SimulationOptions options;
  options.device = lab.exec.device();
  options.threads = lab.exec.threads();
  options.model = [](const Scene& scene, int pad) {
    auto model = make_smoke_model(scene.smoke, scene.setting, pad);
    SetVortices vortices(scene.setting.domain.lattice);
    model->visit(vortices);
    return model;
  };
  Simulation sim(parse_scene(text, "taylor_green"), options);
  Decay out;
  while (sim.advance_frame()) {
    out.time.push_back(sim.time());
    out.energy.push_back(sim.stats().totals.kinetic_energy);
  }
  for (std::size_t i = out.energy.size(); i-- > 0;) out.energy[i] /= out.energy[0];
  return out;
}

}  // namespace

/// Without viscosity the vortices stand still for ever: what is lost, the method lost.
void taylor_green(Lab& lab) {
  lab.about(
      "u = sin x cos y, v = -cos x sin y in a periodic box of side 2 pi (Taylor & Green 1937, Proc. R. Soc. A 158) is "
      "a\n"
      "steady flow of a fluid without viscosity. The kinetic energy that is gone at t = 5 is therefore the error of "
      "the\n"
      "method: of splitting advection from pressure, and of interpolation. MacCormack advection.");
  const int cells = lab.quick ? 48 : 128;
  Plot& plot = lab.plot("energy", "Kinetic energy over time.", "t [s]", "E / E(0)");
  std::vector<double> cfls = lab.quick ? std::vector<double>{2, 4} : std::vector<double>{0.5, 1, 2}, lost;
  const Decay reflected = run(lab, cells, "reflection", 1);
  plot.line("reflection, CFL 1", reflected.time, reflected.energy);
  for (const double cfl : cfls) {
    const Decay plain = run(lab, cells, "plain", cfl);
    plot.line(str("plain, CFL ", cfl), plain.time, plain.energy);
    lost.push_back(plain.lost());
  }
  plot.dashed("exact", {0, 5}, {1, 1});
  lab.measure.at_most("inviscid.loss.reflection", reflected.lost(), lab.quick ? 0.03 : 0.01);
  if (lab.quick)  // on a coarse grid interpolation loses as much as splitting
    lab.measure.at_least("inviscid.loss.plain", lost.back(), 0.1);
  else
    lab.measure.near("inviscid.order_of_loss_in_dt.plain", log_slope(cfls, lost), 1, 0.2);
}

}  // namespace silt::validation
