#pragma once

#include "silt/fields/cut_cells.h"
#include "silt/fields/field.h"

namespace silt {

/// One ghost pressure for each cell of air.
///
/// Where the surface cuts the edge from a liquid cell j to one of air, the ghost-fluid pressure there is p_j = theta
/// g_j and would be -P_j = -(1 - theta) g_j at the air's centre, g_j the pressure's rise along the edge. A cell of air
/// that has liquid along several axes has one such P of each edge. Crossings are known to some hundredths of a cell, so
/// these differ; the force is then no gradient round the corner between the edges, and no pressure can balance it: it
/// turns the liquid beside the corner, step by step the same way. Water at rest whose surface lies obliquely to the
/// grid began to flow along it, ever faster, for nothing damps that.
///
/// So all edges of a cell of air get one P, the mean of theirs (with the rises of the last step's pressure: the surface
/// is where p = 0, so it lies across the pressure's gradient). What noise the crossings have is then noise of the
/// level, which gravity evens out. With theta alone P_j = p_j (1 - theta) / theta would be the same on all edges for
/// that very pressure only. Whatever the pressures are, it is for
///
///   P = b sum_j p_j,    b = P_mean / sum_j (g_j - P_mean)
///
/// over the liquid cells j beside that of air: symmetric, but it couples cells along diagonals. Those come from the
/// last step: the force on the edge of j is
///
///   p_j + beta_j p_j + (b sum_i p_i - beta_j p_j)_before,    beta_j = b sum_i p_i / p_j, but no more than it needs
///
/// The first two are a theta of 1 / (1 + beta_j), and `star` gets it; the rest is added to `velocity`, and is all that
/// `kick` has afterwards. It is nothing unless p_j is small beside P: there beta_j would make a hundredth of change in
/// p_j one of P. Where no pressure is known from before, theta is 1 - P / g_j.
///
/// Cells with liquid along one axis stay as they are: a level along the grid is what it was. So do those where an edge
/// goes along the surface, for it tells nothing of the level; those beside solids, where the level is not that of
/// particles alone; and those where edges differ by more than crossings are uncertain, which is no flat surface.
///
/// `pressure`: p / rho of the last step [m^2/s^2], 0 in air; `star` = A_f / theta_f.
void share_ghost_pressures(const Exec& exec, const Domain& domain, const CutCells& cut, const Field<float>& phi,
                           const Field<double>& pressure, double dt, MacField<float>& star, MacField<float>& kick,
                           MacField<float>& velocity);

}  // namespace silt
