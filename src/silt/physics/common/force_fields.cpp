#include "silt/physics/common/force_fields.h"

#include <algorithm>
#include <cmath>

#include "silt/core/random.h"
#include "silt/physics/common/force_kernels.h"

namespace silt {

namespace {

/// The peaks of a sum of splines of uniform random numbers stay within this many times its root mean square; the bound
/// only chooses a time step.
constexpr double peak_over_mean = 4;

/// One number for a name, the same on every machine.
std::uint64_t name_bits(const std::string& name) {
  std::uint64_t bits = name.size();
  for (const unsigned char c : name) bits = mix_bits(bits ^ c) + 0x9e3779b97f4a7c15ull;
  return bits;
}

/// One field at one instant under one cover.
struct Apply {
  const Exec& exec;
  const Domain& domain;
  const Cover& cover;
  double time, dt;
  std::uint64_t stream;
  Similarity place;  ///< of centres and axes
  Field<float>& scratch;
  MacField<float>& velocity;

  void operator()(const UniformForce& f) const {
    push_faces(exec, domain, cover, UniformPush{f.acceleration(time)}, dt, velocity);
  }
  void operator()(const PointForce& f) const {
    push_faces(exec, domain, cover, PointPush{place(f.center), f.strength(time), {f.radius, f.power}}, dt, velocity);
  }
  void operator()(const VortexForce& f) const {
    push_faces(exec, domain, cover,
               VortexPush{place(f.center),
                          place.rotation * normalized(f.axis.value_or(Vec3d{0, 0, 1})),
                          f.swirl(time),
                          f.pull(time),
                          {f.radius, 1}},
               dt, velocity);
  }
  void operator()(const DragForce& f) const {
    drag_faces(exec, domain, cover, f.rate(time), f.wind(time), dt, velocity);
  }
  void operator()(const TurbulenceForce& f) const {
    stir_faces(exec, domain, cover, f.strength(time), {f.scale, f.octaves, f.roughness, f.rate * time, stream}, dt,
               scratch, velocity);
  }
};

struct Strength {
  double time;
  double operator()(const UniformForce& f) const { return length(f.acceleration(time)); }
  double operator()(const PointForce& f) const { return std::abs(f.strength(time)); }
  double operator()(const VortexForce& f) const { return std::hypot(f.swirl(time), f.pull(time)); }
  double operator()(const DragForce&) const { return 0; }  // never faster than the wind
  double operator()(const TurbulenceForce& f) const { return peak_over_mean * std::abs(f.strength(time)); }
};

}  // namespace

void apply_force(const Exec& exec, const Domain& domain, const ForceField& field, std::uint64_t seed, double time,
                 double dt, Field<float>& scratch, MacField<float>& velocity) {
  if (!field.enabled(time)) return;
  const std::uint64_t stream = random_bits(seed, name_bits(field.name), 0);
  const Similarity place = field.motion.at(time).place;
  const auto apply = [&](const Cover& cover) {
    std::visit(Apply{exec, domain, cover, time, dt, stream, place, scratch, velocity}, field.kind);
  };
  const std::optional<Shape> shape =
      field.shape ? std::optional(field.shape->at(time).transformed(place)) : std::nullopt;
  for_each_cover(domain, shape ? &*shape : nullptr, apply);
}

double largest_push(const std::vector<ForceField>& fields, double time) {
  double sum = 0;
  for (const ForceField& field : fields)
    if (field.enabled(time)) sum += std::visit(Strength{time}, field.kind);
  return sum;
}

double fastest_wind(const std::vector<ForceField>& fields, double time) {
  double speed = 0;
  for (const ForceField& field : fields)
    if (const auto* drag = std::get_if<DragForce>(&field.kind); drag && field.enabled(time) && drag->rate(time) > 0)
      speed = std::max(speed, length(drag->wind(time)));
  return speed;
}

}  // namespace silt
