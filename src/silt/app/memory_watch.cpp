#include "silt/app/memory_watch.h"

#include <atomic>
#include <new>

namespace silt {
namespace {

std::atomic<bool> ran_out = false;

void remember() {
  ran_out = true;
  throw std::bad_alloc();
}

}  // namespace

void watch_memory() noexcept {
  std::set_new_handler(remember);
}

bool memory_ran_out() noexcept {
  return ran_out;
}

}  // namespace silt
