#pragma once

#include <string>
#include <string_view>

namespace silt {

/// The program as the user typed it, for hints that can be typed again. Set once by main.
const std::string& program_name();
void set_program_name(const char* argv0);

/// Lines on standard output, at once: names in them are made fit for a terminal. A reader that has gone away is no
/// error when lost readers are ignored: `silt run | head` runs to its end.
void put(std::string_view text);
/// The same, as it is: for programs, and for what moves the cursor.
void put_raw(std::string_view text);
void ignore_lost_readers();
/// Whether all that was put arrived, but for lost readers; else why not.
std::string lost_output();

/// "silt: error: ..." and "silt: warning: ..." on standard error, fit for a terminal.
void say_error(std::string_view message);
void say_warning(std::string_view message);
/// The same without "silt: error: ", for what names its own place.
void say_lines(std::string_view message);
/// That memory ran out. Takes none itself.
void say_out_of_memory() noexcept;

/// A word as a shell would take it: quoted only when it must be.
std::string shell_word(const std::string& word);

/// "1:02:07", "3:05", "12 s": for a progress line.
std::string clock_text(double seconds);

}  // namespace silt
