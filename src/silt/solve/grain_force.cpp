#include "silt/solve/grain_force.h"

#include <algorithm>
#include <cmath>

#include "silt/core/loops.h"
#include "silt/solve/grain_kernels.h"

namespace silt {
namespace {

void strides_of(const Layout& layout, int (&out)[3]) {
  out[0] = 1, out[1] = layout.stride_y, out[2] = layout.stride_z;
}

}  // namespace

void GrainForce::place(const Domain& domain, const Layout& layout) {
  if (!bound_.allocated() || !(bound_.layout() == layout)) {
    for (Field<float>* field : {&bound_, &floor_, &firm_, &pressure_, &plain_, &squeezed_, &pushed_, &grip_})
      *field = Field<float>(layout);
    for (MacField<float>* field : {&deviator_, &rate_, &normal_, &shear_, &kept_[0], &kept_[1], &kept_[2], &kept_[3]})
      *field = MacField<float>(layout);
    before_ = MacField<double>(layout);
    used_ = {};
  }
  domain_ = domain;
  used_.move_to(domain.cells, before_, bound_, floor_, firm_, pressure_, plain_, squeezed_, pushed_, deviator_, rate_,
                normal_, shear_, kept_[0], kept_[1], kept_[2], kept_[3], grip_);
}

void GrainForce::begin(const Exec& exec, const GrainParts& parts, double stiffness, double near,
                       const MacField<double>& u) {
  parts_ = parts, stiffness_ = stiffness, near_ = near;
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "grain.before", domain_.faces(a),
                  grain::Copy<double, double>{u[a].read(exec), before_[a].update(exec)});
  in_dimensions([&]<int D>() { find_plain<D>(exec); });
}

void GrainForce::firm_up(const Exec& exec, double ratio, double least, const StrainSystem& found) {
  for_each_cell(
      exec, "grain.firm", domain_.cells,
      grain::Firm{float(ratio), float(least), float(stiffness_), found.stretch.read(exec).data, firm_.update(exec)});
}

void GrainForce::find_edge_rates(const Exec& exec, MacField<double>& u) {
  wrap_faces(exec, domain_, u);
  int step[3];
  strides_of(bound_.layout(), step);
  for (int c = 0; c < 3; ++c) {
    const int a = (c + 1) % 3, b = (c + 2) % 3;
    if (!domain_.lattice.active[a] || !domain_.lattice.active[b]) continue;
    for_each_cell(
        exec, "grain.rate", edges_in_use(domain_, c),
        grain::Rate{step[a], step[b], u[a].read(exec).data, u[b].read(exec).data, (*parts_.first)[c].read(exec).data,
                    (*parts_.second)[c].read(exec).data, (*parts_.known)[c].read(exec).data, rate_[c].update(exec)});
  }
}

void GrainForce::bound(const Exec& exec, const Field<double>& p, bool holds) {
  const auto data = [&](const Field<float>* field) { return field ? field->read(exec).data : nullptr; };
  for_each_cell(
      exec, "grain.bound", domain_.cells,
      grain::Bound{p.read(exec).data, parts_.friction->read(exec).data, data(parts_.cohesion), data(parts_.tension),
                   floor_.update(exec).data, pressure_.update(exec).data, holds, bound_.update(exec)});
}

/// What all passes over the corners of cells read.
template <int D>
grain::CornerCut<D> GrainForce::corner_cut(const Exec& exec) const {
  grain::CornerCut<D> out;
  strides_of(bound_.layout(), out.step);
  for (int a = 0; a < 3; ++a) {
    out.deviator[a] = deviator_[a].read(exec).data, out.rate[a] = rate_[a].read(exec).data;
    out.wall[a] = (*parts_.wall)[a].read(exec).data, out.resting[a] = (*parts_.resting)[a].read(exec).data;
    out.open[a] = (*parts_.open)[a].read(exec).data;
  }
  out.friction = parts_.friction->read(exec).data, out.bound = bound_.read(exec).data;
  out.pressure = pressure_.read(exec).data, out.plain = plain_.read(exec).data;
  out.stiffness = float(stiffness_);
  return out;
}

template <int D>
void GrainForce::find_cell_rates(const Exec& exec, const MacField<double>& u) {
  grain::CellRate<D> kernel;
  strides_of(bound_.layout(), kernel.step);
  for (int a = 0; a < 3; ++a) {
    kernel.u[a] = u[a].read(exec).data, kernel.open[a] = (*parts_.open)[a].read(exec).data;
    kernel.deviator[a] = deviator_[a].update(exec).data;
  }
  kernel.friction = parts_.friction->read(exec).data, kernel.slack = parts_.slack->read(exec).data;
  kernel.squeezed = squeezed_.update(exec);
  for_each_cell(exec, "grain.cell_rate", domain_.cells, kernel);
}

template <int D>
void GrainForce::find_plain(const Exec& exec) {
  grain::FindPlain<D> kernel;
  strides_of(bound_.layout(), kernel.step);
  for (int a = 0; a < 3; ++a) kernel.wall[a] = (*parts_.wall)[a].read(exec).data;
  kernel.friction = parts_.friction->read(exec).data, kernel.plain = plain_.update(exec);
  for_each_cell(exec, "grain.plain", domain_.cells, kernel);
}

template <int D>
void GrainForce::cut_corners(const Exec& exec, const CornerStress& s, Field<float>& stretch) {
  grain::Outcome<D> kernel;
  kernel.rule = corner_cut<D>(exec);
  kernel.s = s.read(exec);
  for (int a = 0; a < 3; ++a) {
    kernel.normal[a] = normal_[a].update(exec).data;
    for (int side = 0; side < 4; ++side) kernel.kept[a][side] = kept_[side][a].update(exec).data;
  }
  kernel.stretch = stretch.update(exec).data, kernel.grip = grip_.update(exec).data;
  kernel.place = pushed_.update(exec);
  for_each_strip(exec, "grain.cut", domain_.cells, kernel);
}

template <int D>
void GrainForce::take_corners(const Exec& exec, CornerStress& s) {
  grain::TakeOver<D> kernel;
  kernel.rule = corner_cut<D>(exec);
  kernel.s = s.update(exec);
  kernel.change = normal_[0].update(exec).data, kernel.size = normal_[1].update(exec).data;  // no longer needed
  kernel.place = pushed_.update(exec);
  for_each_strip(exec, "grain.take", domain_.cells, kernel);
}

/// What the cells round each edge say of it.
void GrainForce::gather_edges(const Exec& exec, StrainSystem& system) {
  int step[3];
  strides_of(bound_.layout(), step);
  for (int c = 0; c < 3; ++c) {
    const int a = (c + 1) % 3, b = (c + 2) % 3;
    if (!domain_.lattice.active[a] || !domain_.lattice.active[b]) continue;
    grain::Edge kernel{step[a],
                       step[b],
                       {},
                       system.stretch.read(exec).data,
                       grip_.read(exec).data,
                       (*parts_.wall)[c].read(exec).data,
                       (*parts_.first)[c].read(exec).data,
                       (*parts_.second)[c].read(exec).data,
                       system.first[c].update(exec).data,
                       system.second[c].update(exec).data,
                       system.cross[c].update(exec).data,
                       shear_[c].update(exec)};
    for (int side = 0; side < 4; ++side) kernel.kept[side] = kept_[side][c].read(exec).data;
    for_each_cell(exec, "grain.edge", edges_in_use(domain_, c), kernel);
  }
  for (MacField<float>* edges : {&system.first, &system.second, &system.cross}) wrap_edges(exec, domain_, *edges);
}

GrainForce::Sums GrainForce::evaluate(const Exec& exec, MacField<double>& u, const Field<double>& p,
                                      const CornerStress& s, const MacField<float>& direction, bool all_bear,
                                      StrainSystem& system, MacField<float>& force) {
  find_edge_rates(exec, u);
  in_dimensions([&]<int D>() {
    find_cell_rates<D>(exec, u);
    cut_corners<D>(exec, s, system.stretch);
  });
  for_each_cell(exec, "grain.pushed", domain_.cells,
                grain::Pushed{p.read(exec).data, parts_.friction->read(exec).data, firm_.read(exec).data,
                              floor_.read(exec).data, squeezed_.read(exec).data, float(near_), all_bear,
                              system.squeeze.update(exec).data, pushed_.update(exec)});
  for (Field<float>* field : {&pushed_, &grip_, &system.squeeze, &system.stretch}) wrap_cells(exec, domain_, *field);
  for (int a = 0; a < 3; ++a) {
    wrap_cells(exec, domain_, normal_[a]);
    for (MacField<float>& side : kept_) wrap_cells(exec, domain_, side[a]);
  }
  gather_edges(exec, system);

  int step[3];
  strides_of(bound_.layout(), step);
  Sums out;
  for (int a = 0; a < 3; ++a) {
    const int next = (a + 1) % 3, last = (a + 2) % 3;
    const grain::Force kernel{{step[a], step[next], step[last]},
                              system.mass[a].read(exec).data,
                              system.open[a].read(exec).data,
                              pushed_.read(exec).data,
                              normal_[a].read(exec).data,
                              {(*parts_.first)[last].read(exec).data, (*parts_.second)[next].read(exec).data},
                              {shear_[last].read(exec).data, shear_[next].read(exec).data},
                              direction[a].read(exec).data,
                              u[a].read(exec).data,
                              before_[a].read(exec).data,
                              force[a].update(exec)};
    const Several<2> sums = reduce<Each<Sum, Sum>>(exec, "grain.force", domain_.faces(a), kernel);
    out.squares += sums[0], out.slope += sums[1];
  }
  return out;
}

GrainForce::Change GrainForce::take_stress(const Exec& exec, Field<double>& p, CornerStress& s) {
  in_dimensions([&]<int D>() { take_corners<D>(exec, s); });
  const Several<4> sums = reduce<Each<Sum, Sum, Sum, Max>>(
      exec, "grain.take_pressure", domain_.cells,
      grain::TakePressure{pushed_.read(exec).data, normal_[0].read(exec).data, normal_[1].read(exec).data,
                          squeezed_.read(exec).data, p.update(exec)});
  return {std::sqrt(sums[0]), std::sqrt(sums[1]), std::sqrt(sums[2]), std::max(sums[3], 0.0)};
}

}  // namespace silt
