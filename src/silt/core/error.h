#pragma once

#include <stdexcept>
#include <string>

namespace silt {

/// Something a user can act on. The message is a whole sentence; `app` prints it after "silt: ".
class Error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What was asked for makes no sense: exit code 2.
class InputError : public Error {
  using Error::Error;
};

/// A file could not be read or written, or is not what it claims to be.
class IoError : public Error {
  using Error::Error;
};

/// The simulation broke down and retrying at smaller steps did not help.
class SolveError : public Error {
  using Error::Error;
};

}  // namespace silt
