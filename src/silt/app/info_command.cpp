#include <fmt/format.h>

#include "silt/app/commands.h"
#include "silt/app/exit_code.h"
#include "silt/app/say.h"
#include "silt/cache/info.h"

namespace silt {

int info_command(const InfoOptions& options) {
  const Info info = describe(options.path);
  if (options.json)
    fmt::print("{}\n", to_json(info));
  else
    fmt::print("{}", to_text(info));
  const bool damaged = info.run && !info.run->problems.empty();
  if (damaged) say_error(info.run->problems.front());
  return damaged ? exit_code::failed : exit_code::done;
}

}  // namespace silt
