#pragma once

/// One function a command; each returns the exit code and throws silt::Error.

#include "silt/app/options.h"

namespace silt {

int run_command(const RunOptions& options);
int check_command(const CheckOptions& options);
int render_command(const RenderOptions& options);
int export_command(const ExportCommandOptions& options);
int surface_command(const MeshingOptions& options);
int gallery_command(const GalleryOptions& options);
int info_command(const InfoOptions& options);
int scenes_command();
int help_scene_command(const HelpOptions& options);
/// These become another program of this build, when it was built.
int bench_command(const std::vector<std::string>& arguments);
int validate_command(const std::vector<std::string>& arguments);

}  // namespace silt
