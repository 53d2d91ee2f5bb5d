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

/// How particles lie at the surface: drawn in until they touch it from within, closer together than
/// elsewhere; or as far apart as everywhere, as a fluid needs it: one that starts compressed bursts.
enum class Filling { flush, even };

/// Fails on an open mesh, one thinner than `fewest` particles, and where there would be too many.
Expected<FilledMesh> fill_mesh(const SceneDesc& scene, const ObjectDesc& object, Filling filling,
                               std::size_t fewest);

}  // namespace limber
