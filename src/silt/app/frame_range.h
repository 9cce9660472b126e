#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "silt/cache/run_folder.h"

namespace silt {

struct IntPair {
  int first = 0, second = 0;
};

/// "3-40", "1280x720": two positive numbers with a letter between them.
std::optional<IntPair> parse_pair(std::string_view text, char between);

/// The frames of a run, of those that have some of these parts, that an option like "12" or "3-40" asks for, all when
/// it is empty; of a run that is still going on, those it has finished: it does not touch them again. InputError when
/// there are none.
std::vector<int> chosen_frames(const RunFolder& folder, const std::string& range, FrameParts parts = {});

}  // namespace silt
