#pragma once

#include <vector>

#include "silt/fields/halo.h"
#include "silt/physics/common/cell_groups.h"

namespace silt {

/// What passes each face in a step, in volumes of a cell: F = dt/h (A u + U), U the velocity of inlets.
/// Halos of `velocity` must be filled; those of `out` are.
void volume_fluxes(const Exec& exec, const Domain& domain, double dt, const MacField<float>& velocity,
                   const CutCells& cut, MacField<float>& out);

/// One step of transport by fluxes: what leaves a cell through a face enters its neighbour, so that sums of V c stay.
struct FluxStep {
  const Exec& exec;
  const Domain& domain;
  const MacField<float>& fluxes;              ///< F, halos filled
  HaloRule beyond;                            ///< what comes in with the flow
  const Field<float>* room_before = nullptr;  ///< V at the start of the step; none: cells are whole
  const Field<float>* room = nullptr;         ///< V at its end
  const CellGroups* groups = nullptr;
  const Field<float>* swelling = nullptr;  ///< div u that makes volume, which has the values of its cell [1/s]
  double dt = 0;                           ///< [s]

  bool cut() const { return room != nullptr; }
};

/// Carries values c at cell centres: d(V c)/dt + sum_f c_f F_f = 0.
///
/// Axis by axis, in sweeps that are mirrored in time: z y x x y z for half of the step each, which is second order
/// [STR68]. A sweep along one axis squeezes cells whose flow goes out by another; their volumes W are followed, so that
/// a constant stays one [EAS93]:
///   W' = W - (F+ - F-),   c' = (W c - (c+ F+ - c- F-)) / W'
/// The value c+ on a face is that of a third-order parabola through the two cells behind it and the one before,
/// averaged over what passes (QUICKEST), and held where the sweep makes no new extrema (ULTIMATE) [LEO91]. That needs
/// what leaves a cell in a sweep to be no more than it holds: the step is taken in as many pairs of half steps as it
/// takes.
///   [EAS93] Easter 1993, Two modified versions of Bott's positive-definite numerical advection scheme
///   [LEO91] Leonard 1991, The ULTIMATE conservative difference scheme applied to unsteady one-dimensional advection
///   [STR68] Strang 1968, On the construction and comparison of difference schemes
class FluxTransport {
 public:
  FluxTransport() = default;
  explicit FluxTransport(const Layout& layout) : now_(layout), next_(layout), other_(layout) {}

  /// How the step is to be taken. False where the flow leaves cells so fast that it would take more than `most_pairs`.
  bool plan(const FluxStep& step);
  int sweeps() const { return int(sweeps_.size()); }
  static constexpr int most_pairs = 64;

  /// After `plan`, for any number of fields.
  void carry(const FluxStep& step, Field<float>& values);
  /// The same, and parts of it: fields that are each a share in [0, 1] of `values`, times `values`. Where amounts mix,
  /// shares do: they go with the amounts that pass, as values go with volume.
  void carry(const FluxStep& step, Field<float>& values, std::vector<Field<float>*> parts);

 private:
  struct Sweep {
    int axis;
    double part;  ///< of the step
  };
  void start_volumes(const FluxStep& step, const Cells& cells);
  /// Every cell of a group gets its mean, by volume or by `whole`.
  void even_out(const FluxStep& step, const Field<float>* whole, Field<float>& values);
  void next_volumes(const FluxStep& step, const Cells& cells, const Sweep& sweep, bool last);
  void sweep(const FluxStep& step, const Cells& cells, const Sweep& sweep, const Field<float>& from, Field<float>& to);
  void carry_shares(const FluxStep& step, const Cells& cells, const Sweep& sweep, const Field<float>& before,
                    const Field<float>& after, const std::vector<Field<float>*>& shares);

  std::vector<Sweep> sweeps_;
  Field<float> now_, next_;       ///< W before and after a sweep
  Field<float> other_;            ///< values after a sweep
  Field<float> amounts_, share_;  ///< what passes faces, and shares after a sweep; made when something has parts
};

}  // namespace silt
