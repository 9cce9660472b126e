#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "silt/app/commands.h"
#include "silt/core/error.h"
#include "silt/core/text.h"

namespace silt {
namespace {

/// Becomes that program of this build.
[[noreturn]] void become(const std::string& name, const std::vector<std::string>& arguments, const std::string& what,
                         const std::string& option) {
  // From the kernel and not from what was typed: ./silt starts us under its own name.
  std::error_code error;
  const auto here = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  const std::string program = (here / "../../.." / name).lexically_normal().string();
  if (::access(program.c_str(), X_OK) != 0)
    throw InputError(str("the ", what, " were not built: configure with -D", option, "=ON and build everything"));
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  throw Error(str("cannot start ", program, ": ", std::strerror(errno)));
}

}  // namespace

int bench_command(const std::vector<std::string>& arguments) {
  become("bench/silt_bench", arguments, "benchmarks", "SILT_BENCH");
}

int validate_command(const std::vector<std::string>& arguments) {
  become("validation/silt_validate", arguments, "experiments", "SILT_VALIDATION");
}

}  // namespace silt
