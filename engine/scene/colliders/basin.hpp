// A basin of water, made in code: what validation and tests look at.
#pragma once

#include <glm/vec3.hpp>
#include <string>

#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber {

/// A plane without friction; it keeps what is on its upper side, before it is turned.
ColliderDesc smooth_plane(const std::string& name, const glm::dvec3& position, const glm::dvec3& degrees);

/// A block of water without friction about `middle`.
ObjectDesc water_block(const glm::dvec3& extent, const glm::dvec3& middle);

/// A block of water of particles of that radius in the corner `corner` of a basin, `length` m long in x and
/// as wide in z as the block, with 8 substeps of 3 iterations. Its only object is the water.
SceneDesc basin(double radius, const glm::dvec3& corner, const glm::dvec3& block, double length);

}  // namespace limber
