// Grains and solids of a World.
#pragma once

#include <span>

#include "engine/scene/objects/object_geometry.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The particles from `first` on, one per entry of `new_to_old` (numbers in `geometry`), touch each other;
/// with fields, they are a solid that starts turned by `turn`.
void add_matter(const ObjectGeometry& geometry, std::int32_t first, std::span<const Index> new_to_old,
                const glm::dmat3& turn, World& world, ParticleMatter& matter);

/// Adds an object's part of the fluids, if it is one; its particles are `range` and have this radius, m. To
/// be called for every object, in their order.
void add_fluid(const ObjectDesc& object, const Placement& start, const ParticleRange& range, double radius,
               std::uint64_t seed, World& world, FluidMatter& fluid);

}}  // namespace limber::LIMBER_PRECISION
