// Grains and solids of a scene as geometry.
#pragma once

#include "engine/scene/object_geometry.hpp"

namespace limber {

/// A lattice of balls: `copies` of them, at least 2 r apart.
void add_grains(const SceneDesc& scene, const ObjectDesc& object, ObjectGeometry& out);

/// The particles that fill the mesh of `object`. Fails on an open mesh and on one thinner than a particle.
Expected<void> add_solid(const SceneDesc& scene, const ObjectDesc& object, ObjectGeometry& out);

}  // namespace limber
