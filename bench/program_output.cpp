#include "bench/program_output.h"

#include <sys/wait.h>

#include <cstdio>

#include "silt/core/error.h"
#include "silt/core/text.h"

namespace silt::bench {

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string output_of(const std::string& command, const std::string& name) {
  std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (!pipe) throw Error("cannot start " + name);
  std::string out;
  char part[4096];
  for (std::size_t got; (got = std::fread(part, 1, sizeof part, pipe)) > 0;) out.append(part, got);
  const int status = ::pclose(pipe);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw Error(str(name, " broke down: ", out.substr(0, 600)));
  return out;
}

}  // namespace silt::bench
