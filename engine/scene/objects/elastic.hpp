// Adds the constraints of elastic sheets and of solids of tetrahedra.
#pragma once

#include "engine/scene/objects/object_geometry.hpp"

namespace limber {

/// Adds a constraint for each triangle of a sheet whose `sheet_model` is not springs. The warp direction is
/// the x axis of the mesh. Degenerate triangles get no constraint.
void add_elastic_triangles(const Material& material, ObjectGeometry& geometry);

/// Adds the constraints of the material's `model` on the tetrahedra of the geometry.
void add_tet_constraints(const Material& material, ObjectGeometry& geometry);

}  // namespace limber
