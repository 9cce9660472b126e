#include "silt/physics/common/seed_fills.h"

#include "silt/fields/seeding.h"

namespace silt {

Particles seed_fills(const Exec& exec, const Setting& setting, Modes modes) {
  Particles particles(setting.domain.lattice.active, modes);
  std::optional<Shape> solids;
  for (const PlacedShape& s : place(setting.obstacles, 0)) solids = solids ? Shape::unite(*solids, s.shape) : s.shape;
  const auto shape_of = [&](const Fill& fill) {
    return fill.shape ? *fill.shape : Shape::box(setting.domain.lower(), setting.domain.upper());
  };
  for (std::size_t i = 0; i < setting.fills.size(); ++i) {
    const Fill& fill = setting.fills[i];
    Shape shape = shape_of(fill);
    for (std::size_t later = i + 1; later < setting.fills.size(); ++later)  // the last one counts
      shape = Shape::subtract(shape, shape_of(setting.fills[later]));
    seed_particles(exec, setting.domain, shape,
                   {.seed = setting.seed,
                    .velocity = fill.velocity.value_or(Vec3d{}),
                    .source = std::uint32_t(i),
                    .colour = fill.colour ? packed_colour(*fill.colour) : no_colour,
                    .solids = solids ? &*solids : nullptr},
                   particles);
  }
  return particles;
}

}  // namespace silt
