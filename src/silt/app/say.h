#pragma once

#include <string>
#include <string_view>

namespace silt {

/// The program as the user typed it, for hints that can be typed again. Set once by main.
const std::string& program_name();
void set_program_name(const char* argv0);

/// "silt: error: ..." and "silt: warning: ..." on standard error.
void say_error(std::string_view message);
void say_warning(std::string_view message);

/// A word as a shell would take it: quoted only when it must be.
std::string shell_word(const std::string& word);

/// "1:02:07", "3:05", "12 s": for a progress line.
std::string clock_text(double seconds);

}  // namespace silt
