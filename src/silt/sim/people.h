#pragma once

/// Numbers as people write them, for messages.

#include <string>

#include "silt/core/vec.h"

namespace silt {

std::string short_text(double x);                   ///< four digits: "0.0125", "1.5"
std::string vector_text(const Vec3d& v, int dims);  ///< "[1, 0.5]"
std::string cells_text(const Vec3d& n, int dims);   ///< "64 x 64 x 128"
std::string count_text(double n);                   ///< "512", "1.5 million"
std::string duration_text(double seconds);          ///< "40 s", "3 minutes", "2.5 hours", "12 days"

}  // namespace silt
