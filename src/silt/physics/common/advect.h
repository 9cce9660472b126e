#pragma once

#include <array>

#include "silt/fields/domain.h"
#include "silt/fields/field.h"
#include "silt/fields/halo.h"
#include "silt/fields/walls.h"
#include "silt/physics/common/advection_options.h"

namespace silt {

/// Fields that advection writes to on the way; made once. What each holds is the scheme's own affair.
class AdvectScratch {
 public:
  AdvectScratch() = default;
  explicit AdvectScratch(const Layout& layout)
      : fields_{Field<float>(layout), Field<float>(layout), Field<float>(layout)} {}
  Field<float>& operator[](int i) { return fields_[i]; }

 private:
  std::array<Field<float>, 3> fields_;
};

/// Carries values at cell centres along the flow for dt: dc/dt + u . grad c = 0, u frozen.
/// Halos of `from` (two layers) and `velocity` (one layer) must be filled; `to` must not be `from`.
/// `beyond` fills the halo of an intermediate field as the caller's own halo rule would.
void advect_cells(const Exec& exec, const Domain& domain, const AdvectionOptions& options, double dt,
                  const MacField<float>& velocity, const HaloRule& beyond, const Field<float>& from,
                  AdvectScratch& scratch, Field<float>& to);

/// The same for a staggered field, each component from the centre of its own face. `from` may be the velocity itself.
/// `walls` say what stands beyond the domain, as velocity_halo has it.
void advect_faces(const Exec& exec, const Domain& domain, const AdvectionOptions& options, double dt,
                  const MacField<float>& velocity, const SideWalls& walls, const MacField<float>& from,
                  AdvectScratch& scratch, MacField<float>& to);

}  // namespace silt
