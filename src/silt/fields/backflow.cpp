#include "silt/fields/backflow.h"

#include "silt/core/loops.h"

namespace silt {

namespace {

/// One open side of the domain.
struct OpenSide {
  int axis, face;  ///< across it; index of its faces
  float inwards;   ///< 1 at the lower end of the axis, -1 at the upper
  bool lower() const { return inwards > 0; }
};

template <class Visit>
void for_each_open_side(const Domain& domain, const Visit& visit) {
  for (int axis = 0; axis < 3; ++axis)
    for (int end = 0; end < 2; ++end)
      if (domain.lattice.active[axis] && domain.side(axis, end) == Side::open)
        visit(OpenSide{axis, end == 0 ? domain.cells.lo[axis] : domain.cells.hi[axis], end == 0 ? 1.0f : -1.0f});
}

/// Values of one slab beyond a side, each between two of the side's faces.
struct EnterAtRest {
  View<const float> through;  ///< the flow across the side
  OpenSide side;
  int component, lowest;  ///< of the velocity; its lowest index that is stored
  View<float> velocity;
  SILT_HD void operator()(Cell c) const {
    Cell face = c;
    (side.axis == 0 ? face.x : side.axis == 1 ? face.y : face.z) = side.face;
    const Cell below = c[component] > lowest ? face - unit(component) : face;
    const float entering = side.inwards * (through(face) + through(below));
    if (entering > 0) velocity(c) = 0;
  }
};

/// Faces of a side.
struct SlowWhatEnters {
  View<const float> through;
  float inwards, on;  ///< on = dt / h
  View<float> velocity;
  SILT_HD void operator()(Cell c) const {
    const float crossed = on * inwards * through(c);
    velocity(c) *= crossed <= 0 ? 1.0f : crossed >= 1 ? 0.0f : 1 - crossed;
  }
};

}  // namespace

void enter_at_rest(const Exec& exec, const Domain& domain, const MacField<float>& flow, int component,
                   Field<float>& velocity) {
  const Box box = domain.faces(component);
  if (box.empty()) return;
  const Layout& layout = velocity.layout();
  const Box stored = layout.storage(), near = intersect(grow(box, layout.active * layout.halo), stored);
  for_each_open_side(domain, [&](const OpenSide& side) {
    if (side.axis == component) return;
    Box slab = near;
    (side.lower() ? slab.hi : slab.lo)[side.axis] = side.face;
    for_each_cell(
        exec, "halo.enter", slab,
        EnterAtRest{flow[side.axis].read(exec), side, component, stored.lo[component], velocity.update(exec)});
  });
}

void slow_what_enters(const Exec& exec, const Domain& domain, const MacField<float>& flow, int axis, double dt,
                      Field<float>& velocity) {
  for_each_open_side(domain, [&](const OpenSide& side) {
    if (side.axis != axis) return;
    Box faces = domain.faces(axis);
    faces.lo[axis] = side.face, faces.hi[axis] = side.face + 1;
    for_each_cell(
        exec, "advect.enter", faces,
        SlowWhatEnters{flow[axis].read(exec), side.inwards, float(dt / domain.lattice.h), velocity.update(exec)});
  });
}

}  // namespace silt
