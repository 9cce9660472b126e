#include "trials/out_folder.h"

#include <unistd.h>

#include <fstream>
#include <system_error>

#include "silt/core/error.h"
#include "silt/core/text.h"

namespace silt::trials {

namespace fs = std::filesystem;

std::optional<fs::path> page_folder(const Options& options, const PagePlaces& places) {
  if (options.out) {
    if (options.out->empty()) throw InputError("--out needs the name of a folder");
    return fs::path(*options.out);
  }
  const fs::path& place = options.quick || options.size ? places.small : places.whole;
  if (options.json || place.empty()) return std::nullopt;
  return place;
}

void prepare_folder(const fs::path& folder) {
  const auto refuse = [&](const std::string& why) {
    throw InputError(str("pages cannot go to '", folder.string(), "', which ", why, ": name a folder with --out"));
  };
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_directory(folder, error)) refuse("is a file, not a folder");
  fs::create_directories(folder, error);
  if (error) refuse(str("cannot be made (", error.message(), ")"));
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    refuse(str("cannot be written to (", std::generic_category().message(errno), ")"));
}

void write_file(const fs::path& file, const std::string& text) {
  const fs::path unfinished = file.native() + ".part";
  {
    std::ofstream out(unfinished, std::ios::binary);
    out << text << std::flush;
    if (!out) throw IoError(str("'", file.string(), "' could not be written"));
  }
  std::error_code error;
  fs::rename(unfinished, file, error);
  if (error) throw IoError(str("'", file.string(), "' could not be written: ", error.message()));
}

}  // namespace silt::trials
