#include "silt/core/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "silt/core/error.h"
#include "silt/core/text.h"

namespace silt {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
  throw IoError(str("cannot read ", path.string(), ": ", why));
}

const char* kind_of(mode_t mode) {
  return S_ISDIR(mode) ? "a folder" : S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
}

}  // namespace

InputFile::InputFile(std::filesystem::path path, std::uint64_t most) : path_(std::move(path)) {
  // Without O_NONBLOCK opening a pipe waits for who writes into it.
  do fd_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  while (fd_ < 0 && errno == EINTR);
  if (fd_ < 0 && errno == ENOENT) throw IoError("there is no file " + path_.string());
  if (fd_ < 0) refuse(path_, std::strerror(errno));
  try {
    check(most);
  } catch (...) {
    ::close(fd_);
    throw;
  }
}

InputFile::~InputFile() {
  ::close(fd_);
}

void InputFile::check(std::uint64_t most) {
  struct stat info {};
  if (::fstat(fd_, &info) < 0) refuse(path_, std::strerror(errno));
  if (!S_ISREG(info.st_mode)) refuse(path_, str("it is ", kind_of(info.st_mode), ", not a file"));
  size_ = std::uint64_t(info.st_size);
  if (size_ > most) refuse(path_, str("it has ", limit_text(size_), ", and the limit is ", limit_text(most)));
}

std::size_t InputFile::read(char* to, std::size_t count) {
  std::size_t done = 0;
  while (done < count) {
    const ssize_t got = ::read(fd_, to + done, count - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(path_, std::strerror(errno));
    if (got == 0) break;
    done += std::size_t(got);
  }
  return done;
}

void InputFile::refuse_for_memory() const {
  throw NoMemoryForFile(
      str("cannot read ", path_.string(), ": it has ", limit_text(size_), ", for which there is no memory"));
}

std::string read_named_file(const std::filesystem::path& path, std::uint64_t most) {
  try {
    InputFile file(path, most);
    return file.read_all<std::string>();
  } catch (const IoError& e) {
    throw InputError(e.what());
  }
}

std::string limit_text(std::uint64_t bytes) {
  constexpr const char* units[] = {"bytes", "kB", "MB", "GB"};
  int unit = 0;
  for (; unit < 3 && bytes >= 10240; ++unit) bytes = (bytes + 1023) / 1024;
  return str(bytes, ' ', units[unit]);
}

}  // namespace silt
