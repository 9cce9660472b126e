#pragma once

#include <string>
#include <vector>

#include "silt/render/image.h"

namespace silt {

/// A picture of a sheet, and what stands under it.
struct SheetPicture {
  Image image;  ///< empty: there is none, and its place stays dark
  std::string label;
};

/// Pictures in rows on one page, in order, to be judged at a glance. All must have the size of the first that is there.
Image contact_sheet(const std::vector<SheetPicture>& pictures, int columns);

/// So many of `frames`, the first and the last among them, the others evenly in between.
std::vector<int> spread(const std::vector<int>& frames, int count);

}  // namespace silt
