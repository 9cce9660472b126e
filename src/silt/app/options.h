#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace silt {

/// What was typed, checked for form and not yet for meaning.
struct RunOptions {
  std::string scene;  ///< a file, a built-in name, or a run folder
  std::string out;    ///< empty: out/<name of the scene>
  int frames = 0;     ///< 0: as the scene says
  bool resume = false, overwrite = false;
  bool force = false;  ///< though memory or disk may not suffice
  int threads = 0;     ///< 0: all there are
  std::string device = "cpu";
  double scale = 1;
  std::vector<std::string> set;
  bool no_pictures = false;
  bool json = false;
};

struct CheckOptions {
  std::string scene;
  int frames = 0;
  double scale = 1;
  std::vector<std::string> set;
};

struct RenderOptions {
  std::string run;
  std::string frames;  ///< "12", "3-40"; empty: all
  std::string size;    ///< "1280x720"; empty: as the scene says
  std::string camera;  ///< "top", or "1,-2,0.5"; empty: as the scene says
  int samples = 0;     ///< 0: as many as the quality has
  std::uint64_t seed = 1;
  bool quick = false, no_denoise = false, exr = false;
  bool no_film = false;
  int sheet = 0;  ///< a contact sheet of so many frames, and nothing else; 0: none
  int threads = 0;
};

struct ExportCommandOptions {
  std::string run;
  std::string to;                 ///< "vtk", "gltf", "ply"
  std::string frames;             ///< "12", "3-40"; empty: all, of glTF the last
  std::string out;                ///< empty: RUN/export/<to>
  std::string axes;               ///< "z_up", "y_up"; empty: as the format has it
  double scale = 1;               ///< units a metre
  std::vector<std::string> what;  ///< empty: all that the format can hold
  int threads = 0;
};

struct MeshingOptions {
  std::string run;
  std::string frames;                   ///< "12", "3-40"; empty: all
  double voxel = 0;                     ///< [m]; 0: as the scene says
  int resolution = 0;                   ///< voxels along the longest side; 0: not given
  int smooth = -1;                      ///< -1: as the scene says
  std::string kernel;                   ///< empty: as the scene says
  int between = 0;                      ///< surfaces between each frame and the next
  std::vector<std::string> attributes;  ///< of the particles, on the mesh; empty: as the scene says
  bool no_level_set = false;
  int jobs = 0;  ///< frames at once; 0: as many as memory and threads allow
  int threads = 0;
};

struct GalleryOptions {
  std::vector<std::string> scenes;  ///< built-in ones; empty: all
  std::string out = "docs/gallery";
  std::string runs = "out/gallery";  ///< run folders go there, and what is finished in them is not run again
  double scale = 1;
  int threads = 0;
};

struct InfoOptions {
  std::string path;
  bool json = false;
};

struct HelpOptions {
  std::string topic;
  bool markdown = false;
};

}  // namespace silt
