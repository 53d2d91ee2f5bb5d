#include "engine/core/positive_part.hpp"

#include <Eigen/Eigenvalues>

namespace limber {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 12, 12>;

/// Finds the coordinates that are coupled with `first` by non-zero entries, directly or through others.
/// Writes them to `members`, marks them in `taken`, and returns their number.
int block_around(const Eigen::Map<Matrix>& a, int first, std::array<bool, 12>& taken,
                 std::array<int, 12>& members) {
  int count = 0;
  members[std::size_t(count++)] = first, taken[std::size_t(first)] = true;
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < int(a.rows()); ++i)
      if (!taken[std::size_t(i)] && a(members[std::size_t(k)], i) != 0.0)
        members[std::size_t(count++)] = i, taken[std::size_t(i)] = true;
  return count;
}

}  // namespace

/// Treats each coupled block by itself: otherwise rounding would couple independent blocks, and a flat sheet
/// that is compressed in its plane would leave the plane.
void take_positive_part(double* matrix, int n) {
  Eigen::Map<Matrix> a(matrix, n, n);
  std::array<bool, 12> taken{};
  std::array<int, 12> members;
  for (int first = 0; first < n; ++first) {
    if (taken[std::size_t(first)]) continue;
    const int count = block_around(a, first, taken, members);
    Matrix block(count, count);
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < count; ++k) block(i, k) = a(members[std::size_t(i)], members[std::size_t(k)]);
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(block);
    if (solver.eigenvalues()[0] >= 0.0) continue;
    const Matrix positive = solver.eigenvectors() * solver.eigenvalues().cwiseMax(0.0).asDiagonal() *
                            solver.eigenvectors().transpose();
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < count; ++k) a(members[std::size_t(i)], members[std::size_t(k)]) = positive(i, k);
  }
}

}  // namespace limber
