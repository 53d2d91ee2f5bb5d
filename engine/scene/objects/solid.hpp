// A solid: a closed mesh filled with balls of solver.particle_radius that keep its shape (shape matching).
#pragma once

#include "engine/scene/objects/object_type.hpp"

namespace limber {

/// Particles of a solid at one end along an axis of its mesh: "left" and "right" (x), "bottom" and "top" (y),
/// "back" and "front" (z); or "all" of them.
struct SolidEnd {
  int axis = 0;
  double sign = 1.0;
  bool all = false;
};
Expected<SolidEnd> solid_end(std::string_view word);

struct SolidDesc {
  double stiffness = 1.0;       ///< k of shape matching; 1: rigid
  double cluster_size = 0.0;    ///< m, side of the boxes whose particles form a cluster; 0: one cluster
  double overlap = 0.5;         ///< fraction of a box shared with the next one
  double linear = 0.0;          ///< beta, 0..1: share of linear deformation in the goals of shape matching
  double quadratic = 0.0;       ///< 0..1: share of quadratic deformation in the goals of shape matching
  double youngs_modulus = 0.0;  ///< Pa; 0: `stiffness` is used
  double poisson_ratio = 0.3;
  double damping_time = 0.0;  ///< s
  double yield = 0.0;         ///< strain; 0: never yields
  double creep = 20.0;        ///< 1/s
  double hardening = 0.0;     ///< increase of the yield strain per plastic strain
  double max_plastic = 1.0;   ///< strain
  double break_strain = 0.0;  ///< fraction of the cluster's size; 0: never breaks
  /// True if the solid consists of many clusters.
  bool soft() const { return cluster_size > 0.0; }

  static std::span<const Field> fields();
  static bool uses(const ObjectDesc& object, const Field& field);
  static std::optional<long> vertex_count(const ObjectDesc& object);
  static Expected<void> check(const ObjectDesc& object);
  /// Checks that `word` is one of solid_end(). Returns no vertices: particles exist only after the mesh is
  /// filled.
  static Expected<std::vector<Index>> named(const ObjectDesc& object, std::string_view word);
  /// Fails on an open mesh and on a mesh thinner than a particle.
  static Expected<void> build(const SceneDesc& scene, const ObjectDesc& object, ObjectGeometry& out);
};

}  // namespace limber
