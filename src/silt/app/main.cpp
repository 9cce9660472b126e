#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "silt/app/command_line.h"
#include "silt/app/exit_code.h"
#include "silt/app/say.h"
#include "silt/app/thread_policy.h"
#include "silt/core/error.h"
#include "silt/scene/diagnostics.h"

namespace {

/// Every way a command can end. What a user can act on is said in one message; nothing is left uncaught.
int run(const std::vector<std::string>& words) {
  using namespace silt;
  try {
    return run_command_line(words);
  } catch (const SceneError& e) {  // has its places in it
    std::fprintf(stderr, "%s\n", e.what());
    return exit_code::bad_input;
  } catch (const InputError& e) {
    say_error(e.what());
    return exit_code::bad_input;
  } catch (const std::bad_alloc&) {
    say_error("out of memory: choose a coarser grid, with --scale 0.5 or a larger domain.cell_size");
  } catch (const Error& e) {
    say_error(e.what());
  } catch (const std::exception& e) {
    say_error(std::string("this is a mistake in silt, please report it: ") + e.what());
  }
  return exit_code::failed;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && (words[0] == "run" || words[0] == "render" || words[0] == "gallery" || words[0] == "validate" ||
                         words[0] == "bench"))
    silt::wait_politely(argv);
  silt::set_program_name(argv[0]);
  return run(words);
}
