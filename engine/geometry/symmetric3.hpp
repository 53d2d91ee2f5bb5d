// Symmetric 3x3 systems that may be singular.
#pragma once

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

namespace limber {

/// The least-norm solution of A x = b for symmetric positive semi-definite A: eigenvalues below
/// 1e-9 of the largest count as zero (the inertia of collinear points is singular about their axis).
glm::dvec3 solve_pseudo_inverse(const glm::dmat3& A, const glm::dvec3& b);

}  // namespace limber
