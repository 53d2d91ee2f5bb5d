// The constraints of elastic sheets and of solids of tetrahedra.
#pragma once

#include "engine/scene/objects/object_geometry.hpp"

namespace limber {

/// A constraint on each triangle of a sheet whose `sheet_model` is not springs, its warp along the mesh's x
/// axis. Triangles without area get none.
void add_elastic_triangles(const Material& material, ObjectGeometry& geometry);

/// The constraints of the material's `model` on the tetrahedra of the geometry.
void add_tet_constraints(const Material& material, ObjectGeometry& geometry);

}  // namespace limber
