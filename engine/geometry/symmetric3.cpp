#include "engine/geometry/symmetric3.hpp"

#include <cmath>

namespace limber {

SymmetricEigen eigen_symmetric(const glm::dmat3& A) {
  // cyclic Jacobi: D = V^T A V becomes diagonal, quadratically after the second sweep
  glm::dmat3 D = A, V(1.0);
  for (int sweep = 0; sweep < 8; ++sweep) {
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q) {
        if (D[p][q] == 0.0) continue;
        const double theta = (D[q][q] - D[p][p]) / (2.0 * D[p][q]);
        const double t = (theta < 0.0 ? -1.0 : 1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1.0));
        const double c = 1.0 / std::sqrt(t * t + 1.0), s = t * c;
        for (int k = 0; k < 3; ++k) {  // columns of D and V
          const double dp = D[p][k], dq = D[q][k], vp = V[p][k], vq = V[q][k];
          D[p][k] = c * dp - s * dq, D[q][k] = s * dp + c * dq;
          V[p][k] = c * vp - s * vq, V[q][k] = s * vp + c * vq;
        }
        for (int k = 0; k < 3; ++k) {  // rows of D
          const double dp = D[k][p], dq = D[k][q];
          D[k][p] = c * dp - s * dq, D[k][q] = s * dp + c * dq;
        }
      }
    }
  }
  return {{D[0][0], D[1][1], D[2][2]}, V};
}

glm::dvec3 solve_pseudo_inverse(const glm::dmat3& A, const glm::dvec3& b) {
  const auto [values, V] = eigen_symmetric(A);
  const double largest = std::fmax(values.x, std::fmax(values.y, values.z));
  glm::dvec3 x(0.0);
  for (int k = 0; k < 3; ++k)
    if (values[k] > 1e-9 * largest) x += (V[k].x * b.x + V[k].y * b.y + V[k].z * b.z) / values[k] * V[k];
  return x;
}

}  // namespace limber
