#include "bench/peer_program.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "bench/program_output.h"
#include "bench/scratch_folder.h"
#include "silt/core/error.h"
#include "silt/core/text.h"

namespace silt::bench {

namespace {

namespace fs = std::filesystem;

fs::path path_of(const Peer& peer) {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path() / "peers" / peer.program;
}

/// Ranks of Open MPI keep a core busy while they wait unless they are told that cores are shared; where each rank has
/// its own core that yielding costs nothing. Root, as in a container, has to be allowed.
std::string starter(const Peer& peer, int threads) {
  if (!peer.ranks) return str("OMP_NUM_THREADS=", threads, " ");
  return str("OMP_NUM_THREADS=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 ",
             "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun -n ", threads, " --bind-to none ");
}

PeerAnswer read_report(const std::string& text) {
  PeerAnswer answer;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string what;
    words >> what >> std::ws;
    if (what == "library") std::getline(words, answer.library);
    if (what == "options") std::getline(words, answer.options);
    if (Attempt one; what == "attempt" && words >> one.set_up >> one.solve >> one.cpu >> one.iterations)
      answer.attempts.push_back(one);
  }
  return answer;
}

}  // namespace

bool is_built(const Peer& peer) {
  return ::access(path_of(peer).c_str(), X_OK) == 0;
}

PeerAnswer ask(const Peer& peer, int threads, const BoxProblem& box, Load load, double tolerance, int repeats) {
  const ScratchFolder folder;
  const fs::path file = folder.path() / "answer";
  std::ofstream(file, std::ios::binary);  // ranks write their parts into what is there
  const std::string command =
      str(starter(peer, threads), quoted(path_of(peer).string()), " ", peer.method, " ", box.n, " ",
          load == Load::smooth ? "smooth" : "random", " ", tolerance, " ", repeats, " ", quoted(file.string()));
  const std::string text = output_of(command, peer.name);
  PeerAnswer answer = read_report(text);
  answer.x.resize(std::size_t(box.cells()));
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(answer.x.data()), std::streamsize(answer.x.size() * sizeof(double)));
  if (!in || answer.attempts.empty()) throw Error(str(peer.name, " gave no answer: ", text.substr(0, 600)));
  return answer;
}

}  // namespace silt::bench
