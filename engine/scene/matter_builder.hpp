// Grains and solids of a World.
#pragma once

#include <span>

#include "engine/scene/object_geometry.hpp"
#include "engine/state/world.hpp"

namespace limber::inline LIMBER_PRECISION {

/// The particles from `first` on, one per entry of `new_to_old` (numbers in `geometry`), touch each other;
/// with fields, they are a solid that starts turned by `turn`.
void add_matter(const ObjectGeometry& geometry, std::int32_t first, std::span<const Index> new_to_old,
                const glm::dmat3& turn, World& world, ParticleMatter& matter);

}  // namespace limber::inline LIMBER_PRECISION
