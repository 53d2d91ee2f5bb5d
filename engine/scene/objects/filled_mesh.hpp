// A closed mesh filled with particles of solver.particle_radius.
#pragma once

#include "engine/core/expected.hpp"
#include "engine/geometry/field/interior_particles.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

struct ObjectDesc;
struct SceneDesc;

struct FilledMesh {
  TriMesh mesh;  ///< scaled
  std::vector<InteriorParticle> particles;
  double volume = 0.0;  ///< m^3, of the mesh
  std::vector<std::string> notes;
};

/// Arrangement of particles at the surface. Flush: drawn in until they touch it from within, closer together
/// than elsewhere. Even: equally far apart everywhere, as a fluid needs it, which would burst from a
/// compressed start.
enum class Filling { flush, even };

/// Fills the mesh of `object`. Fails on an open mesh, on a mesh that holds fewer than `fewest` particles, and
/// on too many particles.
Expected<FilledMesh> fill_mesh(const SceneDesc& scene, const ObjectDesc& object, Filling filling,
                               std::size_t fewest);

}  // namespace limber
