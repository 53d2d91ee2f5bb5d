// Tetrahedra that melt into particles of a fluid.
#pragma once

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Removes the tetrahedra whose melts (HeatMesh::Melt) have come through six tenths of their melting range,
/// and brings their particles in. The particles of a melt lie where they were in their tetrahedra, with the
/// velocities and enthalpies there, all shifted by the same amount so that mass, centre of mass, linear
/// momentum and heat are those that the vertices lose. The kinetic and elastic energy that is left over
/// becomes heat. Angular momentum about the centre of a melt is not kept: particles inside a tetrahedron have
/// less inertia than its corners. Faces that open become part of the surface; a vertex without tetrahedra
/// leaves the scene.
///
/// Must be called between frames, serially. Returns whether anything has melted; the solver must then
/// prepare() again. The World must have a TearRoom.
bool melt_tets(World& world);

}}  // namespace limber::LIMBER_PRECISION
