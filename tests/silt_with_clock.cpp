// The program with one more thing: at its end it writes to the file SILT_CLOCK how often the lists and locks of the run
// folder were used, and how long that took. The linker puts these functions before the program's own (--wrap, see
// CMakeLists.txt), which go by the names that the compiler gives them: one that has changed is counted 0 times.

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "silt/cache/run_folder.h"

namespace {

struct Total {
  const char* name;
  std::atomic<long> calls = 0;
  std::atomic<long> nanoseconds = 0;
};
Total manifest{"manifest"}, lock{"lock"}, stats{"stats"}, run_status{"status"};

/// Adds the time from here to the end of the block.
class Stopwatch {
 public:
  explicit Stopwatch(Total& total) : total_(total) {}
  ~Stopwatch() {
    const auto past = std::chrono::steady_clock::now() - start_;
    total_.nanoseconds += std::chrono::duration_cast<std::chrono::nanoseconds>(past).count();
    ++total_.calls;
  }

 private:
  Total& total_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

[[gnu::destructor]] void write_totals() {
  const char* const path = std::getenv("SILT_CLOCK");
  std::FILE* const file = path ? std::fopen(path, "w") : nullptr;
  if (!file) return;
  const char* before = "{";
  for (const Total* t : {&manifest, &lock, &stats, &run_status}) {
    std::fprintf(file, "%s\"%s\": {\"calls\": %ld, \"seconds\": %.6f}", before, t->name, t->calls.load(),
                 1e-9 * double(t->nanoseconds.load()));
    before = ", ";
  }
  std::fputs("}\n", file);
  std::fclose(file);
}

}  // namespace

// A member function of its object's address, as the compiler calls it.
#define SILT_ADD _ZN4silt8Manifest3addB5cxx11ERKNS_13ManifestEntryE
#define SILT_LOCK _ZN4silt8FileLockC1ERKNS_6FolderESt17basic_string_viewIcSt11char_traitsIcEES7_S7_S7_
#define SILT_STATS _ZN4silt9RunFolder9add_statsESt17basic_string_viewIcSt11char_traitsIcEE
#define SILT_STATUS _ZN4silt9RunFolder10set_statusERKNS_9RunStatusE
#define SILT_JOIN(a, b) a##b
#define SILT_REAL(name) SILT_JOIN(__real_, name)
#define SILT_WRAP(name) SILT_JOIN(__wrap_, name)

extern "C" {

std::string SILT_REAL(SILT_ADD)(silt::Manifest*, const silt::ManifestEntry&);
std::string SILT_WRAP(SILT_ADD)(silt::Manifest* list, const silt::ManifestEntry& entry) {
  const Stopwatch watch(manifest);
  return SILT_REAL(SILT_ADD)(list, entry);
}

void SILT_REAL(SILT_LOCK)(silt::FileLock*, const silt::Folder&, std::string_view, std::string_view, std::string_view,
                          std::string_view);
void SILT_WRAP(SILT_LOCK)(silt::FileLock* file, const silt::Folder& folder, std::string_view name,
                          std::string_view what, std::string_view how, std::string_view note) {
  const Stopwatch watch(lock);
  SILT_REAL(SILT_LOCK)(file, folder, name, what, how, note);
}

void SILT_REAL(SILT_STATS)(silt::RunFolder*, std::string_view);
void SILT_WRAP(SILT_STATS)(silt::RunFolder* run, std::string_view line) {
  const Stopwatch watch(stats);
  SILT_REAL(SILT_STATS)(run, line);
}

void SILT_REAL(SILT_STATUS)(silt::RunFolder*, const silt::RunStatus&);
void SILT_WRAP(SILT_STATUS)(silt::RunFolder* run, const silt::RunStatus& said) {
  const Stopwatch watch(run_status);
  SILT_REAL(SILT_STATUS)(run, said);
}
}
