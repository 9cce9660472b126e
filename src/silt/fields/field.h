#pragma once

#include <array>
#include <cassert>

#include "silt/core/buffer.h"
#include "silt/fields/layout.h"

namespace silt {

/// Values addressed by global indices. Cheap to copy into a kernel; owns nothing.
template <class T>
struct View {
  T* data = nullptr;
  int stride_y = 0, stride_z = 0, offset = 0;

  SILT_HD int index(int i, int j, int k) const { return offset + i + j * stride_y + k * stride_z; }
  SILT_HD T& operator()(int i, int j, int k) const { return data[index(i, j, k)]; }
  SILT_HD T& operator()(Cell c) const { return data[index(c.x, c.y, c.z)]; }

  SILT_HD operator View<const T>() const requires(!std::is_const_v<T>) { return {data, stride_y, stride_z, offset}; }
};

/// One value a cell, face or corner on the allocated tiles and their halo. Zero when made.
template <class T>
class Field {
 public:
  Field() = default;
  explicit Field(const Layout& layout) : layout_(layout), values_(std::size_t(layout.size)) {}

  const Layout& layout() const { return layout_; }
  bool allocated() const { return values_.size() > 0; }
  Buffer<T>& values() { return values_; }
  const Buffer<T>& values() const { return values_; }

  View<const T> read(const Exec& exec) const { return view(values_.read(exec)); }
  View<T> write(const Exec& exec) { return view(values_.write(exec)); }
  View<T> update(const Exec& exec) { return view(values_.update(exec)); }

  /// One value on the host; for tests and set-up, not for loops.
  T operator()(Cell c) const { return values_.host()[layout_.index(c)]; }
  T& at(Cell c) { return values_.host()[layout_.index(c)]; }

 private:
  template <class U>
  View<U> view(U* data) const {
    return {data, layout_.stride_y, layout_.stride_z, layout_.offset};
  }

  Layout layout_;
  Buffer<T> values_;
};

template <class T>
struct MacView {
  View<T> x, y, z;

  SILT_HD const View<T>& operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
  SILT_HD operator MacView<const T>() const requires(!std::is_const_v<T>) { return {x, y, z}; }
};

/// A staggered vector field: component a sits on the faces across axis a. A flat axis has no faces: its component is
/// allocated, stays zero, and no loop visits it.
template <class T>
class MacField {
 public:
  MacField() = default;
  explicit MacField(const Layout& layout) : parts_{Field<T>(layout), Field<T>(layout), Field<T>(layout)} {}

  const Layout& layout() const { return parts_[0].layout(); }
  Field<T>& operator[](int axis) { return parts_[axis]; }
  const Field<T>& operator[](int axis) const { return parts_[axis]; }

  MacView<const T> read(const Exec& exec) const {
    return {parts_[0].read(exec), parts_[1].read(exec), parts_[2].read(exec)};
  }
  MacView<T> write(const Exec& exec) { return {parts_[0].write(exec), parts_[1].write(exec), parts_[2].write(exec)}; }
  MacView<T> update(const Exec& exec) {
    return {parts_[0].update(exec), parts_[1].update(exec), parts_[2].update(exec)};
  }

 private:
  std::array<Field<T>, 3> parts_;
};

}  // namespace silt
