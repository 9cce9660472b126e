#include "silt/physics/smoke/contents.h"

#include <algorithm>

namespace silt {

SmokeContents contents_of(const Setting& setting) {
  SmokeContents out;
  const auto include = [&](const auto& put) {
    const auto& keys = put.fuel.keys();
    out.colour = out.colour || put.colour;
    out.fuel = out.fuel || std::any_of(keys.begin(), keys.end(), [](const auto& key) { return key.second > 0; });
  };
  for (const Source& source : setting.sources) include(source);
  for (const Inflow& inflow : setting.inflows) include(inflow);
  for (const Fill& fill : setting.fills) {
    out.colour = out.colour || fill.colour;
    out.fuel = out.fuel || fill.fuel > 0;
  }
  return out;
}

}  // namespace silt
