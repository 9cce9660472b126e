#include "silt/cache/bodies_file.h"

#include <new>
#include <nlohmann/json.hpp>

#include "silt/cache/json_line.h"
#include "silt/core/error.h"
#include "silt/core/text.h"

namespace silt {
namespace {

Json json_of(const Vec3d& v) {
  return Json::array({v.x, v.y, v.z});
}
Vec3d vector_of(const Json& j) {
  return {j.at(0), j.at(1), j.at(2)};
}

Json json_of(const FiledBody& body) {
  const Similarity& place = body.pose.place;
  const RigidVelocity& v = body.pose.velocity;
  return {{"name", body.name},
          {"shape", body.shape},
          {"rotation", Json::array({json_of(place.rotation.x), json_of(place.rotation.y), json_of(place.rotation.z)})},
          {"scale", place.scale},
          {"translation", json_of(place.translation)},
          {"velocity", json_of(v.velocity)},
          {"spin", json_of(v.spin)},
          {"centre", json_of(v.centre)}};
}

FiledBody body_of(const Json& j) {
  FiledBody body{j.at("name"), {}, j.at("shape")};
  for (int row = 0; row < 3; ++row) body.pose.place.rotation[row] = vector_of(j.at("rotation").at(std::size_t(row)));
  body.pose.place.scale = j.at("scale");
  body.pose.place.translation = vector_of(j.at("translation"));
  body.pose.velocity = {vector_of(j.at("velocity")), vector_of(j.at("spin")), vector_of(j.at("centre"))};
  return body;
}

}  // namespace

std::string encode_bodies(const Frame& frame, const std::vector<FiledBody>& bodies) {
  Json list = Json::array();
  for (const FiledBody& body : bodies) list.push_back(json_of(body));
  return dump_checked({{"frame", frame.number}, {"time", frame.time}, {"bodies", list}}, 1) + '\n';
}

std::vector<FiledBody> decode_bodies(const std::filesystem::path& path, std::string_view text) {
  const auto object = parse_checked(text);
  if (!object) throw IoError(str(path.string(), " is damaged: it does not match its own checksum"));
  std::vector<FiledBody> bodies;
  try {
    for (const Json& j : object->at("bodies")) bodies.push_back(body_of(j));
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    throw IoError(str(path.string(), " is not what this silt writes"));
  }
  return bodies;
}

}  // namespace silt
