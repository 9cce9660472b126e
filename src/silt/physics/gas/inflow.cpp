#include "silt/physics/gas/inflow.h"

#include "silt/core/loops.h"
#include "silt/physics/gas/open_face.h"

namespace silt::gas {

namespace {

struct CloseWalls {
  OpenFace on;
  float* open;
  SILT_HD void operator()(Cell c) const {
    if (on.closed(c)) open[on.face(c)] = 0;
  }
};

struct HoldInflow {
  OpenFace on;
  float* u;
  SILT_HD void operator()(Cell c) const {
    const InletNow* in = on.inlet(c);
    if (in && in->fast) u[on.face(c)] = in->velocity[on.axis];
    if (on.closed(c)) u[on.face(c)] = 0;
  }
};

struct SpareInflow {
  OpenFace on;
  float* lost;
  SILT_HD void operator()(Cell c) const {
    const InletNow* in = on.inlet(c);
    if (in && in->fast) lost[on.face(c)] = 0;
  }
};

struct FillAlong {
  OpenFace on;
  int along, layers;
  float* u;
  SILT_HD void operator()(Cell c) const {
    const InletNow* in = on.inlet(c);
    if (!in) return;
    const Cell next = c + unit(along);
    const bool last = !on.packed.box.contains(next) || !on.inlet(next);  // else it is the next one's
    for (int k = 1; k <= layers; ++k) {
      const int m = on.beyond(c, k);
      u[m] = in->velocity[along];
      if (last) u[m + on.at.step[along]] = in->velocity[along];
    }
  }
};

struct FillAmount {
  OpenFace on;
  int layers;
  bool fuel;  ///< or else smoke
  float* field;
  SILT_HD void operator()(Cell c) const {
    const InletNow* in = on.inlet(c);
    for (int k = 1; in && k <= layers; ++k) field[on.beyond(c, k)] = fuel ? in->fuel : in->smoke;
  }
};

/// use(side, its OpenFace) for each side with inflows.
template <class Use>
void for_each_inflow_side(const StepFrame& frame, const Layout& layout, const Use& use) {
  if (!frame.inlets) return;
  const std::vector<OpenSide> sides = open_sides(frame.domain);
  for (std::size_t i = 0; i < sides.size(); ++i)
    if ((*frame.inlets)[i].any()) use(sides[i], open_face(frame, i, sides[i], layout));
}

}  // namespace

void close_inflow_walls(const StepFrame& frame, MacField<float>& open) {
  for_each_inflow_side(frame, open.layout(), [&](const OpenSide& side, const OpenFace& on) {
    for_each_cell(frame.exec, "gas.inflow.walls", side.faces, CloseWalls{on, open[side.axis].update(frame.exec).data});
  });
}

void hold_inflows(const StepFrame& frame, MacField<float>& velocity) {
  for_each_inflow_side(frame, velocity.layout(), [&](const OpenSide& side, const OpenFace& on) {
    for_each_cell(frame.exec, "gas.inflow.hold", side.faces,
                  HoldInflow{on, velocity[side.axis].update(frame.exec).data});
  });
}

void spare_inflows(const StepFrame& frame, MacField<float>& lost) {
  for_each_inflow_side(frame, lost.layout(), [&](const OpenSide& side, const OpenFace& on) {
    for_each_cell(frame.exec, "gas.inflow.spare", side.faces, SpareInflow{on, lost[side.axis].update(frame.exec).data});
  });
}

void fill_inflow_velocity(const StepFrame& frame, MacField<float>& velocity) {
  const Layout& layout = velocity.layout();
  for_each_inflow_side(frame, layout, [&](const OpenSide& side, const OpenFace& on) {
    for (int b = 0; b < 3; ++b)
      if (b != side.axis && frame.domain.lattice.active[b])
        for_each_cell(frame.exec, "gas.inflow.along", side.faces,
                      FillAlong{on, b, layout.halo, velocity[b].update(frame.exec).data});
  });
}

void fill_inflow_amount(const StepFrame& frame, Brought what, Field<float>& field) {
  for_each_inflow_side(frame, field.layout(), [&](const OpenSide& side, const OpenFace& on) {
    for_each_cell(frame.exec, "gas.inflow.amount", side.faces,
                  FillAmount{on, field.layout().halo, what == Brought::fuel, field.update(frame.exec).data});
  });
}

}  // namespace silt::gas
