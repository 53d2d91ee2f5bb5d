// The positive semi-definite matrix nearest to an element's Hessian. Newton's method uses it in place of the
// Hessian.
#pragma once

#include <array>
#include <cstddef>

namespace limber {

/// Raises the negative eigenvalues of a symmetric matrix of n x n, stored row by row, to zero; n at most 12.
void take_positive_part(double* matrix, int n);

template <std::size_t N>
void take_positive_part(std::array<std::array<double, N>, N>& matrix) {
  static_assert(N <= 12);
  take_positive_part(matrix[0].data(), int(N));
}

}  // namespace limber
