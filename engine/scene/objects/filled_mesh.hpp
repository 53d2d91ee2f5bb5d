// A closed mesh filled with particles of solver.particle_radius.
#pragma once

#include "engine/core/expected.hpp"
#include "engine/geometry/field/interior_particles.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

struct ObjectDesc;
struct SceneDesc;

struct FilledMesh {
  TriMesh mesh;  ///< scaled to ObjectDesc::size
  std::vector<InteriorParticle> particles;
  double volume = 0.0;  ///< m^3, of the mesh
  std::vector<std::string> notes;
};

/// Arrangement of particles near the surface. flush: the outer particles touch the surface from within, so
/// they stand closer together than the others. even: equal distances everywhere, for fluids, which would
/// burst if they started compressed.
enum class Filling { flush, even };

/// Fills the mesh of `object` with particles. Fails on an open mesh, if fewer than `fewest` particles fit,
/// and if too many would be needed.
Expected<FilledMesh> fill_mesh(const SceneDesc& scene, const ObjectDesc& object, Filling filling,
                               std::size_t fewest);

}  // namespace limber
