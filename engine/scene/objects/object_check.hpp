// What must hold between the settings of an object, beyond the range of each.
#pragma once

#include "engine/core/expected.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber {

struct SceneDesc;

/// Most vertices of one object over all its copies.
inline constexpr double max_vertices = 2e6;
/// Of one object of grains or solids: more would take seconds a frame.
inline constexpr double max_particles = 250000;

/// Fails unless `name` is a vertex of the object, as far as that is known before a mesh is read: a grid's
/// corner or edge, or an index below the number of vertices (of one copy).
Expected<void> check_vertex(const ObjectDesc& object, const VertexName& name);

/// Fails unless 0 <= index < count.
Expected<void> check_index(long index, long count);

/// The vertices called `word`. Fails if the object has no vertices of that name.
Expected<std::vector<Index>> named_vertices(const ObjectDesc& object, std::string_view word);
/// The error for objects whose vertices have numbers only.
Error no_vertex_names(std::string_view word);

/// Fails where copies of what touches itself, grains or solids, would all start in one place.
Expected<void> check_spacing(const ObjectDesc& object);

/// All of the above and: whole numbers of copies, at most max_vertices, what the object's type demands. To be
/// asked again after a setting has changed.
Expected<void> check_object(const ObjectDesc& object);

/// Fails where the solver's method or integrator cannot have what an object is made of, its pressure or its
/// turns, naming both.
Expected<void> check_objects_of_method(const SceneDesc& scene);

}  // namespace limber
