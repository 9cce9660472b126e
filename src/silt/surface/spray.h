#pragma once

#include "silt/surface/clusters.h"
#include "silt/surface/cut.h"
#include "silt/surface/scale.h"

namespace silt {

/// The surface of small groups of particles that nothing else comes near to, by Zhu's field on voxels of a quarter of a
/// cell or less, so that they look round. Zhu's field ends below the surface of what is strongly curved, by about 0.2
/// cells over the radius in cells, for half of the room round a point of it is not full: a ball of one cell would keep
/// half of its volume. So each group is let grow, its field lowered by one number, until it has the volume that its
/// particles stand for.
class Spray {
 public:
  /// `finer`: how many of its voxels are as long as one of the field it is added to: 1, 2 or 4.
  static int finer_for(float cell);
  Spray(const Exec& exec, const Cloud& cloud, const Clusters& clusters, const Scale& scale, int finer,
        const Domain& domain, const Solid& solid);

  const ParticleBins& bins() const { return bins_; }
  const Lattice& voxels() const { return field_.lattice; }
  /// With normals.
  const Mesh& mesh() const { return mesh_; }
  /// To the level set of all, whose blocks must be there.
  void add_to(BlockField& field) const;

 private:
  void let_grow(const Exec& exec, const Cut& cut);
  struct Size {
    double volume = 0, area = 0, wanted = 0;
  };
  std::vector<Size> measured(const Mesh& mesh) const;
  std::uint32_t group_near(const Vec3f& at) const;

  int finer_;
  float cell_, reach_;
  ParticleBins bins_;
  std::vector<std::uint32_t> group_;  ///< of each particle in the bins
  std::vector<std::uint32_t> sizes_;
  BlockField field_;
  Mesh mesh_;
};

}  // namespace silt
