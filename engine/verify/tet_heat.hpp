// Heat maps of objects of tetrahedra.
#pragma once

#include <functional>
#include <span>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Receives the particles and the strain of an element. The strain of a tetrahedron is the largest |s - 1| of
/// its principal stretches s, the singular values of F; that of a spring along an edge is |length / rest -
/// 1|.
using TetStrainVisitor = std::function<void(std::span<const std::int32_t> particles, double strain)>;
void for_each_tet_strain(const World& world, const TetStrainVisitor& visit);

/// Writes the largest strain (for_each_tet_strain()) of the elements around each vertex, by external vertex
/// id. Like the functions below, it leaves the entries of vertices without elements unchanged.
void write_tet_strain(const World& world, std::span<float> out);

/// Writes the largest |V / V0 - 1| of the tetrahedra around each vertex.
void write_volume_change(const World& world, std::span<float> out);

/// Writes von Mises stress in Pa, sqrt(3/2 s:s), with s the deviator of the mean Cauchy stress sigma around
/// the vertex. For any energy E of a material,
///
///   sum_j (dE/dx_j) x_j^T = v sigma       over the corners of an element of present volume v,
///
/// because dE/dx_j = V P b_j, sum_j x_j b_j^T = F and V P F^T = v sigma. A vertex gets a quarter of v sigma
/// of each tetrahedron around it (half of that of an edge), divided by a quarter of the volumes. The stress
/// is that of the material in the present deformation, even under methods that replace the material's
/// constants by a stiffness. Damping is not included. Allocates.
void write_stress(const World& world, std::span<float> out);

}}  // namespace limber::LIMBER_PRECISION
