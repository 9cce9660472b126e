#pragma once

// Work that may die, in a process of its own.

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>

#include "silt/cache/test_tools.h"

namespace silt::test {

/// What a child's exit code tells besides success and `fault_exit_code`.
enum : int { disk_was_full = 3, broke_down = 4, test_failed = 5 };

/// Whether every thread but this one sleeps.
inline bool others_sleep() {
  int awake = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    const std::string stat = slurp(thread.path() / "stat");  // "17 (name) S ..."
    awake += stat.substr(stat.rfind(')') + 1, 2) != " S";
  }
  return awake <= 1;
}

/// In a child, so that it may die. Returns its exit code, or minus the signal that ended it.
///
/// A lock that another thread holds at the fork stays held in the child for ever. So whatever uses OpenVDB happens in
/// children too, lest its workers live here; and the threads of the libraries it loads are left to fall asleep first.
/// A child that hangs none the less ends by itself.
inline int in_child(const std::function<void()>& action) {
  for (int patience = 1000; !others_sleep() && patience > 0; --patience) ::usleep(1000);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    int code = 0;
    try {
      action();
      if (testing::Test::HasFailure()) code = test_failed;
    } catch (const DiskFullError&) {
      code = disk_was_full;
    } catch (...) {
      code = broke_down;
    }
    std::fflush(nullptr);  // what a failed expectation said
    ::_exit(code);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace silt::test
