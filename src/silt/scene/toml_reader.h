#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "silt/scene/document.h"

namespace silt {

/// TOML text to located values. `name` stands in messages; relative paths in the text start from its folder.
/// Throws a SceneError at the first mistake of syntax. (Absent from a SILT_KERNELS_ONLY build, as all of this header.)
Document parse_document(std::string_view text, const std::string& name);

/// The same for a file. Throws InputError when it cannot be read.
Document read_document(const std::filesystem::path& path);

/// Applies `--set ASSIGNMENT`, for example "source.jet.rate=2". The value is TOML; a word that is not TOML is taken as
/// a string, so that smoke.advection=maccormack needs no quotes. Blocks on the way are made. Values it sets name
/// "--set ASSIGNMENT" as their place. Throws a SceneError.
void apply_override(Document& document, std::string_view assignment);

}  // namespace silt
