#include "silt/cache/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "silt/cache/file_ops.h"
#include "silt/core/text.h"

namespace silt {
namespace {

using disk::Descriptor;
using disk::retry;

Descriptor open_lock(const Folder& folder, std::string_view name) {
  try {
    return folder.open(name, O_RDWR | O_CREAT, "open");
  } catch (const DiskFullError&) {
    throw;
  } catch (const IoError& e) {
    throw InputError(str(e.what(), "; remove it if no silt is running there"));
  }
}

/// What its holder wrote into a lock; nothing when nobody holds it, or it is no lock of ours.
std::optional<std::string> text_of_lock(const Folder& folder, std::string_view name) {
  if (folder.entry(name) != Folder::Entry::file) return {};
  try {
    const Descriptor fd = folder.open(name, O_RDONLY, "read");
    if (::flock(fd, LOCK_SH | LOCK_NB) == 0) return {};  // closing lets go of it again
    char text[64] = {};
    return std::string(text, disk::read_all(fd, folder.path() / name, text, sizeof text - 1));
  } catch (const IoError&) {
    return {};
  }
}

}  // namespace

FileLock::FileLock(const Folder& folder, std::string_view name, std::string_view what, std::string_view how,
                   std::string_view note) {
  const std::filesystem::path path = folder.path() / name;
  Descriptor fd = open_lock(folder, name);
  if (retry([&] { return ::flock(fd, LOCK_EX | LOCK_NB); }) < 0) {
    if (errno != EWOULDBLOCK) disk::fail("lock", path, errno);
    const long process = holder(folder, name);
    throw InputError(str(what, ' ', how, " by ", process > 0 ? str("process ", process) : "another process"));
  }
  const std::string text = str(mark, ::getpid(), note.empty() ? "" : " ", note, '\n');
  disk::cut(fd, path, 0);
  disk::write_all(fd, path, text.data(), text.size());
  fd_ = std::move(fd);
}

long FileLock::holder(const Folder& folder, std::string_view name) {
  const std::optional<std::string> text = text_of_lock(folder, name);
  if (!text) return 0;
  if (!text->starts_with(mark)) return -1;
  const long process = std::strtol(text->c_str() + mark.size(), nullptr, 10);
  return process > 0 ? process : -1;
}

std::string FileLock::holder_note(const Folder& folder, std::string_view name) {
  const std::string text = text_of_lock(folder, name).value_or("");
  const std::size_t space = text.find(' ', std::min(mark.size(), text.size()));
  return space == std::string::npos ? "" : text.substr(space + 1, text.find('\n') - space - 1);
}

}  // namespace silt
