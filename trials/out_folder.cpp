#include "trials/out_folder.h"

#include <unistd.h>

#include <fstream>
#include <system_error>

#include "silt/core/error.h"
#include "silt/core/text.h"

namespace silt::trials {

namespace fs = std::filesystem;

void prepare_folder(const std::string& out) {
  if (out.empty()) throw InputError("--out needs the name of a folder");
  std::error_code error;
  if (fs::exists(out, error) && !fs::is_directory(out, error))
    throw InputError(str("--out '", out, "' is a file, not a folder"));
  fs::create_directories(out, error);
  if (error) throw InputError(str("--out '", out, "' cannot be made: ", error.message()));
  if (::access(out.c_str(), W_OK | X_OK) != 0)
    throw InputError(str("--out '", out, "' cannot be written to: ", std::generic_category().message(errno)));
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
