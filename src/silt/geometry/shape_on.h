#pragma once

#include <algorithm>

#include "silt/core/buffer.h"
#include "silt/geometry/shape.h"

namespace silt {

/// A shape where kernels run: `ShapeOn on(exec, shape); Kernel{on.view(), ...}`. Good while it and the shape are.
class ShapeOn {
 public:
  ShapeOn() = default;  ///< no shape: a view of no nodes
  ShapeOn(const Exec& exec, const Shape& shape) : nodes_(shape.nodes().size()) {
    std::copy(shape.nodes().begin(), shape.nodes().end(), nodes_.host());
    for (std::size_t i = 0, mesh = 0; i < shape.nodes().size(); ++i)
      if (shape.nodes()[i].op == ShapeNode::Op::mesh) nodes_.host()[i].mesh = shape.meshes()[mesh++].data->view(exec);
    view_ = {nodes_.read(exec), int(nodes_.size())};
  }
  /// No shape for nullptr.
  ShapeOn(const Exec& exec, const Shape* shape) {
    if (shape) *this = ShapeOn(exec, *shape);
  }
  ShapeOn(ShapeOn&&) = default;
  ShapeOn& operator=(ShapeOn&&) = default;

  const ShapeView& view() const { return view_; }

 private:
  Buffer<ShapeNode> nodes_;
  ShapeView view_;
};

}  // namespace silt
