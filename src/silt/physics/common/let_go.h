#pragma once

#include <array>
#include <vector>

#include "silt/fields/cut_cells.h"

/// Walls that let go of what flows: u . n >= 0 at a solid, not = 0 [ZB05, 2.4]. A solid presses, it does not pull, so
///   p >= least   perp   div u >= 0   in cells that touch one,
/// a bounded problem on the pressure's own operator. Where the bound holds the cell is released: its pressure is the
/// bound, as in air, and what is in it may leave the solid. The matrix is an M-matrix, so that a primal-dual active set
/// ends after a few passes, each a plain solve [HIK03].
///   [ZB05] Zhu & Bridson 2005, Animating sand as a fluid
///   [HIK03] Hintermueller, Ito & Kunisch 2003, The primal-dual active set strategy as a semismooth Newton method
namespace silt {

/// When walls let go.
struct LetGo {
  bool on = false;   ///< or they hold whatever pulls
  double least = 0;  ///< q = dt p / rho that they hold down to [m^2/s]; at most 0
  double slack = 0;  ///< how far below that counts as rounding and the surface's own noise [m^2/s]
  /// Where walls and solids differ: what each cell is held down to, p / rho [m^2/s^2], instead of `least`; minus
  /// infinity where it touches none, or one that holds.
  const Field<float>* per_cell = nullptr;
  double scale = 1;  ///< q over the pressure that is kept, and that `per_cell` is in: of p / rho, dt [s]
};

/// What solids and walls hold liquid down to, p / rho [m^2/s^2]: minus infinity, whatever pulls.
struct HeldDownTo {
  std::vector<float> solids;                    ///< by their numbers, see CutCells::nearest
  std::array<std::array<float, 2>, 3> sides{};  ///< of the domain
};

/// Of each cell that touches some of them, the lowest: it is held as the strongest one does. Minus infinity elsewhere.
void find_held(const Exec& exec, const Domain& domain, const CutCells& cut, const HeldDownTo& held, Field<float>& out);

/// Of cells that are liquid and touch a solid, or a wall that is no inlet: releases, in a first guess, those that were
/// released or pulled in the step before, q < least there, that u takes apart, b = -h^2 div u < 0, and that would not
/// be pressed together if all round them were as in the step before. Needs the halo of q.
void guess_released(const Exec& exec, const Domain& domain, const CutCells& cut, const MacField<float>& star,
                    const LetGo& walls, const Field<double>& b, const Field<double>& q, Field<unsigned char>& air,
                    Field<unsigned char>& released);

/// What a solve has left of the bound.
struct BoundMissed {
  double pull = 0;  ///< sum of what cells pull with that are not released yet, least - q
  double all = 0;   ///< sum of |q|
  double push = 0;  ///< sum of what released cells would press with that are pressed together, q - least
};

/// After a solve: releases what pulls, q < least - slack, in `air` and `released`; and marks what was released and is
/// pressed together, where b - A q > 0.
BoundMissed update_released(const Exec& exec, const Domain& domain, const CutCells& cut, const MacField<float>& star,
                            const LetGo& walls, const Field<double>& b, const Field<double>& q,
                            Field<unsigned char>& air, Field<unsigned char>& released);

/// Cells that are marked so are released no more.
void bind_pressed(const Exec& exec, const Domain& domain, Field<unsigned char>& air, Field<unsigned char>& released);

/// What a solve with released cells at `least` is asked: b plus what they press with; 0 in cells of air.
void with_released(const Exec& exec, const Domain& domain, const MacField<float>& star, const LetGo& walls,
                   const Field<unsigned char>& air, const Field<unsigned char>& released, const Field<double>& b,
                   Field<double>& out);
/// q = least in released cells.
void set_released(const Exec& exec, const Domain& domain, const LetGo& walls, const Field<unsigned char>& released,
                  Field<double>& q);
/// p / rho just below `least` in released cells, so that the next step finds them.
void remember_released(const Exec& exec, const Domain& domain, const LetGo& walls, const Field<unsigned char>& released,
                       Field<double>& p);

}  // namespace silt
