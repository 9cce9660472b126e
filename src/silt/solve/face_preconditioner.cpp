#include "silt/solve/face_preconditioner.h"

#include "silt/core/loops.h"

namespace silt {

namespace {

/// Cells on the face, and the sides on which they have a cell that is held. Beyond the domain is none.
struct Ruggedness {
  View<const unsigned char> fixed;
  SILT_HD Several<2> operator()(Cell c) const {
    const auto [i, j, k] = c;
    const double on = 1 - int(fixed(c));
    const int held = fixed(i - 1, j, k) + fixed(i + 1, j, k) + fixed(i, j - 1, k) + fixed(i, j + 1, k) +
                     fixed(i, j, k - 1) + fixed(i, j, k + 1);  // a flat axis: the cell itself, twice nothing
    return {{on, on * held}};
  }
};

}  // namespace

/// Multigrid pays on large faces. One that is riddled with held cells has no long waves for it to take out, and its
/// coarse cells fall to pieces; incomplete factors do then.
FaceMethod FacePreconditioner::best_for(const Exec& exec, const Field<unsigned char>& fixed) const {
  constexpr double small = 10000, riddled = 1.5;  // cells; held sides a cell
  const Several<2> sums =
      reduce<Each<Sum, Sum>>(exec, "face.ruggedness", op_->domain().cells, Ruggedness{fixed.read(exec)});
  return sums[0] < small || sums[1] > riddled * sums[0] ? FaceMethod::incomplete_cholesky : FaceMethod::multigrid;
}

void FacePreconditioner::apply(const Exec& exec, const Field<double>& r, const Field<unsigned char>& fixed, bool moved,
                               Field<float>& z) {
  if (moved) {
    method_ = asked_ == FaceMethod::automatic ? best_for(exec, fixed) : asked_;
    if (method_ == FaceMethod::multigrid)
      multigrid_.prepare(exec, *op_, &fixed);
    else
      cholesky_.prepare(exec, *op_, &fixed);
    ++made_;
  }
  if (method_ == FaceMethod::multigrid)
    multigrid_.apply(exec, r, z);
  else
    cholesky_.apply(exec, r, z);
}

}  // namespace silt
