#include <gtest/gtest.h>

#include "silt/fields/exterior_derivative.h"
#include "silt/solve/poisson.h"
#include "silt/solve/poisson_problem.h"

namespace silt {
namespace {

// The weighted Laplacian is d^T * d: d from cells to faces, the star, and minus d from faces to cells.
TEST(Laplacian, IsTheDerivativeTheStarAndTheDerivativeTransposed) {
  for (const Box& cells :
       {Box{{-3, 0, 0}, {9, 1, 1}}, Box{{-3, 2, 0}, {8, 9, 1}}, Box{{0, -2, 1}, {6, 5, 9}}, Box{{2, 2, 2}, {4, 4, 4}}})
    for (Side side : test::sides)
      for (double closed : {0.0, 0.3}) {
        test::PoissonProblem p(cells, side, side, side);
        p.random_weights(closed);
        Field<float> x = p.random_field<float>(3);
        Field<double> wide(p.layout), applied(p.layout), composed(p.layout);
        PoissonOperator(test::serial, p.domain, p.weights).apply(test::serial, x, applied);  // fills x's halo
        MacField<double> flux(p.layout);
        test::for_each(p.layout.storage(), [&](Cell c) { wide.at(c) = x(c); });
        d_cells(test::serial, p.domain, wide, flux);
        for (int a = 0; a < 3; ++a) {
          test::for_each(p.domain.faces(a), [&](Cell c) { flux[a].at(c) *= p.weights[a](c); });
          fill_halo(test::serial, p.domain, p.domain.faces(a), {}, flux[a]);  // the last face of a ring is the first
        }
        d_faces(test::serial, p.domain, flux, composed);
        test::for_each(cells, [&](Cell c) { ASSERT_NEAR(-composed(c), applied(c), 1e-14) << c; });
      }
}

}  // namespace
}  // namespace silt
