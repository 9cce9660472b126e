#include "silt/solve/face_preconditioner.h"

#include "silt/core/loops.h"

namespace silt {

namespace {

/// Cells on the face, and the sides on which they touch a cell that is held. Neither a wall nor what is beyond the
/// domain holds anything.
struct Ruggedness {
  View<const unsigned char> fixed;
  MacView<const float> w;
  SILT_HD Several<2> operator()(Cell c) const {
    const auto [i, j, k] = c;
    const double on = 1 - int(fixed(c));
    const int held = open(w.x(c)) * fixed(i - 1, j, k) + open(w.x(i + 1, j, k)) * fixed(i + 1, j, k) +
                     open(w.y(c)) * fixed(i, j - 1, k) + open(w.y(i, j + 1, k)) * fixed(i, j + 1, k) +
                     open(w.z(c)) * fixed(i, j, k - 1) +
                     open(w.z(i, j, k + 1)) * fixed(i, j, k + 1);  // a flat axis: the cell itself, twice nothing
    return {{on, on * held}};
  }
  SILT_HD static int open(float weight) { return weight > 0; }
};

}  // namespace

/// Multigrid pays on large faces. One that is riddled with held cells has no long waves for it to take out, and its
/// coarse cells fall to pieces; a few damped steps do then.
FaceMethod FacePreconditioner::best(const Exec& exec, const Field<unsigned char>& fixed) const {
  constexpr double small = 10000;  // cells
  constexpr double many = 1.5;     // held sides a cell
  const Several<2> sums = reduce<Each<Sum, Sum>>(exec, "face.ruggedness", op_->domain().cells,
                                                 Ruggedness{fixed.read(exec), op_->weights().read(exec)});
  if (sums[1] > many * sums[0]) return FaceMethod::damped_steps;
  return sums[0] < small ? FaceMethod::incomplete_cholesky : FaceMethod::multigrid;
}

void FacePreconditioner::make(const Exec& exec, const Field<unsigned char>& fixed) {
  method_ = asked_ == FaceMethod::automatic ? best(exec, fixed) : asked_;
  if (method_ == FaceMethod::multigrid) multigrid_.prepare(exec, *op_, &fixed);
  if (method_ == FaceMethod::incomplete_cholesky) cholesky_.prepare(exec, *op_, &fixed);
  ++made_;
}

void FacePreconditioner::apply(const Exec& exec, const Field<double>& r, const Field<unsigned char>& fixed, bool moved,
                               Field<float>& z) {
  if (moved) make(exec, fixed);
  if (method_ == FaceMethod::multigrid)
    multigrid_.apply(exec, r, z);
  else if (method_ == FaceMethod::incomplete_cholesky)
    cholesky_.apply(exec, r, z);
  else
    steps_.apply(exec, *op_, fixed, r, z);
}

}  // namespace silt
