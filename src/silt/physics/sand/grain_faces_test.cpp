#include "silt/physics/sand/grain_faces.h"

#include <gtest/gtest.h>

#include "silt/fields/test_tools.h"
#include "silt/physics/sand/grain_contacts.h"

namespace silt {
namespace {

using namespace test;

const Exec serial(Device::cpu, 1);

/// Sand that bears in the lower half of a box, packed, at rest; no solids.
struct Bed {
  Domain domain = unit_domain(8, 2, Side::wall);
  Layout layout = make_layout(domain.cells, domain.lattice.active);
  CutCells cut{layout};
  Field<float> part{layout}, fraction{layout};
  MacField<float> weight{layout}, velocity{layout};
  MacField<double> u{layout};
  GrainFields fields{layout};

  Bed() {
    cut_cells(serial, domain, {}, cut);
    for_each({{0, 0, 0}, {8, 4, 1}}, [&](Cell c) { part.at(c) = fraction.at(c) = 1, fields.friction.at(c) = 0.5f; });
    for (int a = 0; a < 2; ++a) for_each(domain.faces(a), [&](Cell c) { weight[a].at(c) = c.y < 4 ? 4.0f : 0.0f; });
  }
  float slack(Cell c, double dt) {
    close_slits(serial, domain, cut, fields);
    find_slack(serial, domain, cut, fraction, part, dt, fields);
    return fields.slack(c);
  }
  void find() {
    close_slits(serial, domain, cut, fields);
    find_faces(serial, domain, cut, part, weight, weight, velocity, fields, u);
  }
};

// A fifth of what it lacks of 0.95, of 0.85 in cells that are not full; below 0.6 as if nothing were there.
TEST(Slack, IsAPartOfWhatPackingLacks) {
  constexpr Cell c{4, 2, 0};
  constexpr double dt = 0.01, speed = 0.125 / dt;
  Bed bed;
  const auto slack = [&](double f, double part) {
    bed.fraction.at(c) = float(f), bed.part.at(c) = float(part);
    return bed.slack(c, dt) / speed;
  };
  EXPECT_EQ(slack(1.05, 1), 0);
  EXPECT_EQ(slack(0.96, 1), 0);
  EXPECT_NEAR(slack(0.90, 1), 0.05 / (0.90 * 5), 1e-6);
  EXPECT_EQ(slack(0.86, 0.5), 0) << "at the surface f is known but roughly";
  EXPECT_NEAR(slack(0.80, 0.5), 0.05 / (0.80 * 5), 1e-6);
  EXPECT_NEAR(slack(0.50, 1), 0.45 / (0.50 * 5) + 0.1 / 0.5, 1e-6);
  EXPECT_NEAR(slack(0.01, 1), 0.85 / (0.1 * 5) + 0.5 / 0.1, 1e-5) << "there is a least that counts";
  bed.fields.friction.at(c) = 0;
  EXPECT_EQ(slack(0.5, 1), 0) << "no grains, no room";
}

// A piston that closes three quarters of a face takes its room from the cell.
TEST(Slack, SolidsThatMoveTakeRoom) {
  constexpr Cell c{4, 2, 0};
  Bed bed;
  bed.cut.open[1].at(c + unit(1)) = 0.25f, bed.cut.solid_velocity[1].at(c + unit(1)) = -0.2f;
  EXPECT_NEAR(bed.slack(c, 0.01), -0.75 * 0.2, 1e-6);
  bed.cut.open[1].at(c) = 0.25f, bed.cut.solid_velocity[1].at(c) = -0.2f;
  EXPECT_NEAR(bed.slack(c, 0.01), 0, 1e-6) << "and what follows it gives that back";
}

TEST(GrainFaces, WeighWhatLiesRoundThem) {
  Bed bed;
  bed.weight[0].at({4, 0, 0}) = 3, bed.weight[0].at({4, -1, 0}) = 1;  // what falls beyond the floor
  bed.weight[1].at({4, 4, 0}) = 0.1f;
  bed.find();
  EXPECT_FLOAT_EQ(bed.fields.mass[0]({4, 2, 0}), 1);
  EXPECT_FLOAT_EQ(bed.fields.mass[0]({4, 0, 0}), 1) << "the floor's share is theirs";
  EXPECT_FLOAT_EQ(bed.fields.mass[1]({4, 4, 0}), 0.05f) << "a face at the rim has a least mass";
  EXPECT_EQ(bed.fields.mass[1]({4, 5, 0}), 0);
  EXPECT_EQ(bed.fields.moves[1]({4, 5, 0}), 0);
  EXPECT_EQ(bed.fields.mass[1]({4, 0, 0}), 0) << "the floor itself does not move";
}

// A face without particles takes the velocity of the other side of its cell; the floor that of the wall, and what
// falls onto it rests there: mass times velocity.
TEST(GrainFaces, MoveAsTheirParticlesDo) {
  Bed bed;
  bed.velocity[1].at({4, 3, 0}) = -0.3f;
  bed.velocity[1].at({4, 0, 0}) = -0.1f, bed.weight[1].at({4, 0, 0}) = 2;
  bed.find();
  EXPECT_FLOAT_EQ(float(bed.u[1]({4, 3, 0})), -0.3f);
  EXPECT_FLOAT_EQ(float(bed.u[1]({4, 4, 0})), -0.3f) << "no particles there";
  EXPECT_EQ(bed.u[1]({4, 0, 0}), 0);
  EXPECT_FLOAT_EQ(bed.fields.resting[1]({4, 0, 0}), 0.5f * 0.1f);
  EXPECT_EQ(bed.fields.resting[1]({4, 3, 0}), 0);
}

TEST(GrainFaces, EdgesShearWhereAllTheirFacesMove) {
  Bed bed;
  for_each({{0, 6, 0}, {8, 8, 1}}, [&](Cell c) { bed.fields.friction.at(c) = 0.5f, bed.weight[0].at(c) = 4; });
  bed.find();
  find_edges(serial, bed.domain, bed.fields);
  EXPECT_EQ(bed.fields.sheared[2]({4, 2, 0}), 1);
  EXPECT_EQ(bed.fields.sheared[2]({4, 0, 0}), 0) << "on the floor";
  EXPECT_EQ(bed.fields.sheared[2]({4, 4, 0}), 0) << "on the surface";
  EXPECT_EQ(bed.fields.sheared[2]({4, 6, 0}), 0) << "below what hangs";
  EXPECT_EQ(bed.fields.sheared[2]({4, 7, 0}), 1);
}

// Faces of which a slope leaves less than a tenth are closed to sand; what lies along the lattice leaves all as they
// are, however narrow.
TEST(GrainFaces, SlitsBesideSlopesAreClosed) {
  for (const double slope : {0.5, 0.0}) {
    Bed bed;
    cut_cells(serial, bed.domain, {{Shape::plane({0, 0.245, 0}, normalized(Vec3d{slope, 1, 0})), {}}}, bed.cut);
    find_contacts(serial, bed.domain, bed.cut, {}, bed.fields.contacts);
    close_slits(serial, bed.domain, bed.cut, bed.fields);
    int slits = 0;
    for (int a = 0; a < 2; ++a)
      for_each(bed.domain.faces(a), [&](Cell c) {
        const float passes = bed.cut.open[a](c);
        const bool slit = passes > 0 && passes < 0.1f;
        slits += slit;
        EXPECT_EQ(bed.fields.open[a](c), slit && slope > 0 ? 0 : passes) << c;
      });
    EXPECT_GE(slits, 2);
  }
}

// On a slope closed faces take the mean of those next to them that sand moves through, and give them what they weigh:
// nothing is lost, and nothing rests on them. So do those beside sand in the air, and in solids along the lattice. On
// what lies along the lattice none do.
TEST(GrainFaces, VelocitiesGoOnIntoSlopes) {
  for (const double slope : {0.5, 0.0}) {
    Bed bed;
    cut_cells(serial, bed.domain, {{Shape::plane({0, 0.3, 0}, normalized(Vec3d{slope, 1, 0})), {}}}, bed.cut);
    find_contacts(serial, bed.domain, bed.cut, {}, bed.fields.contacts);
    for (int a = 0; a < 2; ++a)
      for_each(bed.domain.faces(a), [&](Cell c) { bed.velocity[a].at(c) = a == 0 ? 1.0f : -0.5f; });
    bed.find();
    double before = 0, lost = 0, beside = 0, after = 0;
    const auto sum = [&](double& masses) {
      for (int a = 0; a < 2; ++a) for_each(bed.domain.faces(a), [&](Cell c) { masses += bed.fields.mass[a](c); });
    };
    sum(before);
    extend_into_solids(serial, bed.domain, bed.weight, bed.velocity, bed.fields, bed.u);
    sum(after);
    for (int a = 0; a < 2; ++a)
      for_each(bed.domain.faces(a), [&](Cell c) {
        const Cell across = unit(1 - a);
        const bool is_beside = bed.fields.mass[a](c - across) + bed.fields.mass[a](c + across) > 0;
        if (is_beside && bed.fields.moves[a](c) == 0 && bed.fields.extended[a](c) == 0)
          beside += 0.25 * bed.weight[a](c);
        if (!(bed.fields.extended[a](c) > 0)) return;
        EXPECT_EQ(bed.fields.open[a](c), 0);
        EXPECT_EQ(bed.fields.resting[a](c), 0);
        lost += 0.25 * bed.weight[a](c);
      });
    EXPECT_NEAR(after, before + lost + beside, 1e-4);
    EXPECT_EQ(lost > 3, slope > 0);
    EXPECT_EQ(lost > 0, slope > 0);
    for (int a = 0; a < 2; ++a)
      for_each(bed.domain.faces(a), [&](Cell c) {
        const double wanted = a == 0 ? 1 : -0.5;
        EXPECT_NEAR(bed.fields.mass[a](c) > 0 ? bed.u[a](c) : wanted, wanted, 1e-6);
      });
  }
}

}  // namespace
}  // namespace silt
