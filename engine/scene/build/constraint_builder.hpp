// Adds constraints, triangles and tetrahedra of objects to a World.
#pragma once

#include <span>

#include "engine/coloring/schedule_builder.hpp"
#include "engine/scene/objects/object_geometry.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Appends the constraints of one copy of an object to `raw`, and its triangles, tetrahedra and tethers to
/// the topology, as those of the topology's next object. `to_particle` has the particle of each vertex.
void add_constraints(const ObjectDesc& object, const ObjectGeometry& geometry,
                     std::span<const Index> to_particle, RawConstraintSet& raw, Topology& topology);

}}  // namespace limber::LIMBER_PRECISION
