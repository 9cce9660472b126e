#include "silt/sim/volumes.h"

#include <algorithm>

namespace silt {
namespace {

struct VolumeKind {
  std::string name, help;
  std::vector<std::string> materials;
  bool usual = true;
};

const std::vector<VolumeKind>& kinds() {
  static const std::vector<VolumeKind> all{
      {"density", "amount of smoke", {"smoke", "gas"}},
      {"gas_density", "of the gas itself [kg/m^3]", {"gas"}},
      {"temperature", "of smoke, air and gas [K]", {"smoke", "gas"}},
      {"surface", "distance to the surface of water, negative inside [m]", {"water"}},
      {"packing", "how full of sand each cell is, 1 where it is packed", {"sand"}},
      {"pressure", "of gas, or of sand the mean of all directions [Pa]", {"gas", "sand"}, false},
      {"overpressure",
       "of gas, above that of air at rest, which \"pressure\" would drown where it is slow [Pa]",
       {"gas"},
       false},
      {"bearing", "what sand bears along each axis [Pa], three numbers a cell", {"sand"}, false},
      {"velocity", "[m/s], three numbers a cell", {"smoke", "gas", "water", "sand"}},
      {"colour", "of the smoke, three numbers a cell; where a source has one", {"smoke"}},
      {"fuel", "amount of what can burn; where a source has some", {"smoke", "gas"}, false},
      {"flame", "fuel that burns in a second [1/s]", {"smoke", "gas"}},
      {"solid", "distance to obstacles, negative inside [m]", {"smoke", "gas", "water", "sand"}},
  };
  return all;
}

template <class Test>
std::vector<std::string> names(const std::string& material, const Test& wanted) {
  std::vector<std::string> out;
  for (const VolumeKind& kind : kinds())
    if (std::count(kind.materials.begin(), kind.materials.end(), material) && wanted(kind)) out.push_back(kind.name);
  return out;
}

}  // namespace

std::vector<std::string> volumes_of(const std::string& material) {
  return names(material, [](const VolumeKind&) { return true; });
}

std::vector<std::string> usual_volumes(const std::string& material) {
  return names(material, [](const VolumeKind& kind) { return kind.usual; });
}

std::string usual_quantity(const std::string& material) {
  return material == "water"  ? "surface"
         : material == "sand" ? "packing"
         : material == "gas"  ? "gas_density"
                              : "density";
}

std::vector<ChoiceInfo> all_volumes() {
  std::vector<ChoiceInfo> out;
  for (const VolumeKind& kind : kinds()) out.push_back({kind.name, kind.help});
  return out;
}

}  // namespace silt
