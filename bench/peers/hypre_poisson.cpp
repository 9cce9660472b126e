// hypre: conjugate gradients with PFMG on the structured interface or BoomerAMG on a matrix of rows. METHOD: pfmg or
// boomeramg. OPTIONS are words NAME=NUMBER.

#include "hypre_rows.h"
#include "hypre_structured.h"

namespace silt::bench {
namespace {

// Found by trying: see docs/validation/poisson.md.
constexpr const char* usual_pfmg = "relax=2 rap=1 pre=1 post=1 skip=1";
constexpr const char* usual_boomeramg =
    "coarsen=10 interp=6 relax=6 aggressive=1 max_elements=4 keep_transpose=1 mod_rap2=1";

template <class System>
void run(const PeerTask& task) {
  const double start = wall_seconds();
  Share share{task};
  share.part.fill(share.values.data(), [&](int i, int j, int k) { return task.box.load(task.load, i, j, k); });
  System system(share);
  if (mpi_rank() == 0) std::printf("assembly %.6f\n", wall_seconds() - start);
  const Choices choices(task.options);
  for (int repeat = 0; repeat < task.repeats; ++repeat) {
    system.clear();
    Stopwatch watch;
    const int iterations = system.solve(task.tolerance, choices, watch);
    watch.print(iterations);
  }
  system.answer(share);
  write_part(task.answer, task.box, share.part, share.values.data());
}

}  // namespace
}  // namespace silt::bench

int main(int argc, char** argv) {
  using namespace silt::bench;
  PeerTask task(argc, argv);
  const bool structured = task.method == "pfmg";
  if (task.options.empty()) task.options = structured ? usual_pfmg : usual_boomeramg;
  MPI_Init(&argc, &argv);
  HYPRE_Init();
  if (mpi_rank() == 0) std::printf("library hypre %s\noptions %s\n", HYPRE_RELEASE_VERSION, task.options.c_str());
  if (structured)
    run<Structured>(task);
  else
    run<Rows>(task);
  HYPRE_Finalize();
  MPI_Finalize();
  return 0;
}
