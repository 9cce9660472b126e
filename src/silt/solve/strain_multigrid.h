#pragma once

#include <memory>
#include <vector>

#include "silt/core/cells.h"
#include "silt/fields/used_rows.h"
#include "silt/solve/strain_system.h"

namespace silt {

/// Stands in for the inverse of a StrainSystem: a V-cycle, symmetric and positive. Lattices of half the resolution are
/// discretised anew from the coefficients; each is smoothed by four steps of Chebyshev's, scaled by the sums of rows,
/// before and after. All in float: what is asked for is a few digits, of a correction.
class StrainMultigrid {
 public:
  /// The finest system: fill its coefficients, on its domain, and say `prepare`.
  StrainSystem& system() { return levels_.front()->system; }
  const StrainSystem& system() const { return levels_.front()->system; }

  /// Where the unknowns are. Scratch is made anew where the layout has changed.
  void place(const Domain& domain, const Layout& layout);
  /// After the coefficients have changed, halos filled round periodic sides. Without `coarser`, coarser systems stay
  /// what they are: good enough when it is by little.
  void prepare(const Exec& exec, bool coarser = true);
  /// z = one V-cycle of A^-1 r.
  void precondition(const Exec& exec, const MacField<float>& r, MacField<float>& z);
  /// x . A x.
  double energy(const Exec& exec, MacField<float>& x);

 private:
  struct Level {
    StrainSystem system;
    RowSpans rows;
    UsedRows used;
    MacField<float> inverse, x, before, b, r;
    Field<float> outflow;
    explicit Level(const Layout& layout)
        : system(layout), inverse(layout), x(layout), before(layout), b(layout), r(layout), outflow(layout) {}
  };

  void cycle(const Exec& exec, std::size_t n);
  void smooth(const Exec& exec, Level& level, bool from_zero, int steps);

  std::vector<std::unique_ptr<Level>> levels_;
  MacField<float> product_;
  Layout layout_;
};

}  // namespace silt
