// Symmetric 3x3 matrices: eigenvectors, and systems that may be singular.
#pragma once

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

namespace limber {

/// A = vectors diag(values) vectors^T with `vectors` a rotation.
struct SymmetricEigen {
  glm::dvec3 values;
  glm::dmat3 vectors;
};

/// Eigenvectors of a symmetric A, by cyclic Jacobi rotations. A diagonal A keeps its axes.
SymmetricEigen eigen_symmetric(const glm::dmat3& A);

/// The least-norm solution of A x = b for symmetric positive semi-definite A: eigenvalues below
/// 1e-9 of the largest count as zero (the inertia of collinear points is singular about their axis).
glm::dvec3 solve_pseudo_inverse(const glm::dmat3& A, const glm::dvec3& b);

}  // namespace limber
