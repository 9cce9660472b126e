#include "silt/render/child_program.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace silt {
namespace {

struct Start {
  char* const* argv;
  int files[3];
  pid_t parent;
  sigset_t signals;    // that are blocked in the parent
  volatile int error;  // told through the memory that both have until exec
};

/// In the child, which has the parent's memory while the parent waits: system calls and nothing else.
[[noreturn]] void become_program(Start& start) {
  // The parent may have died before it could be asked for its death: then another process is the parent by now.
  const bool tied = ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::getppid() == start.parent;
  bool ready = tied;
  for (int i = 0; i < 3; ++i) ready = ready && ::dup2(start.files[i], i) == i;
  if (ready) {
    ::sigprocmask(SIG_SETMASK, &start.signals, nullptr);
    ::execvp(start.argv[0], start.argv);
  }
  start.error = errno ? errno : ECHILD;
  ::_exit(127);
}

/// vfork, not fork: a simulation's memory is not to be copied, not even its tables. (posix_spawn cannot ask for the
/// parent's death.)
__attribute__((noinline)) pid_t start_child(Start& start) {
  const pid_t child = ::vfork();
  if (child == 0) become_program(start);
  return child;
}

}  // namespace

ChildProgram::ChildProgram(const std::vector<std::string>& words, int input, int output, int errors) {
  std::vector<char*> argv;
  for (const std::string& w : words) argv.push_back(const_cast<char*>(w.c_str()));
  argv.push_back(nullptr);
  Start start{argv.data(), {input, output, errors}, ::getpid(), {}, 0};
  sigset_t all;
  sigfillset(&all);  // a handler must not run in the child: it would change the parent's memory
  ::pthread_sigmask(SIG_SETMASK, &all, &start.signals);
  child_ = start_child(start);
  start_error_ = child_ < 0 ? errno : start.error;
  ::pthread_sigmask(SIG_SETMASK, &start.signals, nullptr);
  if (child_ > 0 && start_error_ != 0) succeeds();
}

ChildProgram::~ChildProgram() {
  if (child_ <= 0) return;
  ::kill(child_, SIGKILL);
  succeeds();
}

bool ChildProgram::succeeds() {
  int status = 0;
  pid_t ended;
  while ((ended = ::waitpid(child_, &status, 0)) < 0 && errno == EINTR) {
  }
  child_ = -1;
  return ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace silt
