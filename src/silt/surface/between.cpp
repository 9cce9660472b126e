#include "silt/surface/between.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace silt {
namespace {

struct Moving {
  Vec3d x;  ///< [m]
  Vec3d v;  ///< [m/s]
};

Moving piece(const Points& p, std::size_t i) {
  return {p.positions[i], p.velocities.empty() ? Vec3d{} : p.velocities[i].as<double>()};
}

/// Hermite's cubic over the time `dt`, and how fast it is there.
Moving along_cubic(const Moving& a, const Moving& b, double s, double dt) {
  const double s2 = s * s, s3 = s2 * s;
  const Vec3d x =
      a.x * (2 * s3 - 3 * s2 + 1) + b.x * (3 * s2 - 2 * s3) + a.v * (dt * (s3 - 2 * s2 + s)) + b.v * (dt * (s3 - s2));
  const Vec3d v = (b.x - a.x) * (6 * (s - s2) / dt) + a.v * (3 * s2 - 4 * s + 1) + b.v * (3 * s2 - 2 * s);
  return {x, v};
}

/// Numbers of pieces in the order of their ids.
std::vector<std::uint32_t> by_id(const Points& p) {
  std::vector<std::uint32_t> order(p.count());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return p.id[a] < p.id[b]; });
  return order;
}

/// What else is known of the pieces: what both frames have. A piece of one frame has it from there, and is older or
/// younger.
class Facts {
 public:
  Facts(const Points& a, const Points& b, Points& out) : a_(a), b_(b) {
    age_ = has(a.age, a) && has(b.age, b);
    source_ = has(a.source, a) && has(b.source, b);
    colour_ = has(a.colour, a) && has(b.colour, b);
    for (const Attribute& of_a : a.attributes)
      for (const Attribute& of_b : b.attributes)
        if (of_a.name == of_b.name && has(of_a.values, a) && has(of_b.values, b)) {
          values_.push_back({&of_a.values, &of_b.values});
          out.attributes.push_back({of_a.name, of_a.unit, {}});
        }
  }
  void add_first(std::size_t i, double later, Points& out) const {
    add(a_, i, later, out);
    for (std::size_t n = 0; n < values_.size(); ++n) out.attributes[n].values.push_back((*values_[n].first)[i]);
  }
  void add_second(std::size_t j, double later, Points& out) const {
    add(b_, j, later, out);
    for (std::size_t n = 0; n < values_.size(); ++n) out.attributes[n].values.push_back((*values_[n].second)[j]);
  }
  void add_both(std::size_t i, std::size_t j, double part, double dt, Points& out) const {
    add(a_, i, part * dt, out);
    for (std::size_t n = 0; n < values_.size(); ++n)
      out.attributes[n].values.push_back(float((1 - part) * (*values_[n].first)[i] + part * (*values_[n].second)[j]));
  }

 private:
  template <class T>
  static bool has(const std::vector<T>& list, const Points& points) {
    return list.size() == points.count();
  }
  void add(const Points& from, std::size_t i, double later, Points& out) const {
    if (age_) out.age.push_back(float(std::max(0.0, from.age[i] + later)));
    if (source_) out.source.push_back(from.source[i]);
    if (colour_) out.colour.push_back(from.colour[i]);
  }

  const Points &a_, &b_;
  bool age_, source_, colour_;
  std::vector<std::pair<const std::vector<float>*, const std::vector<float>*>> values_;
};

class Interval {
 public:
  Interval(const Domain& domain, double dt, double part)
      : domain_(domain), lo_(domain.lower()), hi_(domain.upper()), dt_(dt), part_(part) {}

  Points points(const Points& a, const Points& b) const {
    Points out;
    out.material = a.material;
    out.radius = std::max(a.radius, b.radius);
    const Facts facts(a, b, out);
    const bool known = a.id.size() == a.count() && b.id.size() == b.count();
    if (!known) {  // nothing tells which is which: those of the first frame go on
      for (std::size_t i = 0; i < a.count(); ++i)
        if (add(0, ahead(piece(a, i)), out)) facts.add_first(i, part_ * dt_, out);
      return out;
    }
    const std::vector<std::uint32_t> in_a = by_id(a), in_b = by_id(b);
    std::size_t i = 0, j = 0;
    while (i < in_a.size() || j < in_b.size()) {
      const bool only_a = j == in_b.size() || (i < in_a.size() && a.id[in_a[i]] < b.id[in_b[j]]);
      const bool only_b = !only_a && (i == in_a.size() || b.id[in_b[j]] < a.id[in_a[i]]);
      if (only_a) {
        if (add(a.id[in_a[i]], ahead(piece(a, in_a[i])), out)) facts.add_first(in_a[i], part_ * dt_, out);
        ++i;
      } else if (only_b) {
        if (was_born(b, in_b[j]) && add(b.id[in_b[j]], back(piece(b, in_b[j])), out))
          facts.add_second(in_b[j], (part_ - 1) * dt_, out);
        ++j;
      } else {
        if (add(a.id[in_a[i]],
                along_cubic(piece(a, in_a[i]), nearest_image(piece(b, in_b[j]), piece(a, in_a[i])), part_, dt_), out))
          facts.add_both(in_a[i], in_b[j], part_, dt_, out);
        ++i, ++j;
      }
    }
    return out;
  }

 private:
  Moving ahead(const Moving& m) const { return {m.x + m.v * (part_ * dt_), m.v}; }
  Moving back(const Moving& m) const { return {m.x - m.v * ((1 - part_) * dt_), m.v}; }
  bool was_born(const Points& b, std::uint32_t i) const { return b.age.empty() || b.age[i] >= (1 - part_) * dt_; }

  /// Along periodic axes, where the piece would be had it not come in at the other end.
  Moving nearest_image(Moving m, const Moving& from) const {
    for (int a = 0; a < 3; ++a)
      if (domain_.periodic(a)) m.x[a] -= (hi_[a] - lo_[a]) * std::round((m.x[a] - from.x[a]) / (hi_[a] - lo_[a]));
    return m;
  }
  /// Within the domain: cubics may swing a little beyond a wall, and what is left of a frame alone has gone out.
  bool add(std::uint64_t id, Moving m, Points& out) const {
    for (int a = 0; a < 3; ++a) {
      const double size = hi_[a] - lo_[a];
      if (domain_.periodic(a))
        m.x[a] -= size * std::floor((m.x[a] - lo_[a]) / size);
      else if (m.x[a] < lo_[a] - 0.5 * domain_.lattice.h || m.x[a] > hi_[a] + 0.5 * domain_.lattice.h)
        return false;
      m.x[a] = std::clamp(m.x[a], lo_[a], hi_[a]);
    }
    out.id.push_back(id);
    out.positions.push_back(m.x);
    out.velocities.push_back(m.v.as<float>());
    return true;
  }

  const Domain& domain_;
  Vec3d lo_, hi_;
  double dt_, part_;
};

/// All points of a material as one list: which pool a particle belongs to may change between frames.
Points all_of(const Frame& frame, const std::string& material) {
  Points out;
  out.material = material;
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  for (const Points& p : frame.points) {
    if (p.material != material) continue;
    out.radius = std::max(out.radius, p.radius);
    append(out.positions, p.positions), append(out.velocities, p.velocities), append(out.id, p.id);
    append(out.age, p.age), append(out.source, p.source), append(out.colour, p.colour);
    for (const Attribute& from : p.attributes) {
      const auto same = std::find_if(out.attributes.begin(), out.attributes.end(),
                                     [&](const Attribute& to) { return to.name == from.name; });
      append((same == out.attributes.end() ? out.attributes.emplace_back(Attribute{from.name, from.unit, {}}) : *same)
                 .values,
             from.values);
    }
  }
  if (out.velocities.size() != out.count()) out.velocities.clear();
  if (out.age.size() != out.count()) out.age.clear();
  return out;
}

std::optional<Volume> solid_between(const Frame& before, const Frame& after, double part) {
  const Volume *a = before.find("solid"), *b = after.find("solid");
  if (!a) return {};
  Volume out = *a;
  if (b && b->cells == a->cells)
    for (std::size_t i = 0; i < out.values.size(); ++i)
      out.values[i] = float((1 - part) * a->values[i] + part * b->values[i]);
  return out;
}

}  // namespace

Frame frame_between(const Frame& before, const Frame& after, double part) {
  Frame out;
  out.number = before.number;
  out.time = before.time + part * (after.time - before.time);
  out.domain = before.domain;
  const Interval interval(before.domain, after.time - before.time, part);
  std::vector<std::string> done;
  for (const Frame* frame : {&before, &after})
    for (const Points& p : frame->points) {
      if (std::find(done.begin(), done.end(), p.material) != done.end()) continue;
      done.push_back(p.material);
      out.points.push_back(interval.points(all_of(before, p.material), all_of(after, p.material)));
    }
  if (auto solid = solid_between(before, after, part)) out.volumes.push_back(std::move(*solid));
  return out;
}

}  // namespace silt
