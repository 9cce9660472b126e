#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "silt/app/commands.h"
#include "silt/core/error.h"
#include "silt/core/text.h"

namespace silt {

int bench_command(const std::vector<std::string>& arguments) {
  // From the kernel and not from what was typed: ./silt starts us under its own name.
  std::error_code error;
  const auto here = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  const std::string program = (here / "../../../bench/silt_bench").lexically_normal().string();
  if (::access(program.c_str(), X_OK) != 0)
    throw InputError("the benchmarks were not built: configure with -DSILT_BENCH=ON and build everything");
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  throw Error(str("cannot start ", program, ": ", std::strerror(errno)));
}

}  // namespace silt
