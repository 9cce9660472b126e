// Runs a fuzz target over files that were kept: its corpus and every finding. Needs no clang.

#include <cstdio>
#include <filesystem>

#include "campaign/target.h"
#include "silt/core/input_file.h"

int main(int argc, char** argv) {
  int files = 0;
  for (int i = 1; i < argc; ++i)
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      const std::string bytes = silt::read_named_file(entry.path(), 64 << 20);
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
      ++files;
    }
  std::printf("%d files\n", files);
  return files > 0 ? 0 : 1;
}
