#include "silt/app/commands.h"
#include "silt/app/exit_code.h"
#include "silt/app/say.h"
#include "silt/cache/info.h"

namespace silt {

int info_command(const InfoOptions& options) {
  const Info info = describe(options.path);
  if (options.json)
    put_raw(to_json(info) + '\n');
  else
    put(to_text(info));
  const bool damaged = info.run && !info.run->problems.empty();
  if (damaged) {
    std::string all;
    for (const std::string& problem : info.run->problems) all += (all.empty() ? "" : "\n  ") + problem;
    say_error(all);
  }
  return damaged ? exit_code::failed : exit_code::done;
}

}  // namespace silt
