// Heat maps of solids of tetrahedra.
#pragma once

#include <functional>
#include <span>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Called for an element of a solid: its particles, and the largest |s - 1| of the principal stretches s, the
/// singular values of F; of a spring along an edge, |length / rest - 1|.
using TetStrainVisitor = std::function<void(std::span<const std::int32_t> particles, double strain)>;
void for_each_tet_strain(const World& world, const TetStrainVisitor& visit);

/// The functions below write by external vertex id, for the tetrahedra around each vertex; entries of other
/// vertices stay unchanged.
///
/// Writes the largest strain of for_each_tet_strain().
void write_tet_strain(const World& world, std::span<float> out);

/// Largest |V / V0 - 1|.
void write_volume_change(const World& world, std::span<float> out);

/// Pa: von Mises stress sqrt(3/2 s:s), s the deviator of the mean Cauchy stress around the vertex. Whatever
/// the model of the material, its energy E has
///
///   sum_j (dE/dx_j) x_j^T = v sigma       over the corners of an element of present volume v,
///
/// because dE/dx_j = V P b_j, sum_j x_j b_j^T = F and V P F^T = v sigma; so a vertex gets a quarter of each
/// (half of an edge's), over a quarter of the volumes. This is the stress of the material in this deformation
/// under any method, also where the method takes a stiffness in place of its constants. Stress of damping is
/// left out. Allocates.
void write_stress(const World& world, std::span<float> out);

}}  // namespace limber::LIMBER_PRECISION
