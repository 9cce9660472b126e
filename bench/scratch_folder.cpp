#include "bench/scratch_folder.h"

#include <cstdlib>
#include <system_error>

#include "silt/core/error.h"

namespace silt::bench {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
  const fs::path memory = "/dev/shm";
  std::error_code error;
  std::string name = ((fs::is_directory(memory, error) ? memory : fs::temp_directory_path()) / "silt_XXXXXX").string();
  if (!::mkdtemp(name.data())) throw Error("cannot make the folder " + name);
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code error;
  fs::remove_all(path_, error);
}

}  // namespace silt::bench
