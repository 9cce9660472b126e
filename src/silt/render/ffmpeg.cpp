#include "silt/render/ffmpeg.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/render/child_program.h"

namespace silt {

namespace {

using disk::Descriptor;

/// The two ends of a pipe: sockets, since writing to one whose reader is gone can be kept from raising a signal.
struct Ends {
  Descriptor ours, theirs;
};

/// Above the numbers of the standard files, which the program takes.
Descriptor out_of_the_way(Descriptor fd) {
  if (fd < 0 || fd > STDERR_FILENO) return fd;
  return Descriptor(::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

Ends connected() {
  int fds[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) return {Descriptor(), Descriptor()};
  return {out_of_the_way(Descriptor(fds[0])), out_of_the_way(Descriptor(fds[1]))};
}

bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    bytes.remove_prefix(std::size_t(sent));
  }
  return true;
}

Bytes contents(int fd, const std::filesystem::path& name) {
  Bytes bytes(disk::size_of(fd, name));
  bytes.resize(disk::read_all(fd, name, bytes.data(), bytes.size()));
  return bytes;
}

std::string last_line(std::string_view text) {
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  return std::string(text.substr(text.find_last_of("\r\n") + 1));  // npos + 1 is 0
}

}  // namespace

Bytes run_ffmpeg(const std::vector<std::string>& words, const std::function<void(const Feed&)>& feed,
                 const Folder& folder, const std::string& what, const std::string& kept) {
  std::vector<std::string> all{"ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y"};
  all.insert(all.end(), words.begin(), words.end());
  all.push_back("file:/proc/self/fd/1");  // by a path: an MP4 is gone over twice, a pipe cannot be
  const Descriptor out = out_of_the_way(folder.open_unnamed());
  const Descriptor said = out_of_the_way(Descriptor(::memfd_create("ffmpeg", MFD_CLOEXEC)));
  Ends pipe = connected();
  if (out < 0 || said < 0 || pipe.ours < 0 || pipe.theirs < 0)
    throw Error(str("ffmpeg could not be started (", std::strerror(errno), "): ", kept));

  ChildProgram ffmpeg(all, pipe.theirs, out, said);
  pipe.theirs.close();
  if (ffmpeg.start_error() == ENOENT)
    throw Error(str("ffmpeg was not found: ", kept, "; install it with 'apt-get install ffmpeg'"));
  if (ffmpeg.start_error() != 0)
    throw Error(str("ffmpeg could not be started (", std::strerror(ffmpeg.start_error()), "): ", kept));
  feed([&](std::string_view bytes) { return send_all(pipe.ours, bytes); });
  pipe.ours.close();
  if (ffmpeg.succeeds()) return contents(out, folder.path());
  const Bytes messages = contents(said, "ffmpeg's messages");
  throw Error(str("ffmpeg could not ", what, ": ", kept, "; it says: ", last_line(messages.text())));
}

}  // namespace silt
