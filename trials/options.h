#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "silt/core/exec.h"

namespace silt::trials {

/// What was asked for on the command line of `silt bench` or `silt validate`.
struct Options {
  std::vector<std::string> names{};  ///< none: all there are
  bool list = false, json = false, quick = false, help = false;
  Device device = Device::cpu;
  int threads = 0;                               ///< 0: all there are
  std::optional<int> size{};                     ///< cells a side, where the program takes it
  std::optional<std::string> out{};              ///< folder, where the program takes it
  std::optional<std::filesystem::path> pages{};  ///< where pages go, by these words and the program; none are wanted
};

/// One of the options that only some programs take.
enum class Extra { size, out };

/// InputError, with a suggestion, for a word that makes no sense.
Options parse_options(const std::vector<std::string>& words, const std::vector<Extra>& extras);

}  // namespace silt::trials
