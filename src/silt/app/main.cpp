#include <execinfo.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "silt/app/command_line.h"
#include "silt/app/exit_code.h"
#include "silt/app/memory_watch.h"
#include "silt/app/say.h"
#include "silt/app/thread_policy.h"
#include "silt/core/error.h"
#include "silt/core/input_file.h"
#include "silt/scene/diagnostics.h"

namespace {

/// Whether a path leads nowhere, and not a disk that failed.
bool is_about_a_name(const std::error_code& code) {
  for (const std::errc kind : {std::errc::too_many_symbolic_link_levels, std::errc::filename_too_long,
                               std::errc::not_a_directory, std::errc::permission_denied})
    if (code == kind) return true;
  return false;
}

/// What fails after memory ran out most likely fails for that.
int run_or_lack_memory(const std::vector<std::string>& words) {
  try {
    return silt::run_command_line(words);
  } catch (const silt::NoMemoryForFile&) {  // which names the file
    throw;
  } catch (const std::exception&) {
    if (silt::memory_ran_out()) throw std::bad_alloc();
    throw;
  }
}

/// Every way a command can end but for want of memory, see main(). What a user can act on is said in one message.
int run(const std::vector<std::string>& words) {
  using namespace silt;
  try {
    return run_or_lack_memory(words);
  } catch (const SceneError& e) {  // has its places in it
    say_lines(e.what());
    return exit_code::bad_input;
  } catch (const InputError& e) {
    say_error(e.what());
    return exit_code::bad_input;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const Error& e) {
    say_error(e.what());
  } catch (const std::filesystem::filesystem_error& e) {
    say_error("cannot use " + e.path1().string() + ": " + e.code().message());
    return is_about_a_name(e.code()) ? exit_code::bad_input : exit_code::failed;
  } catch (const std::system_error& e) {
    say_error(std::string("the system refused what silt needs, a thread most likely: ") + e.what() +
              ": allow more processes (ulimit -u), or give it fewer with --threads");
  } catch (const std::exception& e) {
    say_error(std::string("this is a mistake in silt, please report it: ") + e.what());
  }
  return exit_code::failed;
}

/// What threads and exceptions need of the C library is loaded when it is first needed, and without memory that ends
/// the program: so it is loaded at once.
void prepare_to_unwind() {
  void* frame = nullptr;
  ::backtrace(&frame, 1);
}

int run_program(int argc, char** argv) {
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (!words.empty() && (words[0] == "run" || words[0] == "render" || words[0] == "gallery" || words[0] == "validate" ||
                         words[0] == "bench"))
    silt::wait_politely(argv);
  silt::set_program_name(argv[0]);
  const int code = run(words);
  if (const std::string lost = silt::lost_output(); code == silt::exit_code::done && !lost.empty()) {
    silt::say_error("standard output could not be written: " + lost);
    return silt::exit_code::failed;
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  // Left alone, glibc raises the size from which it maps memory by itself to that of what was given back last, and the
  // heap of a long run grows by holes round what lasts.
  mallopt(M_MMAP_THRESHOLD, 64 << 10);
  mallopt(M_TRIM_THRESHOLD, 256 << 10);
  prepare_to_unwind();
  try {
    return run_program(argc, argv);
  } catch (const std::bad_alloc&) {  // also while another message was made
    silt::say_out_of_memory();
  }
  ::_exit(silt::exit_code::failed);  // what libraries do at the end needs memory too
}
