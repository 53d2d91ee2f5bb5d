// Adds grains, solids and fluids to a World.
#pragma once

#include <span>

#include "engine/scene/objects/object_geometry.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Registers the particles from `first` on, one per entry of `new_to_old` (vertex numbers in `geometry`), as
/// particles that touch each other. If `geometry.fields` has the mesh's distance, the particles form a solid,
/// rotated by `turn` at the start. Without it they are grains.
void add_matter(const ObjectGeometry& geometry, std::int32_t first, std::span<const Index> new_to_old,
                const glm::dmat3& turn, World& world, ParticleMatter& matter);

/// Adds the clusters of a soft solid or of a cloth that keeps its shape, rotated by `turn` at the start.
/// Particle first + k is vertex new_to_old[k] of the geometry.
void add_clusters(const ObjectGeometry& geometry, std::int32_t first, std::span<const Index> new_to_old,
                  const glm::dmat3& turn, World& world, SoftMatter& soft);

/// Adds a fluid object to the fluids; does nothing for other objects. `range` holds its particles of the
/// given radius, m. Must be called for every object, in scene order.
void add_fluid(const ObjectDesc& object, const Placement& start, const ParticleRange& range, double radius,
               std::uint64_t seed, World& world, FluidMatter& fluid);

}}  // namespace limber::LIMBER_PRECISION
