#include "silt/cache/file_stamp.h"

#include <xxhash.h>

#include <new>

namespace silt {

FileStamp stamp_of(std::string_view bytes) {
  return {bytes.size(), XXH3_64bits(bytes.data(), bytes.size())};
}

struct Hasher::State {
  XXH3_state_t* xxh = XXH3_createState();
  std::uint64_t size = 0;
  ~State() { XXH3_freeState(xxh); }
};

Hasher::Hasher() : state_(std::make_unique<State>()) {
  if (!state_->xxh) throw std::bad_alloc();
  XXH3_64bits_reset(state_->xxh);
}
Hasher::~Hasher() = default;

void Hasher::add(const void* bytes, std::size_t size) {
  XXH3_64bits_update(state_->xxh, bytes, size);
  state_->size += size;
}

FileStamp Hasher::stamp() const {
  return {state_->size, XXH3_64bits_digest(state_->xxh)};
}

}  // namespace silt
