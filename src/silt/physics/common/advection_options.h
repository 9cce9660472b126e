#pragma once

#include <limits>
#include <string_view>

namespace silt {

/// How the flow carries values. docs/physics/advection.md has the formulas, orders and costs.
enum class Advection {
  upwind,          ///< finite differences against the flow; first order
  lax_friedrichs,  ///< central differences from the neighbours' mean; first order
  lax_wendroff,    ///< second order in space and time, axis by axis
  linear,          ///< semi-Lagrangian, linear interpolation; first order
  cubic,           ///< semi-Lagrangian, monotone cubic interpolation
  maccormack,      ///< linear there and back, half of the error taken off after; second order
  bfecc,           ///< linear there and back, half of the error taken off before; second order
};

/// How the path of a semi-Lagrangian scheme is followed back.
enum class Tracing {
  rk2,  ///< midpoint rule
  rk3,  ///< Ralston's third-order rule
};

struct AdvectionOptions {
  Advection scheme = Advection::maccormack;
  Tracing tracing = Tracing::rk2;
  bool clamp = true;  ///< MacCormack and BFECC: hold the result between the values it came from
};

/// As scenes and tables call it: "lax_wendroff".
constexpr std::string_view name_of(Advection scheme) {
  switch (scheme) {
    case Advection::upwind:
      return "upwind";
    case Advection::lax_friedrichs:
      return "lax_friedrichs";
    case Advection::lax_wendroff:
      return "lax_wendroff";
    case Advection::linear:
      return "linear";
    case Advection::cubic:
      return "cubic";
    case Advection::maccormack:
      return "maccormack";
    case Advection::bfecc:
      return "bfecc";
  }
  return {};
}

/// Whether a scheme is an explicit finite difference, and so stable for short steps only.
constexpr bool finite_difference(Advection scheme) {
  return scheme == Advection::upwind || scheme == Advection::lax_friedrichs || scheme == Advection::lax_wendroff;
}

/// The most cells a step may cross along any one axis; infinite for semi-Lagrangian schemes. For upwind and
/// Lax-Friedrichs also the limit up to which they make no new extrema.
constexpr double cfl_limit(const AdvectionOptions& options, int dims) {
  switch (options.scheme) {
    case Advection::upwind:
    case Advection::lax_friedrichs:
      return 1.0 / dims;
    case Advection::lax_wendroff:
      return 1;
    default:
      return std::numeric_limits<double>::infinity();
  }
}

}  // namespace silt
