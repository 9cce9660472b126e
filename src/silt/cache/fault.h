#pragma once

/// Faults on purpose, for tests of what a crash or a full disk leaves behind, at one of the mutating operations of the
/// process (file_ops.h). Nothing but a test asks for one: tests/silt_with_faults.cpp is the program with the
/// environment variable SILT_FAULT. A fault is one of
///
///   crash:N     the N-th mutating operation (from 1) ends the process at once with exit code 86, nothing flushed, no
///               destructor run; a write first writes half of its bytes
///   enospc:N    the N-th operation fails as on a full disk, and so does every later create, write and mkdir
///   count:FILE  at a normal exit the number of operations done is written to FILE, so that a test can try every N
///
/// Without it each operation costs one relaxed atomic increment.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace silt {

inline constexpr int fault_exit_code = 86;

/// As above; counting starts again at 1. "" means no fault.
void set_fault(std::string_view spec);
/// Mutating operations since the start or the last set_fault().
std::int64_t fault_operations();

namespace detail {

enum class Operation { create, write, sync, rename, truncate, remove, mkdir };

/// Counts an operation. Returns 0 to go on, or the errno it must fail with. Does not return when the process must die
/// here, except for writes: then `die_after` (left alone otherwise) says how many bytes to write before die().
int begin_operation(Operation operation, std::size_t* die_after = nullptr, std::size_t size = 0);
[[noreturn]] void die();

}  // namespace detail
}  // namespace silt
