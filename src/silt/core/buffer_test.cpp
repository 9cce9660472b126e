#include "silt/core/buffer.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "silt/core/error.h"

namespace silt {
namespace {

struct Mixed {
  double a;
  int b;
};

template <class T>
Buffer<T> counting(std::size_t n) {
  Buffer<T> b(n);
  for (std::size_t i = 0; i < n; ++i) b.host()[i] = T(i);
  return b;
}

TEST(Buffer, StartsAtZeroAndAligned) {
  // Fill and release the same size first, so that memory handed out again is not zero by luck.
  for (int round = 0; round < 3; ++round) {
    Buffer<float> b(1001);
    EXPECT_EQ(b.size(), 1001u);
    EXPECT_EQ(b.bytes(), 4004u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b.host()) % 64, 0u);
    for (std::size_t i = 0; i < b.size(); ++i) {
      ASSERT_EQ(b.host()[i], 0.0f) << i;
      b.host()[i] = 3.5f;
    }
  }
  const Buffer<Mixed> m(7);
  for (std::size_t i = 0; i < m.size(); ++i) EXPECT_TRUE(m.host()[i].a == 0 && m.host()[i].b == 0);
}

TEST(Buffer, LargeOnesStartAtZeroToo) {
  const std::size_t count = host_memory::large / sizeof(float) + 1;
  for (int round = 0; round < 3; ++round) {
    Buffer<float> a(count), b(count);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b.host()) % host_memory::alignment, 0u);
    EXPECT_NE(reinterpret_cast<std::uintptr_t>(a.host()) % 4096, reinterpret_cast<std::uintptr_t>(b.host()) % 4096);
    for (Buffer<float>* each : {&a, &b})
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(each->host()[i], 0.0f) << i;
        each->host()[i] = 3.5f;
      }
    const Buffer<float> copy = a;
    EXPECT_EQ(copy.host()[count - 1], 3.5f);
  }
}

TEST(Buffer, MoreThanThereIsThrows) {
  EXPECT_THROW(Buffer<double>(std::size_t(1) << 58), std::bad_alloc);
}

TEST(Buffer, EmptyOnesWork) {
  const Buffer<int> none, zero(0);
  EXPECT_EQ(none.size() + zero.size(), 0u);
  Buffer<int> copy(zero);
  copy = none;
  EXPECT_EQ(copy.size(), 0u);
  EXPECT_EQ(copy.read(Exec()), nullptr);
}

TEST(Buffer, CopiesAreDeep) {
  Buffer<int> a = counting<int>(100);
  Buffer<int> constructed(a), assigned(3), same_size(100), from_empty;
  assigned = a, same_size = a, from_empty = a;
  for (std::size_t i = 0; i < a.size(); ++i) a.host()[i] = -1;
  for (const Buffer<int>* b : {&constructed, &assigned, &same_size, &from_empty}) {
    ASSERT_EQ(b->size(), 100u);
    ASSERT_NE(b->host(), a.host());
    for (int i = 0; i < 100; ++i) ASSERT_EQ(b->host()[i], i);
  }
  a = *&a;
  EXPECT_EQ(a.size(), 100u);
  EXPECT_EQ(a.host()[99], -1);
}

TEST(Buffer, MovesHandOverTheirMemory) {
  Buffer<int> a = counting<int>(10);
  const int* bytes = a.host();
  Buffer<int> b(std::move(a));
  EXPECT_EQ(b.host(), bytes);
  Buffer<int> c(4);
  c = std::move(b);
  EXPECT_EQ(c.host(), bytes);
  EXPECT_EQ(c.size(), 10u);
  EXPECT_EQ(c.host()[9], 9);
  b = counting<int>(5);  // what was moved from can be used again
  EXPECT_EQ(b.host()[4], 4);
}

TEST(Buffer, OnTheHostAllViewsAreTheSameBytes) {
  const Exec exec;
  Buffer<int> b = counting<int>(8);
  b.write(exec)[3] = 42;
  b.update(exec)[4] = 43;
  EXPECT_EQ(b.read(exec)[3], 42);
  EXPECT_EQ(b.host()[4], 43);
  EXPECT_EQ(b.read(exec)[5], 5);
}

TEST(Exec, ThreadsAndDevices) {
  EXPECT_GE(available_threads(), 1);
  EXPECT_EQ(Exec().threads(), available_threads());
  EXPECT_EQ(Exec(Device::cpu, 3).threads(), 3);
  EXPECT_TRUE(Exec().on_cpu());
  if (!device_memory::available()) {
    EXPECT_THROW(Exec{Device::cuda}, InputError);
  }
#if !defined(SILT_CUDA)
  EXPECT_FALSE(device_memory::available());
  EXPECT_THROW(device_memory::allocate(8), Error);
#endif
}

}  // namespace
}  // namespace silt
