// Checks conditions between the settings of an object, beyond the range of each.
#pragma once

#include "engine/core/expected.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber {

struct SceneDesc;

/// Largest number of vertices of one object over all its copies.
inline constexpr double max_vertices = 2e6;
/// Largest number of particles of one object of grains or solids; more would take seconds per frame.
inline constexpr double max_particles = 250000;

/// Fails unless `name` is a vertex of the object. Before the mesh is read, only corners and edges of a grid
/// and indices below the number of vertices (of one copy) are known.
Expected<void> check_vertex(const ObjectDesc& object, const VertexName& name);

/// Fails unless 0 <= index < count.
Expected<void> check_index(long index, long count);

/// Checks that a material that melts has its solidus below its liquidus.
Expected<void> check_melting_range(const ObjectDesc& object);

/// The vertices called `word`. Fails if the object has no vertices of that name.
Expected<std::vector<Index>> named_vertices(const ObjectDesc& object, std::string_view word);
/// The error for `word` on objects whose vertices have only numbers.
Error no_vertex_names(std::string_view word);

/// Fails if the type of the object cannot have the field, or if a value of the source has no meaning.
Expected<void> check_field(const ObjectDesc& object, const FieldSource& source);

/// Fails if copies of grains or solids, which touch each other, would all start at the same place.
Expected<void> check_spacing(const ObjectDesc& object);

/// Applies all checks above and those of the object's type, and checks that copies are whole numbers and at
/// most max_vertices. Must be called again after a setting has changed.
Expected<void> check_object(const ObjectDesc& object);

/// Fails if the method or integrator of the solver does not support the constraints, the pressure or the
/// orientations of an object. The error names the object and the method or integrator.
Expected<void> check_objects_of_method(const SceneDesc& scene);

}  // namespace limber
