#include "silt/core/host_memory.h"

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include "silt/core/few_touched.h"

namespace silt::host_memory {

namespace {

constexpr std::size_t page = 4096, huge_page = 2 << 20;
constexpr std::size_t mapped = 128 << 10;  ///< bytes, from which on memory is mapped by itself

/// Arrays that all began at the same place in a page would fall on the same lines of the cache, and a store would look
/// to the processor like one into whichever other array it reads next: each begins a few lines further than the last.
std::size_t next_shift() {
  static std::atomic<std::size_t> count = 0;
  return 9 * alignment * (count++ % 64);
}
constexpr std::size_t most_shift = 9 * alignment * 64;
constexpr std::size_t shift_unit = 64 << 10;  ///< a multiple of it is where a mapping begins, before the shift
static_assert(most_shift < shift_unit && shift_unit < huge_page);

/// Whole huge pages, where that wastes little.
std::size_t mapped_bytes(std::size_t bytes) {
  const std::size_t unit = bytes < 4 * huge_page ? page : huge_page;
  return (bytes + most_shift + unit - 1) / unit * unit;
}

enum class Pages { small, huge };

/// What is mapped afresh is zero. What aligning the mapping left over goes back.
void* map(std::size_t bytes, Pages pages) {
  const std::size_t unit = pages == Pages::huge ? huge_page : shift_unit, room = mapped_bytes(bytes) + unit;
  void* const start = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) throw std::bad_alloc();
  char* const first = static_cast<char*>(start);
  const std::size_t before = (unit - reinterpret_cast<std::uintptr_t>(first) % unit) % unit;
  const std::size_t end = before + mapped_bytes(bytes);
  if (before > 0) munmap(first, before);
  if (end < room) munmap(first + end, room - end);
#ifdef MADV_HUGEPAGE
  // a wish: without it everything works, only slower, or in more memory
  madvise(first + before, end - before, pages == Pages::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#endif
  return first + before + next_shift();
}

void unmap(void* pointer, std::size_t bytes) {
  const std::size_t shift = reinterpret_cast<std::uintptr_t>(pointer) % shift_unit;
  munmap(static_cast<char*>(pointer) - shift, mapped_bytes(bytes));
}

/// From the heap, aligned by hand: glibc's aligned allocation asks for more than what is released again will hold, so
/// that a heap with anything lasting in it would grow for ever. The byte before the array tells where its block begins.
void* take_from_heap(std::size_t bytes) {
  char* const start = static_cast<char*>(::operator new(bytes + alignment));
  const std::size_t gap = alignment - reinterpret_cast<std::uintptr_t>(start) % alignment;  // at least that of new
  start[gap - 1] = char(gap);
  return start + gap;
}

void give_to_heap(void* pointer) noexcept {
  char* const first = static_cast<char*>(pointer);
  ::operator delete(first - static_cast<unsigned char>(first[-1]));
}

thread_local bool few_touched_now = false;

}  // namespace

FewTouched::FewTouched(bool really) : before_(std::exchange(few_touched_now, few_touched_now || really)) {}
FewTouched::~FewTouched() {
  few_touched_now = before_;
}

// Grids follow what flows, and are made anew in other sizes again and again. What is released goes back to the system:
// kept for the next array, by size or in the heap, it came to as much again as is in use, and gained no time.
void* allocate_zero(std::size_t bytes) {
  if (bytes >= mapped) return map(bytes, bytes >= large && !few_touched_now ? Pages::huge : Pages::small);
  return std::memset(take_from_heap(bytes), 0, bytes);
}

void release(void* pointer, std::size_t bytes) noexcept {
  if (!pointer) return;
  if (bytes >= mapped)
    unmap(pointer, bytes);
  else
    give_to_heap(pointer);
}

}  // namespace silt::host_memory
