#include "silt/fields/exterior_derivative.h"

#include "silt/core/loops.h"

namespace silt {

namespace {

template <class T>
struct Along {
  Derivative d;
  int axis, back;  ///< back: how far before its own index a difference starts, 0 or a step
  View<const T> from;
  View<T> out;
  SILT_HD void operator()(Cell c) const {
    const int n = out.index(c.x, c.y, c.z);
    out.data[n] = d.ahead(by_index(from), axis, n - back);
  }
};

template <class T>
struct DEdges {
  Derivative d;
  int axis;
  ByIndex<T> edges[3];
  View<T> out;
  SILT_HD void operator()(Cell c) const {
    const int n = out.index(c.x, c.y, c.z);
    out.data[n] = d.round(edges, axis, n);
  }
};

template <class T>
struct DFaces {
  Derivative d;
  ByIndex<T> faces[3];
  View<T> out;
  SILT_HD void operator()(Cell c) const {
    const int n = out.index(c.x, c.y, c.z);
    out.data[n] = d.outflow(faces, n);
  }
};

}  // namespace

template <class T>
void d_corners(const Exec& exec, const Domain& domain, const Field<T>& corners, MacField<T>& edges) {
  const Derivative d(corners.layout());
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "d.corners", domain.edges(a), Along<T>{d, a, 0, corners.read(exec), edges[a].update(exec)});
}

template <class T>
void d_edges(const Exec& exec, const Domain& domain, const MacField<T>& edges, MacField<T>& faces) {
  const Derivative d(edges.layout());
  const MacView<const T> e = edges.read(exec);
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "d.edges", domain.faces(a),
                  DEdges<T>{d, a, {{e.x.data}, {e.y.data}, {e.z.data}}, faces[a].update(exec)});
}

template <class T>
void d_faces(const Exec& exec, const Domain& domain, const MacField<T>& faces, Field<T>& cells) {
  const MacView<const T> f = faces.read(exec);
  for_each_cell(exec, "d.faces", domain.cells,
                DFaces<T>{Derivative(faces.layout()), {{f.x.data}, {f.y.data}, {f.z.data}}, cells.update(exec)});
}

template <class T>
void d_cells(const Exec& exec, const Domain& domain, const Field<T>& cells, MacField<T>& faces) {
  const Derivative d(cells.layout());
  for (int a = 0; a < 3; ++a)
    for_each_cell(exec, "d.cells", domain.faces(a), Along<T>{d, a, d.step[a], cells.read(exec), faces[a].update(exec)});
}

template void d_corners(const Exec&, const Domain&, const Field<float>&, MacField<float>&);
template void d_corners(const Exec&, const Domain&, const Field<double>&, MacField<double>&);
template void d_edges(const Exec&, const Domain&, const MacField<float>&, MacField<float>&);
template void d_edges(const Exec&, const Domain&, const MacField<double>&, MacField<double>&);
template void d_faces(const Exec&, const Domain&, const MacField<float>&, Field<float>&);
template void d_faces(const Exec&, const Domain&, const MacField<double>&, Field<double>&);
template void d_cells(const Exec&, const Domain&, const Field<float>&, MacField<float>&);
template void d_cells(const Exec&, const Domain&, const Field<double>&, MacField<double>&);

}  // namespace silt
