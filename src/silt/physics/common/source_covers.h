#pragma once

#include "silt/physics/common/cover_amounts.h"
#include "silt/physics/common/setting.h"

namespace silt {

/// What a source covers at a time, with faces if it has a velocity; looked at again only where it moves or deforms.
template <class AnySource>
const std::vector<CoverAmounts>& source_covers(const Exec& exec, const Domain& domain, const AnySource& source,
                                               double time, HeldCovers& held) {
  if (held.known && still(source)) return held.images;
  const Shape shape = source.shape.at(time).transformed(source.motion.at(time).place);
  held = {{}, true};
  for_each_cover(domain, &shape, [&](const Cover& cover) {
    held.images.push_back(cover_amounts(exec, domain, domain.cells, cover, source.velocity.has_value()));
  });
  return held.images;
}

}  // namespace silt
