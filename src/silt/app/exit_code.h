#pragma once

namespace silt {

/// What the program tells its caller.
namespace exit_code {
inline constexpr int done = 0;
inline constexpr int failed = 1;     ///< the run failed
inline constexpr int bad_input = 2;  ///< bad usage or a bad scene: nothing was run
inline constexpr int stopped = 3;    ///< by the user; can be resumed
}  // namespace exit_code

}  // namespace silt
