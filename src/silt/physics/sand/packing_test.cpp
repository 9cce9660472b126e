#include "silt/physics/sand/packing.h"

#include <gtest/gtest.h>

#include <bit>
#include <functional>

#include "silt/fields/cut_cells.h"
#include "silt/fields/particle_test_tools.h"
#include "silt/physics/common/capacity.h"
#include "silt/physics/common/particles_to_grid.h"

namespace silt {
namespace {

using namespace test;

const Exec serial(Device::cpu, 1);

/// A particle in the middle of every half-cell that `has` says, half-cells counted from the domain's corner.
struct Halves {
  Domain domain;
  Packing packing;

  Halves(int dims, const std::function<bool(Cell)>& has, const std::vector<PlacedShape>& solids = {})
      : domain(unit_domain(8, dims, Side::wall)) {
    const Int3 active = domain.lattice.active;
    const Layout layout = make_layout(domain.cells, active);
    Particles particles(active);
    for_each({{}, {16, 16, dims == 3 ? 16 : 1}}, [&](Cell half) {
      if (!has(half)) return;
      const std::size_t i = append(serial, particles, 1);
      for (int a = 0; a < dims; ++a)
        particles.cell[a].host()[i] = half[a] / 2, particles.offset[a].host()[i] = half[a] % 2 ? 0.75f : 0.25f;
      particles.id.host()[i] = particles.born++;
    });
    CellRanges ranges;
    SortScratch sorting;
    sort_particles(serial, domain, layout, particles, ranges, sorting);
    MacField<float> velocity(layout), weight(layout);
    TransferScratch scratch;
    particles_to_grid(serial, domain, particles, ranges, Across::smooth, scratch, velocity, weight);
    CutCells cut(layout);
    cut_cells(serial, domain, solids, cut);
    Field<float> room(layout), capacity(layout);
    find_capacity(serial, domain, cut.distance, room, capacity);
    packing = Packing(layout);
    find_packing(serial, domain, particles, ranges, weight, cut.distance, capacity, packing);
  }
};

// One half-cell each, whichever it is; by itself it takes up a 2^D-th of its cell.
TEST(Packing, HalfCellsAreTakenUpOneByOne) {
  for (int dims : {2, 3})
    for (int n = 0; n < (1 << dims); ++n) {
      const Cell half{6 + (n & 1), 6 + (n >> 1 & 1), dims == 3 ? 6 + (n >> 2) : 0}, cell{3, 3, dims == 3 ? 3 : 0};
      const Halves sand(dims, [&](Cell c) { return c == half; });
      EXPECT_EQ(sand.packing.halves(cell), 1 << n);
      EXPECT_FLOAT_EQ(sand.packing.part(cell), 1.0f / float(1 << dims));
      EXPECT_EQ(sand.packing.part(cell + unit(0)), 0);
    }
}

// A hole of one half-cell is no room; nor is the inner corner of a step, which as many as there are axes lie beside. Of
// a flat surface that ends in the middle of cells half of them is taken up.
TEST(Packing, HolesAndInnerCornersAreTakenUp) {
  const Cell hole{7, 7, 0};
  const Halves pierced(2, [&](Cell c) { return !(c == hole); });
  EXPECT_FLOAT_EQ(pierced.packing.part({3, 3, 0}), 1);
  const Halves flat(2, [](Cell c) { return c.y < 7; });
  EXPECT_FLOAT_EQ(flat.packing.part({3, 3, 0}), 0.5f);
  EXPECT_EQ(flat.packing.part({3, 4, 0}), 0);
  const Halves step(2, [](Cell c) { return c.y < 7 || c.x < 8; });
  EXPECT_FLOAT_EQ(step.packing.part({4, 3, 0}), 0.75f) << "the half-cell in the corner";
  EXPECT_FLOAT_EQ(step.packing.part({5, 3, 0}), 0.5f);
  const Halves in_3d(3, [](Cell c) { return c.z < 7 || c.x < 8; });
  EXPECT_FLOAT_EQ(in_3d.packing.part({4, 3, 3}), 0.5f) << "two of six beside it are not enough in 3D";
}

// The floor cuts the third row at any height: of that only what is outside is there to be taken up.
TEST(Packing, OfCellsThatASolidCutsWhatIsOutsideCounts) {
  for (int dims : {2, 3})
    for (const double in : {0.1, 0.25, 0.4, 0.5, 0.7, 0.95}) {
      const double top = (3 + in) / 8;
      Vec3d up{};
      up[dims - 1] = 1;
      const Halves sand(dims, [&](Cell c) { return (c[dims - 1] + 0.5) / 16 > top - 0.05; },
                        {{Shape::plane(up * top, up), {}, 0.5}});
      const Cell cut = dims == 3 ? Cell{4, 4, 3} : Cell{4, 3, 0};
      EXPECT_NEAR(sand.packing.part(cut), 1 - in, 2 * solid_margin) << dims << " " << in;
      EXPECT_FLOAT_EQ(sand.packing.part(cut + unit(dims - 1)), 1);
      EXPECT_EQ(sand.packing.part(cut - unit(dims - 1)), 0);
    }
}

// Within, particles over room are 1, and in cells at the rim as near to that as the transfer's weights, (5, 22, 5) / 32
// of particles so placed, are to those of even sand, (1, 4, 1) / 6.
TEST(Packing, RimCellsArePackedThoughNotFull) {
  const Halves sand(2, [](Cell c) { return c.y < 8; });
  EXPECT_NEAR(sand.packing.fraction({4, 2, 0}), 1, 1e-5);
  const double along = 0.75, crowd = 0.5 * (along + 27.0 / 32), room = 0.5 * (along + 5.0 / 6);
  EXPECT_NEAR(sand.packing.fraction({4, 3, 0}), crowd / room, 1e-5);
  EXPECT_NEAR(sand.packing.fullness({4, 3, 0}), crowd, 1e-5) << "and there is room above";
  EXPECT_NEAR(sand.packing.fullness({4, 2, 0}), 1, 1e-5);
  EXPECT_EQ(sand.packing.fraction({4, 6, 0}), 0);
}

// Half as many: half as packed, for the hollows are as small as the sand.
TEST(Packing, LooseSandIsLoose) {
  const Halves sand(2, [](Cell c) { return (c.x + c.y) % 2 == 0; });
  EXPECT_FLOAT_EQ(sand.packing.part({4, 4, 0}), 1) << "a half-cell has four beside it";
  EXPECT_NEAR(sand.packing.fraction({4, 4, 0}), 0.5, 1e-5);
}

}  // namespace
}  // namespace silt
