#pragma once

#include <string>

namespace silt {

/// docs/guide/scene.md: what a scene file is, and every parameter, from the tables that read it.
std::string scene_guide_markdown();

/// The same reference for a terminal.
std::string scene_guide_text(int columns = 100);

}  // namespace silt
