#include "bench/scratch_folder.h"

#include <cstdlib>
#include <string>
#include <system_error>

#include "silt/core/error.h"

namespace silt::bench {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
  for (const fs::path& place : {fs::path("/dev/shm"), fs::temp_directory_path()}) {
    std::string name = (place / "silt_XXXXXX").string();
    if (!::mkdtemp(name.data())) continue;
    path_ = name;
    return;
  }
  throw Error("cannot make a folder in " + fs::temp_directory_path().string());
}

ScratchFolder::~ScratchFolder() {
  std::error_code error;
  fs::remove_all(path_, error);
}

}  // namespace silt::bench
