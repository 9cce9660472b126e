#pragma once

#include "silt/core/macros.h"

namespace silt {

/// Fuel that burns where it is hot enough, at a rate proportional to itself: dF/dt = -k F.
struct FuelLaw {
  float share;     ///< 1 - e^(-k dt), of a step; or k [1/s], for what burns in a second
  float ignition;  ///< [K], counted as the temperature is

  SILT_HD float burnt(float fuel, float temperature) const {
    return fuel > 0 && temperature >= ignition ? share * fuel : 0.0f;
  }
};

}  // namespace silt
