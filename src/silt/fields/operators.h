#pragma once

#include <initializer_list>

#include "silt/fields/domain.h"
#include "silt/fields/field.h"
#include "silt/fields/region.h"

namespace silt {

/// Net outflow of each cell per volume [1/s], through the open part of its faces and, with the solid's velocity,
/// through the rest:  d = sum_f +-(A u + (1 - A) u_solid) / h.   [NMG09] Ng, Min & Gibou 2009. Reads one layer of halo.
/// Multiplied by `scale`.
void divergence(const Exec& exec, const Region& cells, double h, const MacField<float>& velocity,
                const MacField<float>& open, const MacField<float>& solid_velocity, Field<double>& out,
                double scale = 1);

/// Largest |divergence - wanted| [1/s] of cells that are open at all. What is wanted is the sum of at most two fields;
/// those that are not allocated count as zero.
double max_divergence(const Exec& exec, const Domain& domain, const MacField<float>& velocity,
                      const MacField<float>& open, const MacField<float>& solid_velocity,
                      std::initializer_list<const Field<float>*> wanted = {});

/// u_f -= (q_i - q_{i-1}) / h on faces that are open at all, u_f = u_solid on the others. Reads one layer of halo.
void subtract_gradient(const Exec& exec, const Domain& domain, const Field<double>& q, const MacField<float>& open,
                       const MacField<float>& solid_velocity, MacField<float>& velocity);

/// out = 2 a - b on every face of the domain; `out` may be `a` or `b`.
void reflect(const Exec& exec, const Domain& domain, const MacField<float>& a, const MacField<float>& b,
             MacField<float>& out);

/// Largest |u_f| [m/s] over open faces, the largest of the components; NaN when any is.
double max_face_speed(const Exec& exec, const Domain& domain, const MacField<float>& velocity,
                      const MacField<float>& open);

/// The star's own norm of the velocity, sum_f A_f u_f^2 [m^2/s^2]: half of it times rho h^3 is kinetic energy.
double star_norm(const Exec& exec, const Domain& domain, const MacField<float>& velocity, const MacField<float>& open);

/// Sum over the faces across one axis of A_f u_f: momentum, over rho h^3.
double star_sum(const Exec& exec, const Domain& domain, int axis, const MacField<float>& velocity,
                const MacField<float>& open);

/// Sum over cells of a field, weighted by the open part V of each cell (cell_room.h) where solids cut any.
double room_sum(const Exec& exec, const Domain& domain, const Field<float>& field, const Field<float>* room = nullptr);

/// Largest |value| over the domain's cells.
double max_magnitude(const Exec& exec, const Domain& domain, const Field<float>& field);

/// field *= factor on every cell of the domain.
void scale_cells(const Exec& exec, const Domain& domain, double factor, Field<double>& field);

/// to = from on every face of the domain.
void copy_faces(const Exec& exec, const Domain& domain, const MacField<float>& from, MacField<float>& to);

}  // namespace silt
