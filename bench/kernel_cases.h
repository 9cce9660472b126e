#pragma once

#include <functional>
#include <string>
#include <vector>

#include "silt/fields/cut_cells.h"
#include "silt/physics/common/advect.h"

namespace silt {

/// One kernel on an n^3 box: how to run it, how many bytes it must move a cell (each input read once, each output
/// written once), what it must reach, and how far its answer is from the known one.
struct KernelCase {
  std::string name;
  double bytes_per_cell;
  std::function<void()> run;
  std::function<double()> error;  ///< after a run; compared with `allowed`
  double allowed;
  double least_of_copy = 0;  ///< bound on the fraction of copy bandwidth; 0: none
  double least_mcells = 0;   ///< bound on millions of cells a second on two threads; 0: none
  std::string reference{};   ///< the case that this one is compared with; none: ""
};

/// The fields the cases run on: a flow that swirls and expands, so that answers are known and traces are not trivial.
class KernelBench {
 public:
  KernelBench(const Exec& exec, int n);
  std::vector<KernelCase> cases();
  std::int64_t cells() const { return domain_.cells.count(); }

 private:
  const Exec& exec_;
  Domain domain_;
  Layout layout_;
  CutCells cut_;
  MacField<float> velocity_, other_;
  Field<float> scalar_, carried_;
  Field<double> q_, divergence_;
  AdvectScratch scratch_;
  double reduced_ = 0;
};

}  // namespace silt
