// A mesh that other things collide with.
#pragma once

#include <memory>

#include "engine/geometry/field/signed_distance_field.hpp"
#include "engine/geometry/mesh/pose_sequence.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

class SharpSurface;

/// Shared by all Worlds and pictures of it. Empty pointers: the collider is no mesh.
struct ColliderMesh {
  std::shared_ptr<const TriMesh> surface;            ///< m, in the collider's own frame
  std::shared_ptr<const SignedDistanceField> field;  ///< in the file's units; null if it has poses
  std::shared_ptr<const SharpSurface> sharp;         ///< in the file's units, of one that has a field
  std::shared_ptr<const PoseSequence> poses;         ///< of one that changes its shape
  double shell = 0.0;                                ///< m, of one with poses
  glm::dvec3 center{0.0};                            ///< file units: the point at the collider's position
  double scale = 1.0;                                ///< m per file unit
  int turned = 0;                                    ///< triangles that faced against their neighbours
};

}  // namespace limber
