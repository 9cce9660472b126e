#include "silt/cache/pvd_list.h"

#include <gtest/gtest.h>

namespace silt {
namespace {

TEST(PvdList, ComesBackFromItsText) {
  PvdList list;
  list.note = "made by hand";
  list.put({0.1, 1, "a<b>\"&amp;c", "b.0001.vtp"});
  list.put({1.0 / 3, 0, "a", "a.0002.vtp"});
  const PvdList back = read_pvd(pvd_text(list));
  EXPECT_EQ(back.note, list.note);
  EXPECT_EQ(back.entries, list.entries);
}

TEST(PvdList, IsOrderedByTimeWithAFileOnce) {
  PvdList list;
  list.put({2, 0, "a", "late"});
  list.put({1, 0, "a", "early"});
  list.put({3, 0, "a", "late"});
  const PvdList back = read_pvd(pvd_text(list));
  ASSERT_EQ(back.entries.size(), 2u);
  EXPECT_EQ(back.entries[0].file, "early");
  EXPECT_EQ(back.entries[1], (PvdEntry{3, 0, "a", "late"}));
}

TEST(PvdList, WhatItDoesNotKnowIsPassedOver) {
  EXPECT_TRUE(read_pvd("").entries.empty());
  EXPECT_TRUE(read_pvd("<DataSet timestep=\"x\" part=\"0\" name=\"a\" file=\"b\"/>").entries.empty());
  EXPECT_TRUE(read_pvd("<DataSet timestep=\"1\" part=\"0\" name=\"a\" file=\"b").entries.empty());
  EXPECT_EQ(read_pvd("\n<DataSet timestep=\"1\" part=\"0\" name=\"a\" file=\"b\"/>\nrubbish").entries.size(), 1u);
}

}  // namespace
}  // namespace silt
