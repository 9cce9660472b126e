#pragma once

#include <cstdint>

#include "silt/core/buffer.h"

namespace silt {

/// out[i] = in[0] + ... + in[i-1]; returns the total. `out` may be `in`. Needs the total to fit 32 bits.
std::uint32_t exclusive_scan(const Exec& exec, const Buffer<std::uint32_t>& in, Buffer<std::uint32_t>& out);

/// Sorts `keys` ascending and carries `values` along; equal keys keep their order (stable, so the result is unique).
/// Only the low `key_bits` bits are looked at: give what the largest key needs.
template <class Key>
void sort_by_key(const Exec& exec, Buffer<Key>& keys, Buffer<std::uint32_t>& values, int key_bits = 8 * sizeof(Key));

extern template void sort_by_key(const Exec&, Buffer<std::uint32_t>&, Buffer<std::uint32_t>&, int);
extern template void sort_by_key(const Exec&, Buffer<std::uint64_t>&, Buffer<std::uint32_t>&, int);

}  // namespace silt
