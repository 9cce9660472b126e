#include <algorithm>
#include <cmath>

#include "silt/physics/gas/inflow.h"
#include "silt/physics/gas/open_sides.h"

namespace silt::gas {

Setting open_inflow_sides(Setting setting) {
  for (const Inflow& inflow : setting.inflows) setting.domain.sides[inflow.axis][inflow.end] = Side::open;
  return setting;
}

namespace {

/// Which faces of a side an inflow covers: those whose middle is in its shape.
std::vector<bool> covered(const Lattice& lattice, const Inflow& inflow, const Box& faces) {
  std::vector<bool> out;
  for (int z = faces.lo.z; z < faces.hi.z; ++z)
    for (int y = faces.lo.y; y < faces.hi.y; ++y)
      for (int x = faces.lo.x; x < faces.hi.x; ++x)
        out.push_back(!inflow.shape || inflow.shape->distance(lattice.face_centre(inflow.axis, {x, y, z})) <= 0);
  return out;
}

/// Of the domain across the side. A hole is passed by sound that is longer than it is wide whatever it does, and holds
/// its velocity sooner.
double length_of(const Domain& domain, const Inflow& inflow, const std::vector<bool>& covers) {
  const double h = domain.lattice.h, across = h * domain.cells.size()[inflow.axis];
  const auto faces = std::count(covers.begin(), covers.end(), true);
  if (std::size_t(faces) == covers.size() || domain.lattice.dims() == 1) return across;
  constexpr double sooner = 0.1;
  return std::min(across, sooner * h * std::pow(double(faces), 1.0 / (domain.lattice.dims() - 1)));
}

bool always_on(const Inflow& inflow) {
  const auto& keys = inflow.enabled.keys();
  return std::all_of(keys.begin(), keys.end(), [](const auto& key) { return key.second; });
}

}  // namespace

Inlets::Inlets(const Setting& setting) {
  if (setting.inflows.empty()) return;
  const std::vector<OpenSide> open = open_sides(setting.domain);
  sides_.resize(open.size());
  std::vector<std::vector<bool>> always(open.size());
  for (const Inflow& inflow : setting.inflows) {
    const auto found = std::find_if(open.begin(), open.end(), [&](const OpenSide& side) {
      return side.axis == inflow.axis && side.end == inflow.end;
    });
    const std::size_t i = std::size_t(found - open.begin());
    const std::vector<bool> covers = covered(setting.domain.lattice, inflow, found->faces);
    patches_.push_back({i, covers, length_of(setting.domain, inflow, covers)});
    const std::size_t n = patches_.back().covers.size();
    sides_[i].which = Buffer<unsigned char>(n);
    always[i].resize(n, false);
    for (std::size_t f = 0; f < n; ++f) always[i][f] = always[i][f] || (patches_.back().covers[f] && always_on(inflow));
  }
  for (const std::vector<bool>& side : always)
    closes_ = closes_ || std::find(side.begin(), side.end(), false) != side.end();
}

bool Inlets::set(const Setting& setting, const GasLaw& law, double time, double dt) {
  bool changed = false;
  fastest_ = 0;
  std::vector<std::vector<InletNow>> now(sides_.size());
  std::vector<std::vector<unsigned char>> which(sides_.size());
  for (std::size_t i = 0; i < sides_.size(); ++i) which[i].assign(sides_[i].which.size(), SideInlets::wall);
  for (std::size_t p = 0; p < patches_.size(); ++p) {
    const Inflow& inflow = setting.inflows[p];
    if (!inflow.enabled(time)) continue;
    const std::size_t i = patches_[p].side;
    const Vec3d u = inflow.velocity(time + dt);
    const double sign = inflow.end == 0 ? -1 : 1, out = sign * u[inflow.axis];
    const double t = inflow.temperature(time);
    const double c = std::sqrt(law.heat == Heat::linear ? law.linear_c2 : law.gamma * law.gas_constant * t);
    now[i].push_back({{float(u.x), float(u.y), float(u.z)},
                      float(out),
                      float(out - sign * inflow.velocity(time)[inflow.axis]),
                      float(t),
                      float(inflow.pressure(time)),
                      float(inflow.density(time)),
                      float(inflow.fuel(time)),
                      float(dt / (10 * patches_[p].length)),
                      -out >= c});
    fastest_ = std::max({fastest_, std::abs(u.x), std::abs(u.y), std::abs(u.z)});
    for (std::size_t f = 0; f < which[i].size(); ++f)
      if (patches_[p].covers[f]) which[i][f] = (unsigned char)(now[i].size());
  }
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    SideInlets& side = sides_[i];
    side.now = Buffer<InletNow>(std::max<std::size_t>(1, now[i].size()));
    std::copy(now[i].begin(), now[i].end(), side.now.host());
    if (!side.any()) continue;
    unsigned char* before = side.which.host();
    for (std::size_t f = 0; f < which[i].size(); ++f)
      changed = changed || (before[f] == SideInlets::wall) != (which[i][f] == SideInlets::wall);
    std::copy(which[i].begin(), which[i].end(), before);
  }
  return changed;
}

}  // namespace silt::gas
