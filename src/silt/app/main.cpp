#include <algorithm>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "silt/app/command_line.h"
#include "silt/app/exit_code.h"
#include "silt/app/say.h"
#include "silt/app/thread_policy.h"
#include "silt/core/error.h"
#include "silt/scene/diagnostics.h"

namespace {

/// Whether a path leads nowhere, and not a disk that failed.
bool is_about_a_name(const std::error_code& code) {
  for (const std::errc kind : {std::errc::too_many_symbolic_link_levels, std::errc::filename_too_long,
                               std::errc::not_a_directory, std::errc::permission_denied})
    if (code == kind) return true;
  return false;
}

/// Every way a command can end. What a user can act on is said in one message; nothing is left uncaught.
int run(const std::vector<std::string>& words) {
  using namespace silt;
  try {
    return run_command_line(words);
  } catch (const SceneError& e) {  // has its places in it
    say_lines(e.what());
    return exit_code::bad_input;
  } catch (const InputError& e) {
    say_error(e.what());
    return exit_code::bad_input;
  } catch (const std::bad_alloc&) {
    say_error(
        "out of memory: a coarser grid takes less (--scale 0.5, or a larger domain.cell_size), and so do meshes "
        "with fewer triangles");
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

}  // namespace

int main(int argc, char** argv) {
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
