#include "silt/cache/run_status.h"

#include <unistd.h>
#include <new>
#include <nlohmann/json.hpp>

#include "silt/cache/checkpoint.h"
#include "silt/cache/json_line.h"
#include "silt/cache/vdb_archive.h"
#include "silt/core/text.h"

namespace silt {
namespace {

constexpr RunStatus::Phase phases[] = {RunStatus::Phase::running, RunStatus::Phase::finished, RunStatus::Phase::stopped,
                                       RunStatus::Phase::failed};

Json json_of(const Vec3d& v) {
  return {v.x, v.y, v.z};
}
Vec3d vec3_of(const Json& list) {
  return {list.at(0).get<double>(), list.at(1).get<double>(), list.at(2).get<double>()};
}

RunLook parse_look(const Json& object) {
  return {.water = vec3_of(object.at("water")),
          .water_depth = object.at("water_depth"),
          .smoke = vec3_of(object.at("smoke")),
          .solid = vec3_of(object.at("solid")),
          .ground = vec3_of(object.at("ground")),
          .grain = vec3_of(object.at("grain")),
          .density_scale = object.at("density_scale"),
          .flame_scale = object.at("flame_scale")};
}

Json look_json(const RunLook& look) {
  return {{"water", json_of(look.water)},        {"water_depth", look.water_depth}, {"smoke", json_of(look.smoke)},
          {"solid", json_of(look.solid)},        {"ground", json_of(look.ground)},  {"grain", json_of(look.grain)},
          {"density_scale", look.density_scale}, {"flame_scale", look.flame_scale}};
}

RunView parse_view(const Json& object) {
  const Json &domain = object.at("domain"), &camera = object.at("camera");
  RunView view;
  view.fps = object.at("fps");
  view.lower = vec3_of(domain.at("lower")), view.upper = vec3_of(domain.at("upper"));
  view.flat = domain.at("flat");
  view.camera_position = vec3_of(camera.at("position"));
  view.camera_forward = vec3_of(camera.at("forward")), view.camera_up = vec3_of(camera.at("up"));
  view.field_of_view = camera.at("field_of_view");
  view.width = integer_of<int>(camera.at("width")), view.height = integer_of<int>(camera.at("height"));
  if (object.contains("look")) view.look = parse_look(object.at("look"));
  return view;
}

Json view_json(const RunView& view) {
  Json out{{"fps", view.fps},
           {"domain", {{"lower", json_of(view.lower)}, {"upper", json_of(view.upper)}, {"flat", view.flat}}},
           {"camera",
            {{"position", json_of(view.camera_position)},
             {"forward", json_of(view.camera_forward)},
             {"up", json_of(view.camera_up)},
             {"field_of_view", view.field_of_view},
             {"width", view.width},
             {"height", view.height}}}};
  if (view.look) out["look"] = look_json(*view.look);
  return out;
}

}  // namespace

std::string view_text(const RunView& view) {
  return view_json(view).dump();
}

std::string_view name_of(RunStatus::Phase phase) {
  switch (phase) {
    case RunStatus::Phase::running:
      return "running";
    case RunStatus::Phase::finished:
      return "finished";
    case RunStatus::Phase::stopped:
      return "stopped";
    case RunStatus::Phase::failed:
      return "failed";
  }
  return "";
}

RunStatus RunStatus::of_this_process() {
  RunStatus status;
  status.silt_version = SILT_VERSION;
  status.cache_format = silt::cache_format;
  status.checkpoint_format = silt::checkpoint_format;
  char host[256] = {};
  if (::gethostname(host, sizeof host - 1) == 0) status.host = host;
  status.pid = long(::getpid());
  return status;
}

std::string run_status_text(const RunStatus& s) {
  const Json eta = s.eta_seconds >= 0 ? Json(s.eta_seconds) : Json();
  const Json object = {{"silt_version", s.silt_version},
                       {"scene_format", s.scene_format},
                       {"cache_format", s.cache_format},
                       {"checkpoint_format", s.checkpoint_format},
                       {"host", s.host},
                       {"device", s.device},
                       {"threads", s.threads},
                       {"pid", s.pid},
                       {"status", name_of(s.phase)},
                       {"frame", s.frame},
                       {"frames", s.frames},
                       {"checkpoint", s.checkpoint},
                       {"eta_seconds", eta},
                       {"last_error", s.last_error},
                       {"view", s.view ? view_json(*s.view) : Json()}};
  return dump_checked(object, 2) + '\n';
}

RunStatus parse_run_status(std::string_view path, std::string_view text) {
  const auto object = parse_checked(text);
  if (!object) throw IoError(str(path, " is damaged: it does not match its own checksum"));
  RunStatus s;
  std::string phase;
  try {
    s.silt_version = object->at("silt_version");
    s.scene_format = integer_of<int>(object->at("scene_format"));
    s.cache_format = integer_of<int>(object->at("cache_format"));
    s.checkpoint_format = integer_of<int>(object->at("checkpoint_format"));
    s.host = object->at("host");
    s.device = object->at("device");
    s.threads = integer_of<int>(object->at("threads"));
    s.pid = integer_of<long>(object->at("pid"));
    phase = object->at("status");
    s.frame = integer_of<int>(object->at("frame"));
    s.frames = integer_of<int>(object->at("frames"));
    s.eta_seconds = object->at("eta_seconds").is_number() ? object->at("eta_seconds").get<double>() : -1;
    s.last_error = object->at("last_error");
    if (object->contains("view") && object->at("view").is_object()) s.view = parse_view(object->at("view"));
    if (object->contains("checkpoint")) s.checkpoint = integer_of<int>(object->at("checkpoint"));
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    throw IoError(str(path, " is not what this silt writes"));
  }
  for (const RunStatus::Phase p : phases)
    if (name_of(p) == phase) return s.phase = p, s;
  throw IoError(str(path, " has an unknown status '", phase, "'"));
}

}  // namespace silt
