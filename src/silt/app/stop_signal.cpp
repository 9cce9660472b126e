#include "silt/app/stop_signal.h"

#include <signal.h>
#include <unistd.h>

#include <initializer_list>

namespace silt {
namespace {

volatile sig_atomic_t requested = 0;

extern "C" void ask_for_stop(int signal) {
  requested = 1;
  if (signal != SIGINT || !::isatty(STDERR_FILENO)) return;
  constexpr char text[] = "\nsilt: stopping after this substep; again to end at once\n";
  [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, text, sizeof text - 1);
}

}  // namespace

void catch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = ask_for_stop;
  action.sa_flags = int(SA_RESETHAND) | SA_RESTART;  // the second one finds the default: the end
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // Who starts us with a signal ignored (nohup, a shell's background job) wants it to stay so.
    struct sigaction before {};
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    sigaction(signal, &action, nullptr);
  }
}

bool stop_requested() {
  return requested != 0;
}

}  // namespace silt
