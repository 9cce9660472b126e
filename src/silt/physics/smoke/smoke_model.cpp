#include "silt/physics/smoke/smoke_model.h"

#include <cmath>
#include <limits>

#include "silt/fields/operators.h"
#include "silt/physics/common/flow_kernels.h"
#include "silt/physics/common/force_fields.h"
#include "silt/physics/common/held_values.h"
#include "silt/physics/common/obstacle_distance.h"
#include "silt/physics/smoke/burning.h"
#include "silt/physics/smoke/colour.h"
#include "silt/physics/smoke/smoke_stepper.h"
#include "silt/physics/smoke/vorticity.h"

namespace silt {

namespace {

constexpr double air_density = 1.2;  // [kg/m^3], at 20 degrees and sea level

class SmokeModel final : public Model {
 public:
  SmokeModel(const SmokeParams& params, const Setting& setting, int pad)
      : params_(params),
        setting_(setting),
        layout_(make_layout(setting.domain.cells, setting.domain.lattice.active, default_halo, pad)),
        state_(layout_, contents_of(setting)),
        stepper_(params_, setting_, layout_) {}

  StepReport start(const Exec& exec) override {
    StepContext step(exec, domain(), 0, 1);
    state_ = SmokeState(layout_, contents_of(setting_));
    stepper_.start(state_, step);
    return step.report;
  }

  double stable_step(const Exec& exec, double time) override {
    stepper_.place_solids(exec, time);
    const double h = domain().lattice.h;
    const double speed = std::max(max_face_speed(exec, domain(), state_.velocity, stepper_.workspace().cut.open),
                                  stepper_.prescribed_speed(time));
    // What forces add within the step counts too: c h >= (speed + a dt) dt.
    // h |omega| is hardly more than twice the speed.
    const double swirl = 2 * speed * confinement_strength(params_.vorticity_confinement(time), speed, h);
    const double a = largest_lift(exec, time) + swirl, reach = params_.cells_per_step(domain().lattice.dims()) * h;
    if (speed == 0 && a == 0) return std::numeric_limits<double>::infinity();
    return 2 * reach / (speed + std::sqrt(speed * speed + 4 * a * reach));
  }

  StepReport substep(const Exec& exec, double time, double dt) override {
    StepContext step(exec, domain(), time, dt);
    stepper_.substep(state_, step);
    return step.report;
  }

  void visit(StateVisitor& visitor) override { silt::visit(state_, domain(), visitor); }

  Totals totals(const Exec& exec, double time) override {
    stepper_.place_solids(exec, time);
    const CutCells& cut = stepper_.workspace().cut;
    const double volume = domain().lattice.cell_volume();
    for (int a = 0; a < 3; ++a) fill_halo(exec, domain(), domain().faces(a), HaloRule{}, state_.velocity[a]);
    Totals t;
    const Field<float>& room = stepper_.workspace().room;
    t.mass = room_sum(exec, domain(), state_.density, room.allocated() ? &room : nullptr) * volume;
    for (int a = 0; a < 3; ++a)
      t.momentum[a] = air_density * volume * star_sum(exec, domain(), a, state_.velocity, cut.open);
    t.kinetic_energy = 0.5 * air_density * volume * star_norm(exec, domain(), state_.velocity, cut.open);
    t.max_speed = max_face_speed(exec, domain(), state_.velocity, cut.open);
    t.max_divergence = max_divergence(exec, domain(), state_.velocity, cut.open, cut.closed_velocity(),
                                      {&stepper_.workspace().expansion, &cut.growth});
    return t;
  }

  void snapshot(const Exec& exec, double time, Frame& frame) override {
    stepper_.place_solids(exec, time);
    const CutCells& cut = stepper_.workspace().cut;
    for (int a = 0; a < 3; ++a) fill_halo(exec, domain(), domain().faces(a), HaloRule{}, state_.velocity[a]);
    frame.domain = domain();
    const auto add = [&](const char* name, Volume::Kind kind, const char* unit, float background, const auto& fill) {
      Volume v{"smoke", name, kind, unit, domain().cells, background, {}};
      Buffer<float> values(std::size_t(domain().cells.count()) * v.components());
      fill(values);
      v.values.assign(values.host(), values.host() + values.size());
      frame.volumes.push_back(std::move(v));
    };
    const double ambient = params_.ambient_temperature;
    add("density", Volume::Kind::fog, "", 0,
        [&](Buffer<float>& out) { pack_open_cells(exec, domain(), state_.density, cut.open, 0, 0, out); });
    add("temperature", Volume::Kind::fog, "K", float(ambient), [&](Buffer<float>& out) {
      pack_open_cells(exec, domain(), state_.temperature, cut.open, ambient, ambient, out);
    });
    add("velocity", Volume::Kind::vector, "m/s", 0,
        [&](Buffer<float>& out) { pack_velocity(exec, domain(), state_.velocity, out); });
    if (state_.coloured())
      add("colour", Volume::Kind::vector, "", 0,
          [&](Buffer<float>& out) { pack_colour(exec, domain(), state_.density, state_.colour, out); });
    if (state_.fuel.allocated()) {
      add("fuel", Volume::Kind::fog, "", 0,
          [&](Buffer<float>& out) { pack_open_cells(exec, domain(), state_.fuel, cut.open, 0, 0, out); });
      add("flame", Volume::Kind::fog, "1/s", 0, [&](Buffer<float>& out) {
        pack_flame(exec, domain(), state_.fuel, state_.temperature, params_.ignition_temperature - ambient,
                   params_.burn_rate(time), out);
      });
    }
    if (!setting_.obstacles.empty())
      add("solid", Volume::Kind::level_set, "m", float(3 * domain().lattice.h),
          [&](Buffer<float>& out) { out = to_obstacles_.at_centres(exec, setting_, time); });
  }

  std::int64_t cells() const override { return domain().cells.count(); }

 private:
  const Domain& domain() const { return setting_.domain; }

  /// Bound on the acceleration [m/s^2] of anything in the domain, and of what sources and inlets are about to put
  /// there, with the heat that its fuel is about to release.
  double largest_lift(const Exec& exec, double time) {
    const BuoyancyLaw law = params_.buoyancy_law(time);
    const BuoyantFuel burning{float(params_.ignition_temperature - params_.ambient_temperature),
                              float(params_.fuel_heat(time)), float(params_.fuel_soot(time))};
    double most = largest_buoyancy(exec, domain(), law, burning, state_.temperature, state_.density, state_.fuel);
    const auto include = [&](const auto& put) {
      if (!put.enabled(time)) return;
      const float heat = float(put.temperature(time) - params_.ambient_temperature), fuel = float(put.fuel(time));
      const float lift = std::max(std::abs(law.lift(heat)), std::abs(law.lift(heat + burning.heat * fuel)));
      most = std::max(most, lift + law.weight * (std::abs(put.density(time)) + burning.soot * fuel));
    };
    for (const Source& source : setting_.sources) include(source);
    for (const Inflow& inflow : setting_.inflows) include(inflow);
    const double g =
        std::max({std::abs(setting_.gravity.x), std::abs(setting_.gravity.y), std::abs(setting_.gravity.z)});
    return g * most + largest_push(setting_.forces, time);
  }

  const SmokeParams params_;
  const Setting setting_;
  const Layout layout_;
  SmokeState state_;
  SmokeStepper stepper_;
  ObstacleDistance to_obstacles_;
};

}  // namespace

std::unique_ptr<Model> make_smoke_model(const SmokeParams& params, const Setting& setting, int pad) {
  return std::make_unique<SmokeModel>(params, setting, pad);
}

double smoke_bytes_per_cell(const SmokeParams& params, const SmokeContents& contents) {
  // State 28, kept copy 28, cut cells 32, velocities 24, advection 16, solver 44, extension and labels 10, packed
  // frame 28, distance to obstacles 4; transport 12, room of cells and groups 8, the same where solids move 12.
  // Colour: state, copy and frame 12 each, transport 8. Fuel: state and copy 4 each, swelling 4, fuel and flame in the
  // frame 8. Viscosity: its rows 32, a solver of its own 28, the mirror in solids 12.
  // Beside these, files while they are written, lists of rows and the like, measured: 34; colour 76, fuel 25,
  // viscosity 28.
  return 280 + (contents.colour ? 120 : 0) + (contents.fuel ? 45 : 0) + (params.viscous() ? 100 : 0);
}

}  // namespace silt
