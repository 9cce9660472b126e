#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/used_rows.h"
#include "silt/physics/sand/grain_faces.h"

namespace silt {

/// What grains in a cell do at u*, before any stress: the marks of find_pressed.
enum class Pressed : unsigned char {
  empty = 0,  ///< there are none
  flies = 1,  ///< they have room to go on as they do
  bears = 2   ///< they squeeze each other by more than `within` [m/s], or hold together by cohesion
};
void find_pressed(const Exec& exec, const Domain& domain, const GrainFields& fields, const MacField<double>& u,
                  double within, Field<unsigned char>& out);

/// The cells that a solve for the stress has to look at: heaps and clumps in which some cell bears, and a layer round
/// them. In a clump whose cells all have room u = u* and no stress solve all that is asked for (GrainSolver), so that
/// what flies costs nothing. Clumps are cells of grains that touch, be it at a corner: stress reaches no further than
/// the faces and edges of its own cell. `marks` of `cells`, which have rows.
RowSpans bearing_cells(const Cells& cells, Int3 active, const Field<unsigned char>& marks);

/// The fastest that sand which stress rules passes through cells [m/s], in at one side and out at the other: pressure
/// is over `least`, and over rho u^2, the push that would stop it within a cell. What is faster flies on, whatever it
/// meets, for more than a cell. `kick` [s] is how long forces acted.
double bearing_speed(const Exec& exec, const Domain& domain, const Field<double>& pressure, double least, double kick,
                     const MacField<float>& open, const MacField<float>& velocity);

/// field = 0 in cells that were in use and are not any more.
template <class T>
void rest_left(const Cells& was, const Cells& now, Field<T>& field) {
  T* values = field.values().host();
  UsedRows::visit_left(was, now,
                       [&](Cell from, int count) { std::fill_n(values + field.layout().index(from), count, T(0)); });
}

}  // namespace silt
