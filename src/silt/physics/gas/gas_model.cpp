#include "silt/physics/gas/gas_model.h"

#include "silt/core/text.h"
#include "silt/physics/common/flow_kernels.h"
#include "silt/physics/common/obstacle_distance.h"
#include "silt/physics/gas/contents.h"
#include "silt/physics/gas/gas_kernels.h"
#include "silt/physics/gas/gas_stepper.h"
#include "silt/physics/gas/inflow.h"

namespace silt {

namespace {

class GasModel final : public Model {
 public:
  GasModel(const GasParams& params, const Setting& setting, int pad, double frame)
      : params_(params),
        setting_(gas::open_inflow_sides(setting)),
        layout_(make_layout(setting.domain.cells, setting.domain.lattice.active, gas_halo, pad)),
        stepper_(params_, setting_, layout_, frame),
        state_(stepper_.make_state()) {}

  StepReport start(const Exec& exec) override {
    stepper_.start(exec, state_);
    return {};
  }
  double stable_step(const Exec& exec, double time) override { return stepper_.stable_step(exec, time, state_); }

  StepReport substep(const Exec& exec, double time, double dt) override {
    StepContext step(exec, domain(), time, dt);
    stepper_.substep(state_, step);
    const gas::StageParts parts = stepper_.parts(false);
    const gas::Least least = gas::find_least(parts.frame(step), state_, parts.pressure(state_));
    if (!(least.density > 0) || (params_.ideal() && !(least.pressure > 0)))
      step.report.problem = str("gas has a density of ", least.density, " kg/m^3 and a pressure of ", least.pressure,
                                " Pa somewhere: the step was too long");
    return step.report;
  }

  void visit(StateVisitor& visitor) override { silt::visit(state_, domain(), visitor); }

  Totals totals(const Exec& exec, double time) override {
    const Look look(*this, exec, time);
    const gas::GasSums sums = gas::find_sums(look.frame, state_, look.pressure);
    Totals t;
    t.mass = sums.mass;
    t.momentum = sums.momentum;
    t.kinetic_energy = sums.kinetic_energy;
    t.max_speed = sums.fastest;
    return t;
  }

  void snapshot(const Exec& exec, double time, Frame& frame) override {
    const Look look(*this, exec, time);
    const std::size_t cells = std::size_t(domain().cells.count());
    Buffer<float> density(cells), pressure(cells), over(cells), temperature(cells), velocity(3 * cells);
    gas::pack_gas(look.frame, state_, look.pressure, density, pressure, temperature);
    pack_cells(exec, domain(), look.pressure, over);
    pack_velocity(exec, domain(), state_.velocity, velocity);
    frame.domain = domain();
    const auto add = [&](const char* name, Volume::Kind kind, const char* unit, double background,
                         const Buffer<float>& values) {
      frame.volumes.push_back({"gas", name, kind, unit, domain().cells, float(background),
                               std::vector<float>(values.host(), values.host() + values.size())});
    };
    add("gas_density", Volume::Kind::fog, "kg/m^3", params_.ambient_density(), density);
    add("pressure", Volume::Kind::fog, "Pa", params_.ambient_pressure, pressure);
    add("overpressure", Volume::Kind::fog, "Pa", 0, over);
    if (params_.ideal()) add("temperature", Volume::Kind::fog, "K", params_.ambient_temperature, temperature);
    add("velocity", Volume::Kind::vector, "m/s", 0, velocity);
    if (state_.smoke.allocated()) {
      Buffer<float> smoke(cells);
      pack_cells(exec, domain(), state_.smoke, smoke);
      add("density", Volume::Kind::fog, "", 0, smoke);
    }
    if (state_.fuel.allocated()) {
      Buffer<float> fuel(cells), flame(cells);
      pack_cells(exec, domain(), state_.fuel, fuel);
      gas::pack_flame(look.frame, {float(params_.burn_rate), float(params_.ignition_temperature)}, state_, flame);
      add("fuel", Volume::Kind::fog, "", 0, fuel);
      add("flame", Volume::Kind::fog, "1/s", 0, flame);
    }
    if (!setting_.obstacles.empty())
      add("solid", Volume::Kind::level_set, "m", 3 * domain().lattice.h,
          to_obstacles_.at_centres(exec, setting_, time));
  }

  std::int64_t cells() const override { return domain().cells.count(); }

 private:
  const Domain& domain() const { return setting_.domain; }

  /// The state with all that is worked out from it.
  struct Look {
    StepContext step;
    gas::StageParts parts;
    gas::StepFrame frame;
    const Field<float>& pressure;
    Look(GasModel& model, const Exec& exec, double time)
        : step(exec, model.domain(), time, 0),
          parts(model.stepper_.parts(false)),
          frame(parts.frame(step)),
          pressure(parts.pressure(model.state_)) {
      gas::FindPressure{parts}.run(model.state_, step);
    }
  };

  const GasParams params_;
  const Setting setting_;
  const Layout layout_;
  GasStepper stepper_;
  GasState state_;
  ObstacleDistance to_obstacles_;
};

}  // namespace

std::unique_ptr<Model> make_gas_model(const GasParams& params, const Setting& setting, int pad, double frame) {
  return std::make_unique<GasModel>(params, setting, pad, frame);
}

double gas_bytes_per_cell(const GasParams& params) {
  // State 24, kept copy 24, reference 8, velocities 24, lost 12 or pressure 4, fluxes 24, pressures 8, smoke 4, fuel 8,
  // cut cells 36, packed frame 32. Implicit: weights 12, rows 20, solver 44.
  return 200 + (params.pressure == GasPressure::explicit_ ? 0 : 76);
}

}  // namespace silt
