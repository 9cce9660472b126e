#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace silt {

/// A program of PATH, started without a shell; its standard input, output and errors are the three files given. The
/// kernel kills it when the thread that started it ends, by whatever, before it can do anything further. That is not
/// passed on to what it starts itself.
class ChildProgram {
 public:
  ChildProgram(const std::vector<std::string>& words, int input, int output, int errors);
  ~ChildProgram();  ///< ends it, if nobody has waited for it
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;

  /// errno when it could not be started, else 0.
  int start_error() const { return start_error_; }
  /// Waits for its end; whether it went well.
  bool succeeds();

 private:
  pid_t child_ = -1;
  int start_error_ = 0;
};

}  // namespace silt
