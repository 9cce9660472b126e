#include "silt/core/host_memory.h"

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>
#include <unordered_set>
#include <utility>

#include "silt/core/few_touched.h"

namespace silt::host_memory {

namespace {

constexpr std::size_t page = 4096, huge_page = 2 << 20;

/// Arrays that all began at the same place in a page would fall on the same lines of the cache, and a store would look
/// to the processor like one into whichever other array it reads next: each begins a few lines further than the last.
std::size_t next_shift() {
  static std::atomic<std::size_t> count = 0;
  return 9 * alignment * (count++ % 64);
}
constexpr std::size_t most_shift = 9 * alignment * 64;
constexpr std::size_t shift_unit = 64 << 10;  ///< where an array that is not mapped by itself begins, before its shift
constexpr std::size_t shifted = 128 << 10;    ///< bytes, from which on arrays are shifted
static_assert(most_shift < shift_unit && shift_unit < huge_page);

/// Whole huge pages, where that wastes little.
std::size_t mapped_bytes(std::size_t bytes) {
  const std::size_t unit = bytes < 4 * huge_page ? page : huge_page;
  return (bytes + most_shift + unit - 1) / unit * unit;
}

enum class Pages { small, huge };

/// What is mapped afresh is zero. The mapping begins at a huge page; what aligning it left over goes back.
void* map(std::size_t bytes, Pages pages) {
  const std::size_t room = mapped_bytes(bytes) + huge_page;
  void* const start = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) throw std::bad_alloc();
  char* const first = static_cast<char*>(start);
  const std::size_t before = (huge_page - reinterpret_cast<std::uintptr_t>(first) % huge_page) % huge_page;
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
  const std::size_t shift = reinterpret_cast<std::uintptr_t>(pointer) % huge_page;
  munmap(static_cast<char*>(pointer) - shift, mapped_bytes(bytes));
}

void* obtain_zero(std::size_t bytes) {
  if (bytes >= large) return map(bytes, Pages::huge);
  if (bytes < shifted) return std::memset(::operator new (bytes, std::align_val_t{alignment}), 0, bytes);
  char* const first = static_cast<char*>(::operator new (bytes + most_shift, std::align_val_t{shift_unit}));
  return std::memset(first + next_shift(), 0, bytes);
}

void give_back(void* pointer, std::size_t bytes) noexcept {
  if (bytes >= large)
    unmap(pointer, bytes);
  else if (bytes < shifted)
    ::operator delete (pointer, std::align_val_t{alignment});
  else
    ::operator delete (static_cast<char*>(pointer) - reinterpret_cast<std::uintptr_t>(pointer) % shift_unit,
                       std::align_val_t{shift_unit});
}

/// Arrays that were asked for as ones that few places of are touched.
class FewTouchedBlocks {
 public:
  static constexpr std::size_t least = 256 << 10;  ///< bytes

  void add(void* pointer) {
    const std::lock_guard lock(mutex_);
    blocks_.insert(pointer);
  }
  bool remove(void* pointer) noexcept {
    const std::lock_guard lock(mutex_);
    return blocks_.erase(pointer) > 0;
  }

 private:
  std::mutex mutex_;
  std::unordered_set<void*> blocks_;
};

FewTouchedBlocks& few_touched_blocks() {
  static FewTouchedBlocks& blocks = *new FewTouchedBlocks;
  return blocks;
}

thread_local bool few_touched_now = false;

}  // namespace

FewTouched::FewTouched(bool really) : before_(std::exchange(few_touched_now, few_touched_now || really)) {}
FewTouched::~FewTouched() {
  few_touched_now = before_;
}

// What is released is not kept for the next array: it rarely has the same size, since grids follow what flows, and
// what was kept came to as much again as was in use, without a gain that could be measured.
void* allocate_zero(std::size_t bytes) {
  if (few_touched_now && bytes >= FewTouchedBlocks::least) {
    void* const pointer = map(bytes, Pages::small);
    few_touched_blocks().add(pointer);
    return pointer;
  }
  return obtain_zero(bytes);
}

void release(void* pointer, std::size_t bytes) noexcept {
  if (!pointer) return;
  if (bytes >= FewTouchedBlocks::least && few_touched_blocks().remove(pointer)) return unmap(pointer, bytes);
  give_back(pointer, bytes);
}

}  // namespace silt::host_memory
