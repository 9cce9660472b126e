#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "silt/app/commands.h"
#include "silt/app/exit_code.h"
#include "silt/app/say.h"
#include "silt/sim/scene_reference.h"

namespace silt {
namespace {

int terminal_columns() {
  winsize size{};
  const bool known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? std::clamp(int(size.ws_col), 60, 120) : 100;
}

}  // namespace

int help_scene_command(const HelpOptions& options) {
  put(options.markdown ? scene_guide_markdown() : scene_guide_text(terminal_columns()));
  return exit_code::done;
}

}  // namespace silt
