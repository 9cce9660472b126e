// Under the address sanitizer a `new` that asks for more than there can be ends the program. Without it that is a
// std::bad_alloc, which readers answer: so here it is one, too. Everything else goes to malloc, which the sanitizer
// watches as ever.
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

void* allocate(std::size_t size) {
  constexpr std::size_t most = std::size_t(1) << 40;  // what the sanitizer takes
  void* const place = size < most ? std::malloc(size ? size : 1) : nullptr;
  if (!place) throw std::bad_alloc();
  return place;
}

}  // namespace

void* operator new(std::size_t size) {
  return allocate(size);
}
void* operator new[](std::size_t size) {
  return allocate(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc(size);
}
void operator delete(void* place) noexcept {
  std::free(place);
}
void operator delete[](void* place) noexcept {
  std::free(place);
}
void operator delete(void* place, std::size_t) noexcept {
  std::free(place);
}
void operator delete[](void* place, std::size_t) noexcept {
  std::free(place);
}
