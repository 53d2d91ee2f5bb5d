// The rotation nearest to a matrix, without a starting point.
#pragma once

#include <glm/mat3x3.hpp>
#include <glm/vec4.hpp>

namespace limber {

/// The unit quaternion {x, y, z, w} of the rotation that maximises tr(R^T a): a's polar rotation, or with
/// det a < 0 the one whose smallest singular direction is flipped. It is the eigenvector of the largest
/// eigenvalue of Horn's 4 x 4 matrix (Horn 1987), found by Jacobi's rotations, so no start can mislead it.
/// If several rotations are equally near (a has rank 0 or 1), it is one of them; the identity if a is not
/// finite.
glm::dvec4 nearest_rotation(const glm::dmat3& a);

}  // namespace limber
