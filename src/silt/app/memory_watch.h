#pragma once

namespace silt {

/// From now on an allocation that finds no memory is remembered, before it throws: libraries hide that, and call a file
/// damaged that could not be read for want of memory.
void watch_memory() noexcept;
bool memory_ran_out() noexcept;

}  // namespace silt
