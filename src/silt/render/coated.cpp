#include "silt/render/coated.h"

#include "silt/render/fresnel.h"

namespace silt {
namespace {

constexpr float least_roughness = 0.02f;

/// Density of facets round the normal. [Walter et al. 2007] (33)
float facets(float cosine, float a) {
  const float d = cosine * cosine * (a * a - 1) + 1;
  return a * a / (pi * d * d);
}

/// Smith's Lambda for GGX.
float hidden(float cosine, float a) {
  const float c2 = cosine * cosine;
  return 0.5f * (std::sqrt(1 + a * a * (1 - c2) / c2) - 1);
}

/// A facet among those that are seen from v. [Heitz 2018, Sampling the GGX distribution of visible normals]
Vec3f visible_facet(const Vec3f& v, float a, Pair u) {
  const Vec3f stretched = normalized(Vec3f{a * v.x, a * v.y, v.z});
  const float across = stretched.x * stretched.x + stretched.y * stretched.y;
  const Vec3f x = across > 0 ? Vec3f{-stretched.y, stretched.x, 0} / std::sqrt(across) : Vec3f{1, 0, 0};
  const Vec3f y = cross(stretched, x);
  const float r = std::sqrt(u.u), angle = 2 * pi * u.v, s = 0.5f * (1 + stretched.z);
  const float p = r * std::cos(angle);
  const float q = (1 - s) * std::sqrt(std::max(0.0f, 1 - p * p)) + s * r * std::sin(angle);
  const Vec3f h = x * p + y * q + stretched * std::sqrt(std::max(0.0f, 1 - p * p - q * q));
  return normalized(Vec3f{a * h.x, a * h.y, std::max(1e-6f, h.z)});
}

/// F D G / (4 cos_i), that is f cos.
float film_value(const Vec3f& v, const Vec3f& l, float a) {
  const Vec3f h = normalized(v + l);
  const float seen = 1 / (1 + hidden(v.z, a) + hidden(l.z, a));
  return water_reflectance(dot(v, h), false) * facets(h.z, a) * seen / (4 * v.z);
}

float film_density(const Vec3f& v, const Vec3f& l, float a) {
  return facets(normalized(v + l).z, a) / ((1 + hidden(v.z, a)) * 4 * v.z);
}

float rough_of(int i, int count) {
  return least_roughness + (1 - least_roughness) * float(i) / float(count - 1);
}

}  // namespace

CoatedLook::CoatedLook() {
  constexpr int side = 16;  // samples in each direction
  for (int r = 0; r < roughs; ++r) {
    const float a = rough_of(r, roughs);
    mean_[r] = 0;
    for (int i = 0; i < n; ++i) {
      const float cosine = (float(i) + 0.5f) / n;
      const Vec3f v = direction_at(cosine, 0);
      float sum = 0;
      for (int j = 0; j < side * side; ++j) {
        const Vec3f h = visible_facet(v, a, {(float(j / side) + 0.5f) / side, (float(j % side) + 0.5f) / side});
        const Vec3f l = mirror(-v, h);
        if (l.z <= 0) continue;
        sum += water_reflectance(dot(v, h), false) * (1 + hidden(v.z, a)) / (1 + hidden(v.z, a) + hidden(l.z, a));
      }
      mirrored_[r][i] = sum / (side * side);
      mean_[r] += 2 * cosine * mirrored_[r][i] / n;
    }
  }
}

float CoatedLook::mirrored(float cosine, float roughness) const {
  const float s = std::clamp((roughness - least_roughness) / (1 - least_roughness), 0.0f, 1.0f) * (roughs - 1);
  const float t = std::clamp(cosine * n - 0.5f, 0.0f, float(n - 1));
  const int i = std::min(int(s), roughs - 2), j = std::min(int(t), n - 2);
  const float p = s - float(i), q = t - float(j);
  return (mirrored_[i][j] * (1 - q) + mirrored_[i][j + 1] * q) * (1 - p) +
         (mirrored_[i + 1][j] * (1 - q) + mirrored_[i + 1][j + 1] * q) * p;
}

float CoatedLook::mean_mirrored(float roughness) const {
  const float s = std::clamp((roughness - least_roughness) / (1 - least_roughness), 0.0f, 1.0f) * (roughs - 1);
  const int i = std::min(int(s), roughs - 2);
  return mean_[i] * (1 - (s - float(i))) + mean_[i + 1] * (s - float(i));
}

/// How often a path takes the film: by what it reflects against what the body does.
float CoatedLook::share_of_film(const Coated& surface, float cosine) const {
  if (surface.film <= 0) return 0;
  const float film = surface.film * mirrored(cosine, surface.roughness);
  const float body = (1 - film) * std::max({surface.albedo.x, surface.albedo.y, surface.albedo.z});
  return std::clamp(film / std::max(film + body, 1e-6f), 0.1f, 0.9f);
}

Colour CoatedLook::value(const Coated& s, const Vec3f& v, const Vec3f& l) const {
  if (v.z <= 0 || l.z <= 0) return {};
  const Colour body = s.albedo * (l.z / pi);
  if (s.film <= 0) return body;
  const float a = std::max(s.roughness, least_roughness);
  const float passed = (1 - s.film * mirrored(v.z, s.roughness)) * (1 - s.film * mirrored(l.z, s.roughness)) /
                       (1 - s.film * mean_mirrored(s.roughness));
  const float film = s.film * film_value(v, l, a);
  return body * passed + Colour{film, film, film};
}

float CoatedLook::density(const Coated& s, const Vec3f& v, const Vec3f& l) const {
  if (v.z <= 0 || l.z <= 0) return 0;
  const float share = share_of_film(s, v.z), body = l.z / pi;
  return share <= 0 ? body : (1 - share) * body + share * film_density(v, l, std::max(s.roughness, least_roughness));
}

Scattered CoatedLook::sample(const Coated& s, const Vec3f& v, Pair u, float choice) const {
  const float share = share_of_film(s, v.z);
  const Vec3f l =
      choice < share ? mirror(-v, visible_facet(v, std::max(s.roughness, least_roughness), u)) : cosine_direction(u);
  if (l.z <= 1e-5f || v.z <= 1e-5f) return {};
  if (share <= 0) return {l, s.albedo, l.z / pi};
  const float d = density(s, v, l);
  return {l, value(s, v, l) * (1 / d), d};
}

}  // namespace silt
