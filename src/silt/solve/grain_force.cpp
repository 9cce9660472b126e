#include "silt/solve/grain_force.h"

#include <algorithm>
#include <cmath>

#include "silt/core/loops.h"
#include "silt/fields/copy_cells.h"
#include "silt/fields/wrap.h"
#include "silt/solve/extend_faces.h"
#include "silt/solve/grain_kernels.h"

namespace silt {
namespace {

void strides_of(const Layout& layout, int (&out)[3]) {
  out[0] = 1, out[1] = layout.stride_y, out[2] = layout.stride_z;
}

}  // namespace

void GrainForce::place(const Domain& domain, const Layout& layout) {
  if (!bound_.allocated() || !(bound_.layout() == layout)) {
    for (Field<float>* field : {&bound_, &floor_, &firm_, &hard_, &hold_, &kind_, &squeezed_, &pushed_})
      *field = Field<float>(layout);
    for (MacField<float>* field : {&deviator_, &rate_, &slip_, &tilt_, &normal_, &shear_, &pull_, &drag_, &kept_[0],
                                   &kept_[1], &kept_[2], &kept_[3]})
      *field = MacField<float>(layout);
    before_ = MacField<double>(layout);
    used_ = {};
  }
  domain_ = domain;
  used_.move_to(domain.cells, before_, bound_, floor_, firm_, hard_, hold_, kind_, squeezed_, pushed_, deviator_, rate_,
                slip_, tilt_, normal_, shear_, pull_, drag_, kept_[0], kept_[1], kept_[2], kept_[3]);
}

void GrainForce::begin(const Exec& exec, const GrainParts& parts, const Rules& rules, const MacField<double>& u) {
  parts_ = parts, rules_ = rules;
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "grain.before", domain_.faces(a), CopyCells<double>{u[a].read(exec), before_[a].update(exec)});
  in_dimensions([&]<int D>() { find_kinds<D>(exec); });
  for_each_cell(exec, "grain.soft", domain_.cells, grain::SetTo{1, hard_.update(exec)});
  extends_ = false;
  for (int a = 0; a < 3; ++a)
    extends_ |=
        reduce<Sum>(exec, "grain.extends", domain_.faces(a), grain::Squares{(*parts.extended)[a].read(exec)}) > 0;
  has_lists_ = extends_ && exec.on_cpu();
  if (has_lists_) going_on_.find(domain_, *parts.extended, *parts.lends);
}

void GrainForce::extend(const Exec& exec, MacField<double>& u) {
  wrap_faces(exec, domain_, u);
  if (!extends_) return;
  int step[3];
  strides_of(bound_.layout(), step);
  for (int a = 0; a < 3; ++a)
    extend_faces(exec, "grain.extend", domain_.faces(a), going_on(), a,
                 ExtendFaces<double>{{step[0], step[1], step[2]},
                                     (*parts_.extended)[a].read(exec).data,
                                     (*parts_.mass)[a].read(exec).data,
                                     u[a].update(exec)});
  wrap_faces(exec, domain_, u);
}

void GrainForce::firm_up(const Exec& exec, double ratio, double least, const Field<double>& p,
                         const StrainSystem& found) {
  grain::Firm kernel{float(ratio),
                     float(least),
                     float(rules_.stiffness),
                     float(rules_.column),
                     {},
                     p.read(exec).data,
                     found.stretch.read(exec).data,
                     parts_.contacts->volume.read(exec).data,
                     {},
                     hard_.update(exec).data,
                     firm_.update(exec)};
  strides_of(bound_.layout(), kernel.step);
  for (int a = 0; a < 3; ++a) kernel.mass[a] = (*parts_.mass)[a].read(exec).data;
  for_each_cell(exec, "grain.firm", domain_.cells, kernel);
}

/// Edges that carry shear, of those along each axis.
std::array<Cells, 3> GrainForce::edges() const {
  return of_each_axis([&](int c) {
    const bool shears = domain_.lattice.active[(c + 1) % 3] && domain_.lattice.active[(c + 2) % 3];
    return shears ? edges_in_use(domain_, c) : Cells();
  });
}

void GrainForce::find_edge_rates(const Exec& exec, const MacField<double>& u) {
  int step[3];
  strides_of(bound_.layout(), step);
  for_each_face(
      exec, "grain.rate", edges(), of_each_axis([&](int c) {
        const int a = (c + 1) % 3, b = (c + 2) % 3;
        return grain::Rate{step[a], step[b], u[a].read(exec).data, u[b].read(exec).data, rate_[c].update(exec)};
      }));
}

GrainForce::Excess GrainForce::bound(const Exec& exec, const Field<double>& p, const CornerStress& s, bool holds,
                                     double part) {
  Excess excess;
  in_dimensions([&]<int D>() { excess = find_bounds<D>(exec, p, s, holds, part); });
  return excess;
}

template <int D>
GrainForce::Excess GrainForce::find_bounds(const Exec& exec, const Field<double>& p, const CornerStress& s, bool holds,
                                           double part) {
  const auto data = [&](const Field<float>* field) { return field ? field->read(exec).data : nullptr; };
  const GrainContacts& contacts = *parts_.contacts;
  grain::Bound<D> kernel;
  kernel.p = p.read(exec).data, kernel.s = s.read(exec);
  kernel.friction = parts_.friction->read(exec).data;
  kernel.cohesion = data(parts_.cohesion), kernel.tension = data(parts_.tension);
  kernel.rub = contacts.rub.read(exec).data, kernel.resting = contacts.resting.read(exec).data;
  kernel.aslant = contacts.aslant.read(exec).data, kernel.volume = contacts.volume.read(exec).data;
  for (int a = 0; a < 3; ++a) {
    kernel.across[a] = contacts.across[a].read(exec).data;
    kernel.tilt[a] = tilt_[a].update(exec).data;
  }
  kernel.part = float(part), kernel.box = rules_.box, kernel.holds = holds;
  kernel.floor = floor_.update(exec).data, kernel.hold = hold_.update(exec).data, kernel.bound = bound_.update(exec);
  kernel.over = normal_[0].update(exec).data, kernel.whole = normal_[1].update(exec).data;  // not needed as yet
  for_each_strip(exec, "grain.bound", domain_.cells, kernel);
  const Several<2> sums = reduce<Each<Sum, Sum>>(exec, "grain.exceeded", domain_.cells,
                                                 grain::Exceeded{normal_[0].read(exec), normal_[1].read(exec)});
  return {std::sqrt(sums[0]), std::sqrt(sums[1])};
}

/// What all passes over the corners of cells read.
template <int D>
grain::CornerCut<D> GrainForce::corner_cut(const Exec& exec) const {
  grain::CornerCut<D> out;
  strides_of(bound_.layout(), out.step);
  const GrainContacts& contacts = *parts_.contacts;
  for (int a = 0; a < 3; ++a) {
    out.deviator[a] = deviator_[a].read(exec).data, out.rate[a] = rate_[a].read(exec).data;
    out.sheared[a] = (*parts_.sheared)[a].read(exec).data, out.slip[a] = slip_[a].read(exec).data;
    out.tilt[a] = tilt_[a].read(exec).data;
    out.across[a] = contacts.across[a].read(exec).data, out.mixed[a] = contacts.mixed[a].read(exec).data;
  }
  out.kind = kind_.read(exec).data, out.bound = bound_.read(exec).data, out.hold = hold_.read(exec).data;
  out.hard = hard_.read(exec).data, out.stiffness = float(rules_.stiffness), out.box = rules_.box;
  return out;
}

template <int D>
void GrainForce::find_cell_rates(const Exec& exec, const MacField<double>& u) {
  grain::CellRate<D> kernel;
  strides_of(bound_.layout(), kernel.step);
  for (int a = 0; a < 3; ++a) {
    kernel.u[a] = u[a].read(exec).data, kernel.open[a] = (*parts_.open)[a].read(exec).data;
    kernel.deviator[a] = deviator_[a].update(exec).data, kernel.slip[a] = slip_[a].update(exec).data;
    kernel.surface[a] = parts_.contacts->velocity[a].read(exec).data;
  }
  kernel.kind = kind_.read(exec).data, kernel.rub = parts_.contacts->rub.read(exec).data,
  kernel.slack = parts_.slack->read(exec).data;
  kernel.squeezed = squeezed_.update(exec);
  for_each_cell(exec, "grain.cell_rate", domain_.cells, kernel);
}

template <int D>
void GrainForce::find_kinds(const Exec& exec) {
  grain::FindKind<D> kernel;
  strides_of(bound_.layout(), kernel.step);
  for (int a = 0; a < 3; ++a) kernel.sheared[a] = (*parts_.sheared)[a].read(exec).data;
  kernel.friction = parts_.friction->read(exec).data, kernel.rub = parts_.contacts->rub.read(exec).data;
  kernel.kind = kind_.update(exec);
  for_each_cell(exec, "grain.kinds", domain_.cells, kernel);
}

template <int D>
void GrainForce::cut_corners(const Exec& exec, const CornerStress& s, Field<float>& stretch) {
  grain::Outcome<D> kernel;
  kernel.rule = corner_cut<D>(exec);
  kernel.s = s.read(exec);
  for (int a = 0; a < 3; ++a) {
    kernel.normal[a] = normal_[a].update(exec).data;
    kernel.pull[a] = pull_[a].update(exec).data, kernel.drag[a] = drag_[a].update(exec).data;
    for (int side = 0; side < 4; ++side) kernel.kept[a][side] = kept_[side][a].update(exec).data;
  }
  kernel.stretch = stretch.update(exec).data, kernel.volume = parts_.contacts->volume.read(exec).data;
  kernel.aslant = parts_.contacts->aslant.read(exec).data;
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
  for_each_face(exec, "grain.edge", edges(), of_each_axis([&](int c) {
                  grain::Edge kernel{step[(c + 1) % 3],
                                     step[(c + 2) % 3],
                                     {},
                                     system.stretch.read(exec).data,
                                     (*parts_.sheared)[c].read(exec).data,
                                     system.shear[c].update(exec).data,
                                     shear_[c].update(exec)};
                  for (int side = 0; side < 4; ++side) kernel.kept[side] = kept_[side][c].read(exec).data;
                  return kernel;
                }));
  wrap_edges(exec, domain_, system.shear);
}

GrainForce::Sums GrainForce::evaluate(const Exec& exec, MacField<double>& u, const Field<double>& p,
                                      const CornerStress& s, const MacField<float>& direction, bool all_bear,
                                      StrainSystem& system, MacField<float>& force) {
  extend(exec, u);
  find_edge_rates(exec, u);
  in_dimensions([&]<int D>() {
    find_cell_rates<D>(exec, u);
    cut_corners<D>(exec, s, system.stretch);
  });
  for_each_cell(exec, "grain.pushed", domain_.cells,
                grain::Pushed{p.read(exec).data, parts_.friction->read(exec).data, firm_.read(exec).data,
                              floor_.read(exec).data, squeezed_.read(exec).data, float(rules_.crushing),
                              float(rules_.near), all_bear, system.squeeze.update(exec).data, pushed_.update(exec)});
  for (Field<float>* field : {&pushed_, &system.squeeze, &system.stretch}) wrap_cells(exec, domain_, *field);
  for (int a = 0; a < 3; ++a) {
    for (MacField<float>* field : {&normal_, &pull_, &drag_}) wrap_cells(exec, domain_, (*field)[a]);
    for (MacField<float>& side : kept_) wrap_cells(exec, domain_, side[a]);
  }
  gather_edges(exec, system);

  int step[3];
  strides_of(bound_.layout(), step);
  const std::array<grain::Force, 3> kernels = of_each_axis([&](int a) {
    const int next = (a + 1) % 3, last = (a + 2) % 3;
    return grain::Force{{step[a], step[next], step[last]}, (*parts_.mass)[a].read(exec).data,
                        system.open[a].read(exec).data,    pushed_.read(exec).data,
                        normal_[a].read(exec).data,        {shear_[last].read(exec).data, shear_[next].read(exec).data},
                        pull_[a].read(exec).data,          drag_[a].read(exec).data,
                        direction[a].read(exec).data,      u[a].read(exec).data,
                        before_[a].read(exec).data,        float(rules_.large),
                        system.mass[a].update(exec).data,  force[a].update(exec)};
  });
  const Several<2> sums = reduce_faces<Each<Sum, Sum>>(exec, "grain.force", faces_of(domain_), kernels);
  const Several<2> more = extends_ ? add_beside(exec, kernels) : Several<2>{};
  wrap_faces(exec, domain_, system.mass);
  return {sums[0] + more[0], sums[1] + more[1]};
}

/// What acts where velocities go on, on the faces that they go on from; by how much the sums change.
Several<2> GrainForce::add_beside(const Exec& exec, const std::array<grain::Force, 3>& kernels) {
  const auto extended = [&](int a) { return (*parts_.extended)[a].read(exec).data; };
  if (!has_lists_)
    return reduce_faces<Each<Sum, Sum>>(
        exec, "grain.beside", faces_of(domain_), of_each_axis([&](int a) {
          return grain::ForceBeside{kernels[a], extended(a), (*parts_.lends)[a].read(exec).data};
        }));
  Several<2> more{};
  for (int a = 0; a < 3; ++a) {
    GoingOn::Faces& faces = going_on_.faces(a);
    const std::size_t count = faces.lends.size();
    double* sums = faces.sums.host();
    for_each_index(exec, "grain.act", std::int64_t(faces.acting.size()),
                   grain::ActBeside{kernels[a], extended(a), faces.acting.host(), faces.acts.host()},
                   GoingOn::cells_each);
    for_each_index(exec, "grain.beside", std::int64_t(count),
                   grain::ForceListed{kernels[a], faces.lends.host(), faces.first.host(), faces.beside.host(),
                                      faces.acts.host(), sums},
                   GoingOn::cells_each);
    for (std::size_t i = 0; i < count; ++i) more.value[0] += sums[2 * i], more.value[1] += sums[2 * i + 1];
  }
  return more;
}

GrainForce::Change GrainForce::take_stress(const Exec& exec, Field<double>& p, CornerStress& s) {
  in_dimensions([&]<int D>() { take_corners<D>(exec, s); });
  const Several<5> sums = reduce<Each<Sum, Sum, Sum, Sum, Sum>>(
      exec, "grain.take_pressure", domain_.cells,
      grain::TakePressure{pushed_.read(exec).data, normal_[0].read(exec).data, normal_[1].read(exec).data,
                          squeezed_.read(exec).data, floor_.read(exec).data, float(rules_.crushing),
                          float(rules_.column), float(rules_.large), p.update(exec)});
  const double under_load = sums[4] > 0 ? sums[3] / sums[4] : 0.0;
  return {std::sqrt(sums[0]), std::sqrt(sums[1]), std::sqrt(sums[2]), std::sqrt(under_load)};
}

}  // namespace silt
