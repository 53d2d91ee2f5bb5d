// A solid: a closed mesh filled with balls of solver.particle_radius that keep its shape (shape matching).
#pragma once

#include "engine/scene/objects/object_type.hpp"

namespace limber {

/// An end of a solid, along an axis of its mesh: "left" and "right" (x), "bottom" and "top" (y), "back" and
/// "front" (z), or "all" of it.
struct SolidEnd {
  int axis = 0;
  double sign = 1.0;
  bool all = false;
};
Expected<SolidEnd> solid_end(std::string_view word);

struct SolidDesc {
  double stiffness = 1.0;       ///< k of shape matching; 1: rigid
  double cluster_size = 0.0;    ///< m, side of the boxes of particles that keep a shape each; 0: one for all
  double overlap = 0.5;         ///< share of a box that the next one has too
  double linear = 0.0;          ///< beta, 0..1: goals follow the linear deformation
  double youngs_modulus = 0.0;  ///< Pa; 0: `stiffness` says how stiff it is
  double poisson_ratio = 0.3;
  double damping_time = 0.0;  ///< s
  double yield = 0.0;         ///< strain; 0: none is too much
  double creep = 20.0;        ///< 1/s
  double hardening = 0.0;     ///< strain of yield per plastic strain
  double max_plastic = 1.0;   ///< strain
  double break_strain = 0.0;  ///< share of the cluster's size; 0: it never breaks
  /// Whether it consists of many clusters.
  bool soft() const { return cluster_size > 0.0; }

  static std::span<const Field> fields();
  static bool uses(const ObjectDesc& object, const Field& field);
  static std::optional<long> vertex_count(const ObjectDesc& object);
  static Expected<void> check(const ObjectDesc& object);
  /// The words of solid_end(): the particles themselves are only known once the mesh is filled.
  static Expected<std::vector<Index>> named(const ObjectDesc& object, std::string_view word);
  /// Fails on an open mesh and on one thinner than a particle.
  static Expected<void> build(const SceneDesc& scene, const ObjectDesc& object, ObjectGeometry& out);
};

}  // namespace limber
