// Stiffness of the edges of a triangle mesh that stands for an elastic sheet.
#pragma once

#include <span>
#include <vector>

#include "engine/geometry/mesh/topology.hpp"

namespace limber {

/// Springs and hinges of a sheet of tensile stiffness E t (N/m) and bending rigidity B (N m, both of a strip
/// whose sides are free):
///
///   spring of edge e:  U = 1/2 E t k_e (|e| - l_e)^2        hinge over edge e:  U = 1/2 B w_e theta_e^2
///
/// **Springs.** k_e = sum over its triangles of c_e / l_e^2. With x_i the cotangent of the angle opposite
/// edge i, N = max(3, 1 + sum x^2), and A the area of the triangle,
///
///   c_i ~ (1 + x_i^2)(1 + clamp(x_j x_k, 0, 1)(1 + x_j^2 + x_k^2)),   sum_i c_i = 2 A N/(N - 1)
///
/// Right triangles with legs a, b have c ~ b^2, a^2 and a^2 + b^2: a grid of them with alternating diagonals
/// has E t along both legs, with Poisson ratio nu = 1/N, and no c is negative whatever a/b is. (Beyond 2:1 no
/// edge has less than a tenth.) Square cells have nu = 1/3 and, like equilateral triangles, no preferred
/// direction; springs cannot have another nu without one (Cauchy's relation). At the rim a spring stands for
/// one triangle. A grid's diagonals meet at every second vertex of the rim, so that its vertices move in and
/// out alternately when a strip is pulled. The strip is then as soft as one narrower by 0.07 of a cell;
/// `rim_share` corrects that.
///
/// **Hinges.** The fold over an edge is to bending what the force in a bar is to stretching (the static and
/// geometric analogy of shells), so that hinges of weight w_e = m_e/k_e are as even as the springs are. The
/// factor m = N^2/(N^2 - 1) = 1/(1 - nu^2), a mean of both triangles weighted by area, makes B the rigidity
/// of a strip. Equilateral triangles have w = 9/8 l^2/A, with A the area of both triangles (l^2/A: Seung and
/// Nelson 1988, of a sheet bent to a cylinder). A bent strip also curves across the bend, in the same
/// direction and by nu. A wide sheet cannot, and is stiffer by the factor 1/(1 - nu^2).
///
/// Meshes whose triangles differ are softer to pull and stiffer to bend, by 3 to 17 % as they are more
/// irregular; a grid of squares whose diagonals all go one way takes 3/4 E t along its sides and 3/2 E t
/// along its diagonals.
struct SheetWeights {
  std::vector<double> springs;  ///< k per edge of the topology, > 0
  std::vector<double> hinges;   ///< w per hinge of the topology, > 0
};

SheetWeights sheet_weights(std::span<const glm::dvec3> positions, std::span<const Triangle> triangles,
                           const MeshTopology& topology);

}  // namespace limber
