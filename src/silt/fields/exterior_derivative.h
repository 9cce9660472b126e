#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt {

/// The exterior derivative d on the cubical complex of a lattice and on its dual: plain differences. Lengths, areas and
/// materials are the star's (fields/hodge_star.h).
///
///   complex   corners --d--> edges --d--> faces --d--> cells        on to the next one:     f(c + e) - f(c)
///   dual      corners <--d-- edges <--d-- faces <--d-- cells        from the one before:    f(c) - f(c - e)
///
/// Corner c is the lowest of cell c; edge c along an axis starts there; face c across an axis lies between the cells
/// c - e and c. Twice d is zero. The two are each other's transpose but for the sign: sum_c q (d u) = - sum_f u (d q),
/// u on faces and q on cells, where neither reaches the boundary. A flat axis is a circle of one cell: its step is 0,
/// and differences along it vanish by themselves.
struct Derivative {
  int step[3];  ///< from an index to the next along each axis

  explicit Derivative(const Layout& layout) : step{1, layout.stride_y, layout.stride_z} {}

  /// `value(n)` of the next index along an axis less that of n; then from the one before.
  template <class Value>
  SILT_HD auto ahead(const Value& value, int axis, int n) const {
    return value(n + step[axis]) - value(n);
  }
  template <class Value>
  SILT_HD auto behind(const Value& value, int axis, int n) const {
    return value(n) - value(n - step[axis]);
  }

  /// Faces to cells: the net outflow. `value[axis](n)`.
  template <class Values>
  SILT_HD auto outflow(const Values& value, int n) const {
    return ahead(value[0], 0, n) + ahead(value[1], 1, n) + ahead(value[2], 2, n);
  }
  /// Edges to faces: round the face across `axis`.
  template <class Values>
  SILT_HD auto round(const Values& value, int axis, int n) const {
    const int b = (axis + 1) % 3, c = (axis + 2) % 3;
    return ahead(value[c], b, n) - ahead(value[b], c, n);
  }
};

/// A field's values by their index in memory, which one layout gives to all fields on it.
template <class T>
struct ByIndex {
  const T* data;
  SILT_HD T operator()(int n) const { return data[n]; }
};
template <class T>
SILT_HD ByIndex<T> by_index(const View<const T>& view) {
  return {view.data};
}

// d of each kind of field, on all that the domain has of the next; float or double.
template <class T>
void d_corners(const Exec& exec, const Domain& domain, const Field<T>& corners, MacField<T>& edges);
template <class T>
void d_edges(const Exec& exec, const Domain& domain, const MacField<T>& edges, MacField<T>& faces);
template <class T>
void d_faces(const Exec& exec, const Domain& domain, const MacField<T>& faces, Field<T>& cells);
/// The dual one. Reads a layer of halo beyond the domain.
template <class T>
void d_cells(const Exec& exec, const Domain& domain, const Field<T>& cells, MacField<T>& faces);

}  // namespace silt
