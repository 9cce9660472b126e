#include "silt/physics/common/surface_crossings.h"

#include "silt/core/loops.h"
#include "silt/fields/halo.h"
#include "silt/fields/hodge_star.h"
#include "silt/physics/common/particles_beside_solids.h"

namespace silt {
namespace {

/// Lengths in cells.
constexpr float at_centre = 0.04f;  ///< from a centre to a crossing that need not be known any better
/// How much of the bend is that of the level's source. Not all: in a trough two cells deep, whose few whole cells would
/// be the source of each other's levels, water boils.
constexpr float of_source = 0.8f;

/// The zero of the parabola through (0, low), (x, middle) and (1, high), near x, where the line through the outer two
/// has its own; if there it is too flat, that of the broken line.
SILT_HD float zero_of_parabola(float low, float middle, float high, float x) {
  const float below = (middle - low) / x, above = (high - middle) / (1 - x);
  const bool rest_above = (middle < 0) == (low < 0);
  const float slope = below * (1 - x) + above * x, on = x - middle / slope;
  const bool between = rest_above ? on >= x && on <= 1 : on >= 0 && on <= x;
  return between ? on : x - middle / (rest_above ? above : below);
}

struct PlaceCrossing {
  static constexpr bool uneven = true;
  int axis;
  float inv_h;
  Within within;
  PlaneNear plane;
  ParticlesBesideSolids particles;
  bool solids;  ///< whether there are any
  ParticleSurface surface;
  View<const float> phi;
  View<float> star;

  /// What the particles say `shift` from a cell's centre [cells].
  SILT_HD float value(Cell c, const Vec3f& shift) const {
    NeighbourLanes near;
    particles.all.steps_near(shift, [&](Int3 step) { particles.all.add(step, c, near, shift); });
    return float(surface(Neighbourhood(near)));
  }
  /// And with their copies in solids.
  SILT_HD float value(Cell c, const Vec3f& n, const Vec3f& shift) const {
    NeighbourLanes near;
    particles.add(c, n, near, shift);
    return float(surface(Neighbourhood(near)));
  }
  /// The normal of the liquid's surface, if one of the two cells is beside solids.
  SILT_HD bool has_normal(Cell low, Cell high, Vec3f& n) const {
    return (particles.solid.centre(low) < particles.reach() && plane.normal(low, n)) ||
           (particles.solid.centre(high) < particles.reach() && plane.normal(high, n));
  }
  /// phi beside solids is not always that of particles. But how far it bends between two centres is, if they see the
  /// surface there at all: they do not in a film that is liquid only because it has a particle.
  SILT_HD float bend(Cell low, Cell high, Cell near, const Vec3f& n, const Vec3f& shift, float line) const {
    const float below = value(low, n, {}), above = value(high, n, {});
    if ((below < 0) == (above < 0)) return 0;
    return value(near, n, shift) - (1 - line) * below - line * above;
  }
  /// Where liquid thins out on a shallow slope phi is the level of a cell where it is deeper, but for what is more than
  /// noise (surface_beside_solids.h). There the way to that cell: its particles also tell the bend better.
  SILT_HD Int3 to_level_source(Cell c, const Vec3f& n) const {
    const std::uint32_t step = particles.steps(c);
    const Vec3f m = particles.solid.normal(c.as<float>()), t = m - n * dot(m, n);
    if (step == PackedStep::none || !(dot(t, t) < steep * steep)) return {};
    const Int3 aside = PackedStep::unpack(step);
    return phi(within.wrapped(c + aside)) == phi(c) ? aside : Int3{};
  }
  SILT_HD void operator()(Cell c) const {
    const float above = phi(c) * inv_h, below = phi(c - unit(axis)) * inv_h;
    if ((below < 0) == (above < 0) || !(star(c) > 0)) return;
    const float line = below / (below - above);
    if (line < at_centre || line > 1 - at_centre) return;
    const Cell low = within.wrapped(c - unit(axis)), high = within.wrapped(c);
    if (!within.cells.contains(low) || !within.cells.contains(high)) return;
    const Cell near = line < 0.5f ? low : high;
    Vec3f shift{}, n;
    shift[axis] = line < 0.5f ? line : line - 1;
    const bool beside = solids && has_normal(low, high, n);
    const Int3 aside = beside ? to_level_source(near, n) : Int3{};
    float middle = beside ? bend(low, high, near, n, shift, line) : value(near, shift);
    if (!(aside == Int3{}))
      middle += of_source * (bend(low + aside, high + aside, near + aside, n, shift, line) - middle);
    if (!(middle < 0)) return;  // the field bends this way; the other way is what few particles say
    const float x = zero_of_parabola(below, middle, above, line);
    const float before = below < 0 ? line : 1 - line, theta = below < 0 ? x : 1 - x;
    star(c) *= before / (theta > least_theta ? theta : least_theta);
  }
};

}  // namespace

void place_crossings(const Exec& exec, const Domain& domain, const Particles& particles, const CellRanges& ranges,
                     const SurfaceOptions& options, const CutCells* cut, const BesideSolidsScratch* beside,
                     const Field<float>& phi, MacField<float>& star) {
  const Int3 active = domain.lattice.active;
  const float inv_h = float(1 / domain.lattice.h);
  const ParticlesNear near(exec, domain, options, ranges, particles);
  const bool solids = cut && beside && beside->steps.allocated();
  const SolidDistance solid{solids ? cut->distance.read(exec) : View<const float>{}, active, inv_h};
  const PlaneNear plane{Blocks(domain.cells, active, near.period), solids ? beside->planes.read(exec) : nullptr};
  for (int a = 0; a < 3; ++a) {
    if (!active[a]) continue;
    for_each_cell(exec, "surface.crossings", domain.faces(a),
                  PlaceCrossing{a,
                                inv_h,
                                {domain.cells, near.period, active},
                                plane,
                                {near, solid, solids ? beside->steps.read(exec) : View<const std::uint32_t>{}},
                                solids,
                                ParticleSurface(options, domain.lattice.dims()),
                                phi.read(exec),
                                star[a].update(exec)});
    fill_halo(exec, domain, domain.faces(a), {}, star[a]);
  }
}

}  // namespace silt
