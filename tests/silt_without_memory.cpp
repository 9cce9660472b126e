// The program with one more thing: SILT_MEMORY says which of its allocations finds no memory. What users run does not
// look at that variable.
//
//   once:N      the N-th (from 1) fails, and no other
//   from:N      the N-th fails, and so does every later one: a message must do without
//   count:FILE  at a normal exit their number is written to FILE, so that a test can try every N
//
// The first that fails says on standard error in which library. Counted are calls of malloc and its kin from wherever
// in the process, so that of operator new too, and memory mapped for large arrays.

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdio>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

enum class Mode { none, once, from, count };

// Set before anything is allocated by the program, and plain, since allocations come before any constructor.
Mode mode = Mode::none;
long at = 0;
const char* count_file = nullptr;
std::atomic<long> done = 0;

void say(const char* text) {
  [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, text, ::strlen(text));
}

/// Of the program or library that asked.
void tell_whose(void* caller) {
  Dl_info info{};
  const char* const file = ::dladdr(caller, &info) && info.dli_fname ? info.dli_fname : "?";
  const char* const slash = ::strrchr(file, '/');
  say("SILT_MEMORY: none for ");
  say(slash ? slash + 1 : file);
  say("\n");
}

bool fails(void* caller) {
  if (mode == Mode::none) return false;
  const long n = done.fetch_add(1, std::memory_order_relaxed) + 1;
  if (mode == Mode::once ? n != at : mode != Mode::from || n < at) return false;
  if (n == at) tell_whose(caller);
  errno = ENOMEM;
  return true;
}

void write_count() {
  char text[32];
  const int length = std::snprintf(text, sizeof text, "%ld\n", done.load());
  const int file = ::open(count_file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0 && ::write(file, text, std::size_t(length)) == length) ::close(file);
}

[[gnu::constructor]] void plan() {
  const char* const spec = ::getenv("SILT_MEMORY");
  if (!spec) return;
  const char* const colon = ::strchr(spec, ':');
  if (!colon) ::_exit(2);
  const std::size_t length = std::size_t(colon - spec);
  const auto is = [&](const char* word) { return ::strlen(word) == length && ::strncmp(spec, word, length) == 0; };
  mode = is("once") ? Mode::once : is("from") ? Mode::from : is("count") ? Mode::count : Mode::none;
  if (mode == Mode::count)
    count_file = colon + 1, std::atexit(write_count);
  else
    at = std::atol(colon + 1);
  if (mode == Mode::none || (mode != Mode::count && at < 1)) ::_exit(2);
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) {
  return fails(__builtin_return_address(0)) ? nullptr : __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  return fails(__builtin_return_address(0)) ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* place, std::size_t size) {
  return fails(__builtin_return_address(0)) ? nullptr : __libc_realloc(place, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  return fails(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return fails(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** place, std::size_t alignment, std::size_t size) {
  void* const got = fails(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
  if (!got) return ENOMEM;
  *place = got;
  return 0;
}

void* mmap(void* where, std::size_t size, int protection, int flags, int file, off_t offset) noexcept {
  using Map = void* (*)(void*, std::size_t, int, int, int, off_t);
  static const Map real = reinterpret_cast<Map>(::dlsym(RTLD_NEXT, "mmap"));
  if ((flags & MAP_ANONYMOUS) && fails(__builtin_return_address(0))) return MAP_FAILED;
  return real(where, size, protection, flags, file, offset);
}
}
