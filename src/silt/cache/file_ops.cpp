#include "silt/cache/file_ops.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <exception>
#include <utility>

#include "silt/core/input_file.h"
#include "silt/core/text.h"

namespace fs = std::filesystem;

namespace silt {
namespace {

using detail::begin_operation;
using detail::Operation;
using disk::Descriptor;

Folder folder_of(const fs::path& path) {
  return Folder(path.has_parent_path() ? path.parent_path() : fs::path("."));
}

std::string name_of(const fs::path& path) {
  return path.filename().string();
}

}  // namespace

FileWriter::FileWriter(Folder folder, std::string_view name) : folder_(std::move(folder)), name_(name) {
  // A process of the same number may have died here, or somebody has put something in the way.
  do temporary_ = temporary_entry(name_);
  while (folder_.has(temporary_));
  fd_ = folder_.open(temporary_, O_WRONLY | O_CREAT | O_EXCL, "create");
}

FileWriter::FileWriter(const fs::path& path) : FileWriter(folder_of(path), name_of(path)) {}

FileWriter::~FileWriter() {
  fd_.close();
  if (committed_) return;
  try {
    folder_.remove(temporary_);
  } catch (const std::exception&) {  // what is left is removed by who resumes
  }
}

void FileWriter::write(const void* bytes, std::size_t size) {
  if (size == 0) return;
  hasher_.add(bytes, size);
  disk::write_all(fd_, folder_.path() / temporary_, bytes, size);
}

void FileWriter::finish() {
  if (fd_ < 0) return;
  disk::sync_file(fd_, folder_.path() / temporary_);
  fd_.close();
}

FileStamp FileWriter::commit() {
  finish();
  folder_.rename(temporary_, name_);
  committed_ = true;
  folder_.sync();
  return stamp();
}

fs::path temporary_name(const fs::path& path) {
  return path.parent_path() / temporary_entry(name_of(path));
}

FileStamp write_atomically(const fs::path& path, std::string_view bytes) {
  return folder_of(path).write(name_of(path), bytes);
}

FileStamp adopt_file(const fs::path& temporary, const fs::path& path) {
  const Folder folder = folder_of(path);
  const FileStamp stamp = stamp_of(folder.read(name_of(temporary)).text());
  disk::sync_file(folder.open(name_of(temporary), O_RDONLY, "read"), temporary);
  folder.rename(name_of(temporary), name_of(path));
  folder.sync();
  return stamp;
}

void append_line(const fs::path& path, std::string_view line) {
  folder_of(path).append_line(name_of(path), line);
}

void remove_file(const fs::path& path) {
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(path, ignored))) folder_of(path).remove(name_of(path));
}

void make_folder(const fs::path& path) {
  std::error_code ignored;
  if (path.empty() || fs::is_directory(path, ignored)) return;
  make_folder(path.parent_path());
  if (!path.has_filename()) return;  // "a/b/": made as "a/b"
  disk::mutate(Operation::mkdir, "make the folder", path, [&] {
    const int result = ::mkdir(path.c_str(), 0777);
    return result < 0 && errno == EEXIST && fs::is_directory(path) ? 0 : result;
  });
  folder_of(path).sync();
}

Bytes read_file(const fs::path& path, std::uint64_t most) {
  return InputFile(path, most).read_all<Bytes>();
}

}  // namespace silt
