// The experiments: each is compared with published or exact data and held to a bound.
//   silt_validate [NAME...] [--list] [--json] [--quick] [--out DIR] [--threads N] [--device cpu|cuda]

#include <iostream>

#include "validation/experiments.h"

int main(int argc, char** argv) {
  using namespace silt;
  const trials::Program program{"silt validate",
                                "experiment",
                                "experiments",
                                "--out DIR         where pages, plots and data go; otherwise docs/validation of the "
                                "source, and nowhere with --json;\n"
                                "                  with --quick the build folder\n",
                                {trials::Extra::out},
                                validation::experiments(),
                                {.whole = SILT_PAGES_DIR, .small = SILT_QUICK_DIR, .beneath = {"plots", "data"}}};
  return trials::run_trials(program, {argv + 1, argv + argc}, std::cout, std::cerr);
}
