// The mesh of a collider.
#pragma once

#include <memory>

#include "engine/geometry/field/signed_distance_field.hpp"
#include "engine/geometry/mesh/pose_sequence.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

class SharpSurface;

/// Shared by all Worlds and pictures. All pointers are empty if the collider is no mesh.
struct ColliderMesh {
  std::shared_ptr<const TriMesh> surface;            ///< m, in the collider's own frame
  std::shared_ptr<const SignedDistanceField> field;  ///< in the file's units; null if it has poses
  std::shared_ptr<const SharpSurface> sharp;         ///< in the file's units; null without a field
  /// Poses of a mesh that changes its shape; null for a rigid mesh
  std::shared_ptr<const PoseSequence> poses;
  double shell = 0.0;      ///< m, thickness of a mesh with poses
  glm::dvec3 center{0.0};  ///< in the file's units: the point at the collider's position
  double scale = 1.0;      ///< m per file unit
  int turned = 0;  ///< number of triangles that were wound against their neighbours and have been reversed
};

}  // namespace limber
