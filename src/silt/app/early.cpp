// What is done before anything else in the process, also before the constructors of the libraries that it loads.

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <new>
#include <system_error>

#include "silt/app/memory_watch.h"
#include "silt/app/say.h"
#include "silt/app/stop_signal.h"

namespace {

void say(const char* text) {
  [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, text, ::strlen(text));
}

// Sanitizers are not set up yet either.
#define SILT_EARLY [[gnu::no_sanitize("address"), gnu::no_sanitize("undefined")]]

/// Who starts us with standard output closed would have the next file that is opened written full of progress.
SILT_EARLY void fill_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      ::open("/dev/null", stream == STDIN_FILENO ? O_RDONLY : O_WRONLY);
}

/// What leaves a constructor of a library, or a thread, gets here and nowhere else. Most often it is a limit.
[[noreturn]] void end_with_a_message() {
  if (silt::memory_ran_out()) {
    silt::say_out_of_memory();
    ::_exit(1);
  }
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
    say("silt: error: this is a mistake in silt, please report it: it gave up\n");
  } catch (const std::bad_alloc&) {  // of large arrays, which are mapped
    silt::say_out_of_memory();
  } catch (const std::system_error& e) {
    say("silt: error: the system refused what silt needs, a thread most likely: ");
    say(e.what());
    say("\nallow more processes (ulimit -u), or give it fewer with --threads\n");
  } catch (const std::exception& e) {
    say("silt: error: this is a mistake in silt, please report it: ");
    say(e.what());
    say("\n");
  } catch (...) {
    say("silt: error: this is a mistake in silt, please report it\n");
  }
  ::_exit(1);
}

SILT_EARLY void begin(int count, char** words, char**) {
  fill_closed_streams();
  std::set_terminate(end_with_a_message);
  silt::watch_memory();
  // Only a run has something to stop with care; the threads that libraries start now must hold these signals too.
  if (count > 1 && ::strcmp(words[1], "run") == 0) silt::hold_stop_signals();
  ::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is then an error that has a message
}

[[gnu::section(".preinit_array"), gnu::used]] void (*const first)(int, char**, char**) = begin;

}  // namespace
