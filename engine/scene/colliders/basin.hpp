// A basin of water as a scene made in code, for validation and tests.
#pragma once

#include <glm/vec3.hpp>
#include <string>

#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber {

/// A plane without friction. Before the rotation its solid side is below it.
ColliderDesc smooth_plane(const std::string& name, const glm::dvec3& position, const glm::dvec3& degrees);

/// A block of water without friction, centred at `middle`; lengths in m.
ObjectDesc water_block(const glm::dvec3& extent, const glm::dvec3& middle);

/// A block of water in a basin. Particles have the given radius; one corner of the block is at `corner`; the
/// basin is `length` long in x and as wide in z as the block (lengths in m). Uses 8 substeps of 3 iterations.
/// The water is the only object.
SceneDesc basin(double radius, const glm::dvec3& corner, const glm::dvec3& block, double length);

}  // namespace limber
