#include "silt/cache/points_ply.h"

#include <bit>
#include <cstdint>
#include <cstring>

#include "silt/cache/checkpoint.h"
#include "silt/core/text.h"

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

namespace silt {
namespace {

std::string header_of(const Frame& frame, const Points& p) {
  std::string text = str("ply\nformat binary_little_endian 1.0\ncomment creator silt " SILT_VERSION "\ncomment frame ",
                         frame.number, "\ncomment time ", exact_text(frame.time), "\ncomment silt_material ",
                         p.material, "\nelement vertex ", p.count(), '\n');
  const auto add = [&](bool there, const char* type, std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names)
      if (there) text += str("property ", type, ' ', name, '\n');
  };
  const bool nothing = p.count() == 0;  // then all columns that frames with points may have
  add(true, "float", {"x", "y", "z"});
  add(nothing || !p.velocities.empty(), "float", {"vx", "vy", "vz"});
  add(nothing || !p.id.empty(), "double", {"id"});
  add(nothing || !p.age.empty(), "float", {"age"});
  add(nothing || !p.source.empty(), "int", {"source"});
  add(nothing || !p.colour.empty(), "uchar", {"red", "green", "blue"});
  add(true, "float", {"pscale"});
  for (const Attribute& a : p.attributes) add(true, "float", {a.name});
  return text + "end_header\n";
}

std::size_t row_bytes(const Points& p) {
  return sizeof(Vec3f) * (1 + !p.velocities.empty()) + sizeof(double) * !p.id.empty() + sizeof(float) * !p.age.empty() +
         sizeof(std::int32_t) * !p.source.empty() + 3 * !p.colour.empty() + sizeof(float) * (1 + p.attributes.size());
}

}  // namespace

Bytes encode_points_ply(const Frame& frame, const Points& p) {
  const std::string header = header_of(frame, p);
  Bytes bytes(header.size() + p.count() * row_bytes(p));
  char* to = bytes.data();
  const auto put = [&to](const auto& value) { std::memcpy(to, &value, sizeof value), to += sizeof value; };
  std::memcpy(to, header.data(), header.size()), to += header.size();
  for (std::size_t i = 0; i < p.count(); ++i) {
    put(p.positions[i].as<float>());
    if (!p.velocities.empty()) put(p.velocities[i]);
    if (!p.id.empty()) put(double(p.id[i]));
    if (!p.age.empty()) put(p.age[i]);
    if (!p.source.empty()) put(std::int32_t(p.source[i]));
    if (!p.colour.empty())
      for (const int shift : {16, 8, 0}) put(std::uint8_t(p.colour[i] >> shift));
    put(p.radius);
    for (const Attribute& a : p.attributes) put(a.values[i]);
  }
  return bytes;
}

}  // namespace silt
