#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "silt/core/buffer.h"
#include "silt/core/cells.h"
#include "silt/fields/layout.h"

namespace silt {

/// The cells a loop visits: a box, or those tiles of it that a list names. Cheap to copy; the list is shared.
class Region {
 public:
  Region(const Box& box) : box_(box) {}
  Region(const Cells& cells) : box_(cells) {}
  /// Tile t covers cells t * tile_extent(active) up to the next tile's; cells outside `box` are left out.
  Region(const Box& box, Int3 active, const std::vector<Int3>& tiles) : box_(box), tile_(tile_extent(active)) {
    Buffer<Int3> list(tiles.size());
    std::copy(tiles.begin(), tiles.end(), list.host());
    tiles_ = std::make_shared<const Buffer<Int3>>(std::move(list));
  }

  const Cells& box() const { return box_; }
  bool tiled() const { return tiles_ != nullptr; }
  const Buffer<Int3>& tiles() const { return *tiles_; }
  Int3 tile() const { return tile_; }

 private:
  Cells box_;
  Int3 tile_{};
  std::shared_ptr<const Buffer<Int3>> tiles_;
};

}  // namespace silt
