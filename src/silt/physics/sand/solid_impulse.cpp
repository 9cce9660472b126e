#include "silt/physics/sand/solid_impulse.h"

#include "silt/core/loops.h"
#include "silt/core/reduction.h"
#include "silt/fields/nearest_solid.h"
#include "silt/physics/sand/wall_sides.h"
#include "silt/solve/corner_cut.h"

namespace silt {
namespace {

template <int D>
struct GiveSolid {
  static constexpr int corners = 1 << D, parts = D * (D + 1) / 2;
  int solid;
  NearestSolid nearest;
  WallSides walls;
  View<const float> friction, rub, volume;
  MacView<const float> open, resting, across, mixed, extended;
  View<const double> pressure;
  CornerStress::View<const float> stress;

  SILT_HD Several<3> operator()(Cell c) const {
    Several<3> out{};
    if (!(friction(c) > 0) || rub(c) < 0) return out;
    float N[3][3] = {}, area = 0, of_walls = 0;
    for (int a = 0; a < D; ++a) {
      N[a][a] = across[a](c), area += N[a][a];
      N[a][(a + 1) % 3] = N[(a + 1) % 3][a] = mixed[(a + 2) % 3](c);
      for (int end = 0; end < 2; ++end) of_walls += walls.on(a, end == 0 ? c : c + unit(a)) ? 1.0f : 0.0f;
    }
    if (!(area > of_walls) || nearest(c) != solid) return out;
    const float* own = stress.at(c);
    const float its_part = (area - of_walls) / area;
    for (int a = 0; a < D; ++a) {
      const Cell up = c + unit(a);
      const bool low_wall = walls.on(a, c), high_wall = walls.on(a, up);
      const float low = open[a](c), high = open[a](up);
      float mean = 0, pull = 0;
      for (int k = 0; k < corners; ++k) mean += volume(c) * own[(k * parts + a) * lane_count] / corners;
      for (int b = 0; b < D; ++b) pull += ((a == b ? area : 0.0f) - N[a][b]) * own[(corners * parts + b) * lane_count];
      double sum = its_part * pull;
      if (!low_wall) sum -= pressure(c) * (1 - low);
      if (!high_wall) sum += pressure(c) * (1 - high);
      if (!low_wall && !(low > 0)) sum += (extended[a](c) > 0 ? 0.0f : mean) - resting[a](c);
      if (!high_wall && !(high > 0)) sum += resting[a](up) - (extended[a](up) > 0 ? 0.0f : mean);
      out[a] = sum;
    }
    return out;
  }
};

template <int D>
Vec3d given(const Exec& exec, const Domain& domain, const CutCells& cut, int solid, const GrainFields& grains,
            const Field<double>& pressure, const CornerStress& stress) {
  GiveSolid<D> kernel;
  kernel.solid = solid, kernel.nearest = nearest_solid(exec, domain, cut);
  kernel.walls = WallSides(domain);
  kernel.friction = grains.friction.read(exec), kernel.rub = grains.contacts.rub.read(exec);
  kernel.volume = grains.contacts.volume.read(exec);
  kernel.open = grains.open.read(exec), kernel.resting = grains.resting.read(exec);
  kernel.across = grains.contacts.across.read(exec), kernel.mixed = grains.contacts.mixed.read(exec);
  kernel.extended = grains.extended.read(exec);
  kernel.pressure = pressure.read(exec), kernel.stress = stress.read(exec);
  const Several<3> sums = reduce<Each<Sum, Sum, Sum>>(exec, "sand.solid_impulse", domain.cells, kernel);
  return {sums[0], sums[1], sums[2]};
}

}  // namespace

Vec3d solid_impulse(const Exec& exec, const Domain& domain, const CutCells& cut, int solid, const GrainFields& grains,
                    const Field<double>& pressure, const CornerStress& stress) {
  const auto of = domain.lattice.dims() == 3 ? given<3> : domain.lattice.dims() == 2 ? given<2> : given<1>;
  return of(exec, domain, cut, solid, grains, pressure, stress);
}

}  // namespace silt
