#include "silt/app/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <map>
#include <sstream>
#include <type_traits>

#include "silt/app/commands.h"
#include "silt/app/exit_code.h"
#include "silt/app/say.h"
#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/scene/diagnostics.h"

namespace silt {
namespace {

/// All options of all commands.
struct Parsed {
  RunOptions run;
  CheckOptions check;
  RenderOptions render;
  ExportCommandOptions exports;
  MeshingOptions surface;
  GalleryOptions gallery;
  InfoOptions info;
  HelpOptions help;
  std::string overview;  ///< help on everything; CLI11 gives only the chosen command's once one is chosen
};

constexpr int most_frames = 1000000;  // as run.frames
constexpr const char* scene_help = "a scene file, the name of a built-in scene, or a run folder";
constexpr const char* set_help = "a value over the scene's: --set smoke.cfl=1";

/// A number from `least` to `most`. CLI11's own Range takes nan for one.
template <class T>
CLI::Validator within(T least, T most) {
  constexpr const char* type = std::is_integral_v<T> ? "INT" : "FLOAT";
  return {[least, most](const std::string& word) -> std::string {
            T value{};
            const bool inside = CLI::detail::lexical_cast(word, value) && value >= least && value <= most;
            return inside ? "" : str("takes a number from ", least, " to ", most, ", not '", word, "'");
          },
          str(type, " in [", least, " - ", most, "]")};
}

void describe_run(CLI::App& app, RunOptions& o) {
  CLI::App* c = app.add_subcommand("run", "simulate a scene, with volumes, pictures and a film");
  c->add_option("SCENE", o.scene, scene_help)->required();
  c->add_option("--out", o.out, "the run folder; otherwise out/<name of the scene>")
      ->check([](const std::string& name) { return name.empty() ? "needs the name of a folder" : ""; })
      ->type_name("DIR");
  c->add_option("--frames", o.frames, "stop after frame N; frame 1 is t = 0")
      ->check(within(1, most_frames))
      ->type_name("N");
  auto* resume = c->add_flag("--resume", o.resume, "go on from the last checkpoint");
  c->add_flag("--overwrite", o.overwrite, "remove the run that is in the folder")->excludes(resume);
  c->add_flag("--force", o.force, "though the machine may not have the memory or the disk for it");
  c->add_option("--threads", o.threads, "at most N threads; the answer does not depend on it")
      ->check(within(1, 4096))
      ->type_name("N");
  c->add_option("--device", o.device, "cpu or cuda")->check(CLI::IsMember({"cpu", "cuda"}))->type_name("DEVICE");
  c->add_option("--scale", o.scale, "0.5: half as many cells along each side")
      ->check(within(0.001, 1000.0))
      ->type_name("S");
  c->add_option("--set", o.set, set_help)->type_name("A.B=C")->allow_extra_args(false);
  c->add_flag("--no-pictures", o.no_pictures, "volumes only; 'silt render' makes the pictures later");
  c->add_flag("--json", o.json, "a JSON object a line on standard output, for programs");
}

void describe_check(CLI::App& app, CheckOptions& o) {
  CLI::App* c = app.add_subcommand("check", "what a scene would take: grid, memory, disk, time; or its errors");
  c->add_option("SCENE", o.scene, scene_help)->required();
  c->add_option("--frames", o.frames, "as for run")->check(within(1, most_frames))->type_name("N");
  c->add_option("--scale", o.scale, "as for run")->check(within(0.001, 1000.0))->type_name("S");
  c->add_option("--set", o.set, set_help)->type_name("A.B=C")->allow_extra_args(false);
}

void describe_render(CLI::App& app, RenderOptions& o) {
  CLI::App* c = app.add_subcommand("render", "pictures and a film from a finished or running cache");
  c->add_option("RUN", o.run, "a run folder")->required();
  c->add_option("--frames", o.frames, "only these: 12, or 1-48")->type_name("A-B");
  c->add_option("--size", o.size, "of the pictures: 1280x720")->type_name("WxH");
  c->add_option("--camera", o.camera, "corner, front, side or top; a place x,y,z; or x,y,z:x,y,z with what it looks at")
      ->type_name("CAMERA");
  c->add_option("--samples", o.samples, "paths of light a pixel, at most; 64, or 4 with --quick")
      ->check(within(1, 1 << 20))
      ->type_name("N");
  c->add_flag("--quick", o.quick, "as 'silt run' makes them");
  c->add_flag("--no-denoise", o.no_denoise, "leave the noise in");
  c->add_option("--seed", o.seed, "of the random numbers; 1")
      ->check(within<std::int64_t>(0, std::numeric_limits<std::int64_t>::max()))
      ->type_name("N");
  c->add_flag("--exr", o.exr, "linear light with albedo, normal, depth and coverage too, as OpenEXR");
  c->add_flag("--no-film", o.no_film, "pictures only");
  c->add_option("--sheet", o.sheet, "instead, one sheet of N small quick pictures, spread over the frames; 12")
      ->expected(0, 1)
      ->default_str("12")
      ->check(within(1, 400))
      ->type_name("N");
  c->add_option("--threads", o.threads, "at most N threads")->check(within(1, 4096))->type_name("N");
}

/// One of these words; what is close to one is asked about.
CLI::Validator one_of(const std::vector<std::string>& names) {
  return {[names](const std::string& word) -> std::string {
            if (std::find(names.begin(), names.end(), word) != names.end()) return "";
            std::string list;
            for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
            const std::string hint = did_you_mean(word, names);
            return str("'", word, "' is none of ", list, hint.empty() ? "" : "; " + hint);
          },
          ""};
}

void describe_export(CLI::App& app, ExportCommandOptions& o) {
  CLI::App* c = app.add_subcommand("export", "a run for other programs: ParaView (VTK), glTF, PLY");
  c->add_option("RUN", o.run, "a run folder")->required();
  c->add_option("--to", o.to, "vtk, gltf or ply")
      ->required()
      ->check(one_of({"vtk", "gltf", "ply"}))
      ->type_name("FORMAT");
  c->add_option("--frames", o.frames, "only these: 12, or 1-48; otherwise all, and the last for gltf")
      ->type_name("A-B");
  c->add_option("--out", o.out, "the folder; otherwise RUN/export/FORMAT")
      ->check([](const std::string& name) { return name.empty() ? "needs the name of a folder" : ""; })
      ->type_name("DIR");
  c->add_option("--axes", o.axes, "z_up or y_up; otherwise z_up as in silt, and y_up for gltf")
      ->check(one_of({"z_up", "y_up"}))
      ->type_name("AXES");
  c->add_option("--scale", o.scale, "units a metre: 100 for a program that counts in centimetres")
      ->check(within(1e-6, 1e6))
      ->type_name("S");
  c->add_option("--what", o.what, "some of volumes, cells, points, meshes, bodies; otherwise all but cells")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  c->add_option("--threads", o.threads, "at most N threads")->check(within(1, 4096))->type_name("N");
}

void describe_surface(CLI::App& app, MeshingOptions& o) {
  CLI::App* c = app.add_subcommand("surface", "meshes and level sets from cached particles, at any resolution");
  c->add_option("RUN", o.run, "a run folder")->required();
  auto* voxel = c->add_option("--voxel", o.voxel, "the side of a voxel [m]; otherwise as the scene says, half a cell")
                    ->check(within(1e-9, 1e9))
                    ->type_name("M");
  c->add_option("--resolution", o.resolution, "voxels along the longest side of the domain, instead")
      ->check(within(2, 100000))
      ->excludes(voxel)
      ->type_name("N");
  c->add_option("--frames", o.frames, "only these: 12, or 1-48")->type_name("A-B");
  c->add_option("--smooth", o.smooth, "passes of smoothing")->check(within(0, 100))->type_name("N");
  c->add_option("--kernel", o.kernel, "zhu, or anisotropic for thin sheets")
      ->check(one_of({"zhu", "anisotropic"}))
      ->type_name("KERNEL");
  c->add_option("--between", o.between, "N more surfaces between each frame and the next, for motion blur")
      ->check(within(1, 1000))
      ->type_name("N");
  c->add_option("--attributes", o.attributes, "what else of the particles the mesh has: age, source, Cd")
      ->delimiter(',')
      ->check(one_of({"age", "source", "Cd"}))
      ->allow_extra_args(false)
      ->type_name("NAMES");
  c->add_flag("--no-level-set", o.no_level_set, "meshes only");
  c->add_option("--jobs", o.jobs, "frames at once; otherwise as many as memory and threads allow")
      ->check(within(1, 4096))
      ->type_name("N");
  c->add_option("--threads", o.threads, "at most N threads; the answer does not depend on it")
      ->check(within(1, 4096))
      ->type_name("N");
}

void describe_gallery(CLI::App& app, GalleryOptions& o) {
  CLI::App* c = app.add_subcommand("gallery", "runs the built-in scenes and makes the gallery's pictures and page");
  c->add_option("SCENE", o.scenes, "only the pictures and rows of these; otherwise of all");
  c->add_option("--out", o.out, "where the gallery goes; otherwise docs/gallery")->type_name("DIR");
  c->add_option("--runs", o.runs, "where the runs go, which are gone on with; otherwise out/gallery")->type_name("DIR");
  c->add_option("--scale", o.scale, "as for run")->check(within(0.001, 1000.0))->type_name("S");
  c->add_option("--threads", o.threads, "at most N threads")->check(within(1, 4096))->type_name("N");
}

void describe_others(CLI::App& app, Parsed& o) {
  CLI::App* info = app.add_subcommand("info", "what is in a run folder, a volume, a mesh or a checkpoint");
  info->add_option("PATH", o.info.path, "a run folder, a .vdb, a .ply or a .safetensors")->required();
  info->add_flag("--json", o.info.json, "as JSON");
  app.add_subcommand("scenes", "the built-in scenes, a line each");
  // Programs of their own, which know their options.
  for (const auto& [name, summary] :
       {std::pair{"validate", "the experiments: measured against published data, with plots"},
        std::pair{"bench", "the benchmarks, with their ratios"}}) {
    CLI::App* program = app.add_subcommand(name, summary);
    program->set_help_flag();
    program->prefix_command();
  }
  CLI::App* help = app.add_subcommand("help", "help on a command; 'help scene' has every parameter of a scene file");
  help->add_option("TOPIC", o.help.topic, "a command, or scene");
  help->add_flag("--markdown", o.help.markdown, "the scene reference as Markdown");
}

/// Commands that another program of this build runs.
bool is_program(const std::string& command) {
  return command == "validate" || command == "bench";
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

[[noreturn]] void refuse(const std::string& what, const std::string& suggestion, const std::string& help) {
  throw InputError(
      str(what, suggestion.empty() ? "" : "; " + suggestion, " ('", program_name(), ' ', help, "' has the list)"));
}

/// Unknown words, before CLI11 sees them: its message would not say what was meant.
void check_words(CLI::App& app, const std::vector<std::string>& words) {
  const auto is_option = [](const std::string& w) { return w.size() > 1 && w[0] == '-' && !std::isdigit(w[1]); };
  const auto check_option = [&](const CLI::App& of, std::string word, const std::string& whose,
                                const std::string& help) {
    const bool empty = word.ends_with('=');  // CLI11 would take the next word for its value
    word = word.substr(0, word.find('='));
    const std::vector<std::string> names = option_names(of);
    if (std::find(names.begin(), names.end(), word) == names.end())
      refuse(str("unknown option '", word, "'", whose), did_you_mean(word, names), help);
    if (empty) throw InputError(str("'", word, "=' has no value"));
  };
  if (is_option(words.front())) return check_option(app, words.front(), "", "help");
  const std::string& name = words.front();
  const std::vector<std::string> names = command_names(app);
  if (std::find(names.begin(), names.end(), name) == names.end())
    refuse(str("unknown command '", name, "'"), did_you_mean(name, names), "help");
  if (is_program(name)) return;
  for (std::size_t i = 1; i < words.size(); ++i)
    if (is_option(words[i])) check_option(*app.get_subcommand(name), words[i], str(" of '", name, "'"), "help " + name);
}

int start_program(const std::string& name, const std::vector<std::string>& arguments) {
  return name == "bench" ? bench_command(arguments) : validate_command(arguments);
}

int show_help(const CLI::App& app, const Parsed& o) {
  const std::string& topic = o.help.topic;
  if (topic == "scene") return help_scene_command(o.help);
  if (is_program(topic)) return start_program(topic, {"--help"});
  std::vector<std::string> names = command_names(app);
  const bool known = topic.empty() || std::find(names.begin(), names.end(), topic) != names.end();
  names.push_back("scene");
  if (!known) refuse(str("there is no help on '", topic, "'"), did_you_mean(topic, names), "help");
  put(topic.empty() ? o.overview : app.get_subcommand(topic)->help(program_name()));
  return exit_code::done;
}

int dispatch(const CLI::App& app, const Parsed& o) {
  const std::string name = app.get_subcommands().front()->get_name();
  if (name == "run") return run_command(o.run);
  if (name == "check") return check_command(o.check);
  if (name == "render") return render_command(o.render);
  if (name == "export") return export_command(o.exports);
  if (name == "surface") return surface_command(o.surface);
  if (name == "gallery") return gallery_command(o.gallery);
  if (name == "info") return info_command(o.info);
  if (name == "scenes") return scenes_command();
  if (is_program(name)) return start_program(name, app.get_subcommand(name)->remaining());
  return show_help(app, o);
}

}  // namespace

int run_command_line(const std::vector<std::string>& words) {
  CLI::App app{"silt simulates fluids for people who make pictures.", program_name()};
  Parsed o;
  app.set_version_flag("--version", "silt " SILT_VERSION);
  app.require_subcommand(1);
  describe_run(app, o.run);
  describe_check(app, o.check);
  describe_render(app, o.render);
  describe_export(app, o.exports);
  describe_surface(app, o.surface);
  describe_gallery(app, o.gallery);
  describe_others(app, o);
  o.overview = app.help();
  if (words.empty()) {
    say_lines(o.overview);
    return exit_code::bad_input;
  }
  check_words(app, words);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 takes them last first
  } catch (const CLI::Success& asked) {
    std::ostringstream text;
    const int code = app.exit(asked, text);  // --help, --version
    put(text.str());
    return code;
  } catch (const CLI::ParseError& e) {
    throw InputError(str(e.what(), " ('", program_name(), " help ", words.front(), "' has the options)"));
  }
  return dispatch(app, o);
}

}  // namespace silt
