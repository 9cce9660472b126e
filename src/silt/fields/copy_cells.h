#pragma once

#include "silt/fields/field.h"

namespace silt {

/// A loop that copies, from one kind of number to another if need be.
template <class From, class To = From>
struct CopyCells {
  View<const From> from;
  View<To> to;
  SILT_HD void operator()(Cell c) const { to(c) = To(from(c)); }
};

}  // namespace silt
