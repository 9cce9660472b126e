#include "silt/sim/people.h"

#include <cmath>
#include <cstdio>

namespace silt {
namespace {

std::string formatted(const char* format, double x) {
  char text[64];
  std::snprintf(text, sizeof text, format, x);
  return text;
}

}  // namespace

std::string short_text(double x) {
  return formatted("%.4g", x);
}

std::string vector_text(const Vec3d& v, int dims) {
  std::string out = "[";
  for (int i = 0; i < dims; ++i) out += (i ? ", " : "") + short_text(v[i]);
  return out + "]";
}

std::string cells_text(const Vec3d& n, int dims) {
  std::string out;
  for (int i = 0; i < dims; ++i) out += (i ? " x " : "") + formatted(n[i] < 1e9 ? "%.0f" : "%.3g", n[i]);
  return out;
}

std::string count_text(double n) {
  if (n < 1e5) return formatted("%.0f", n);
  if (n < 1e6) return formatted("%.0f thousand", n / 1e3);
  if (n < 1e9) return formatted(n < 1e7 ? "%.1f million" : "%.0f million", n / 1e6);
  return n < 1e12 ? formatted("%.3g billion", n / 1e9) : formatted("%.2g", n);
}

std::string duration_text(double seconds) {
  if (seconds < 120) return formatted("%.3g s", seconds);
  if (seconds < 7200) return formatted("%.0f minutes", seconds / 60);
  if (seconds < 172800) return formatted("%.1f hours", seconds / 3600);
  return formatted("%.0f days", seconds / 86400);
}

}  // namespace silt
