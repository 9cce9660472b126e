#pragma once

#include <vector>

#include "silt/fields/cut_cells.h"
#include "silt/fields/domain.h"
#include "silt/physics/gas/face_value.h"
#include "silt/physics/gas/gas_state.h"

namespace silt::gas {

/// What solids leave of faces and cells; nothing given: all of it.
struct Openings {
  const CutCells* cut = nullptr;
  const Field<float>* room = nullptr;                ///< V, the part of each cell
  const Field<float>* room_before = nullptr;         ///< before the step; the same where no solid moves
  const Field<float>* by_distance = nullptr;         ///< V as distances say: not quite the same
  const Field<float>* by_distance_before = nullptr;  ///< where solids move, see swept_room
  const Field<float>* swept = nullptr;               ///< what V changes by where solids move past faces, by swept_room
  const MacField<float>* slip = nullptr;             ///< by that besides, room goes from cell to cell [m/s]

  bool whole() const { return cut == nullptr; }
};

struct SideInlets;

/// What all loops of a step need to know.
struct StepFrame {
  const Exec& exec;
  const Domain& domain;
  GasLaw law;
  Flux flux = Flux::limited;
  bool implicit = false;
  double dt = 0, theta = 1;  ///< theta: of implicit steps, the part that the end of the step counts
  Vec3d gravity{};
  const GasReference& reference;
  Openings openings{};
  const std::vector<SideInlets>* inlets = nullptr;  ///< of each open side; none where nothing blows in

  double h() const { return domain.lattice.h; }
  double lam() const { return dt / domain.lattice.h; }
};

}  // namespace silt::gas
