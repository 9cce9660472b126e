#include "silt/app/stop_signal.h"

#include <signal.h>
#include <unistd.h>

namespace silt {
namespace {

constexpr int stop_signals[] = {SIGINT, SIGTERM, SIGHUP};
volatile sig_atomic_t requested = 0;

[[gnu::no_sanitize("address"), gnu::no_sanitize("undefined")]] void mask_stop_signals(int how) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : stop_signals) sigaddset(&set, signal);
  sigprocmask(how, &set, nullptr);
}

extern "C" void ask_for_stop(int signal) {
  requested = 1;
  if (signal != SIGINT || !::isatty(STDERR_FILENO)) return;
  constexpr char text[] = "\nsilt: stopping after this substep; again to end at once\n";
  [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, text, sizeof text - 1);
}

}  // namespace

void hold_stop_signals() {
  mask_stop_signals(SIG_BLOCK);
}

void catch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = ask_for_stop;
  action.sa_flags = int(SA_RESETHAND) | SA_RESTART;  // the second one finds the default: the end
  sigemptyset(&action.sa_mask);
  for (const int signal : stop_signals) {
    // Who starts us with a signal ignored (nohup, a shell's background job) wants it to stay so.
    struct sigaction before {};
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    sigaction(signal, &action, nullptr);
  }
  mask_stop_signals(SIG_UNBLOCK);
}

bool stop_requested() {
  return requested != 0;
}

}  // namespace silt
