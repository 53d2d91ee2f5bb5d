// What must hold between the settings of an object, beyond the range of each.
#pragma once

#include "engine/core/expected.hpp"
#include "engine/scene/scene_desc.hpp"

namespace limber {

/// Most vertices of one object over all its copies.
inline constexpr double max_vertices = 2e6;
/// Of one object of grains or solids: more would take seconds a frame.
inline constexpr double max_particles = 250000;

/// Fails unless `name` is a vertex of the object, as far as that is known before a mesh is read: a grid's
/// corner or edge, or an index below the number of vertices (of one copy).
Expected<void> check_vertex(const ObjectDesc& object, const VertexName& name);

/// Fails unless the points of `spring` are two different points of the object with a length between them.
Expected<void> check_spring(const ObjectDesc& object, const SpringDesc& spring);

/// Fails where copies of what touches itself, grains or solids, would all start in one place.
Expected<void> check_spacing(const ObjectDesc& object);

/// All of the above and: whole numbers of copies, at most max_vertices, a chain with a direction, points with
/// at least one point. To be asked again after a setting has changed.
Expected<void> check_object(const ObjectDesc& object);

}  // namespace limber
