// Public model of a built scene: objects by external vertex id. Precision-neutral.
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <string>
#include <vector>

#include "engine/geometry/clusters/overlapping_clusters.hpp"
#include "engine/geometry/mesh/pose_sequence.hpp"
#include "engine/geometry/tets/tet_embedding.hpp"
#include "engine/scene/bodies/body_source.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/pattern.hpp"
#include "engine/scene/joints/joint_desc.hpp"

namespace limber {

/// A piece of a rod that has parted: consecutive segments, and the points that they join.
struct RodPiece {
  Index first_segment = 0;
  std::vector<Index> points;  ///< external ids; one more than segments, of a ring as many
  bool closed = false;
};

/// A rod: its thickness, and which segments of the scene are its own.
struct RodModel {
  Index first_segment = 0, segments = 0;  ///< segments 0: the object is no rod
  float radius = 0.0f, flatness = 1.0f;   ///< m, half the height of the cross section; width / height
  bool closed = false;
  Index strand = 0;              ///< segments of each of several equal rods; 0: one rod
  std::vector<RodPiece> pieces;  ///< once something has parted; else empty
};

/// Public model of an object. All indices are external vertex ids.
struct ObjectModel {
  std::string name;
  Index first_vertex = 0;
  Index vertex_count = 0;
  std::vector<Triangle> triangles;
  std::vector<std::array<Index, 2>> springs;  ///< drawn as lines where there are no triangles
  std::vector<glm::vec2> uvs;                 ///< one per vertex of this object, or empty
  std::shared_ptr<const TriMesh> shape;       ///< surface of a rigid solid, m from its centre of mass; null:
                                              ///< no such solid
  std::vector<Tet> tets;                      ///< of a solid of tetrahedra
  Index inside_from = -1;  ///< first triangle of the interior that tears opened; -1: none
  std::shared_ptr<const TriMesh> skin;  ///< surface that the tetrahedra carry, drawn instead of `triangles`,
                                        ///< at rest
  std::vector<EmbeddedPoint> carried;   ///< per vertex of the skin: place in a tetrahedron
  std::vector<ClusterBlend> blends;     ///< per vertex of the skin of a soft solid: cluster weights
  /// Per corner of the drawn triangles: smoothing group, see smoothing_groups(); empty: all 0.
  std::vector<std::uint8_t> smoothing;
  bool clustered = false;  ///< soft solid: `skin` follows the clusters, relative to the centre of mass at
                           ///< rest
  float radius = 0.0f;     ///< m, of the balls of grains and solids; 0 for other objects
  std::vector<glm::vec3> colors;  ///< linear RGB per grain; empty for other objects
  bool fluid = false;
  float opacity = 0.0f;    ///< of a fluid: 0 clear, 1 like paint
  float jet_speed = 0.0f;  ///< m/s, of a fluid emitted over the whole nozzle; 0 for other objects
  Index jet_layer = 0;     ///< particles emitted side by side, in the same order each time
  RodModel rod;
  glm::vec3 color, back_color;
  Pattern pattern = Pattern::plain;
};

/// Rigid bodies of one name. All copies share their parts.
struct BodyModel {
  std::string name;
  Index first = 0, count = 0;                          ///< bodies
  std::vector<BodyPart> parts;                         ///< in the body's own frame
  std::vector<std::shared_ptr<const TriMesh>> meshes;  ///< per part; null: the part is no hull
  std::vector<glm::vec3> colors;                       ///< linear RGB, per body
  Look look = Look::plain;
  bool added = false;                                  ///< added while the scene ran, so the scene file has
                                                       ///< no such body
};

/// The parts of the scene that do not change while it runs. A tear makes a new model of the same version: it
/// adds vertices and changes triangles, but all vertices keep their ids. Adding or removing a body also makes
/// one; bodies of the scene file come first, in its order.
struct SceneModel {
  std::uint64_t version = 0;  ///< unique per build
  Index vertex_count = 0;
  bool heated = false;       ///< particles have temperatures
  bool warm_bodies = false;  ///< bodies of the scene do
  std::vector<ObjectModel> objects;
  /// Per vertex that a tear made (the last vertices): the vertex of the mesh as built from which it was
  /// split.
  std::vector<Index> split_from;
  std::vector<ColliderDesc> colliders;
  std::vector<BodyModel> bodies;
  std::vector<JointDesc> joints;
  std::vector<std::shared_ptr<const TriMesh>>
      collider_meshes;  ///< per collider, m in its own frame; null: no mesh
  std::vector<std::shared_ptr<const PoseSequence>> collider_poses;  ///< per collider; null: rigid
  std::vector<std::string> facts;  ///< about an object, without fault: "beam: 900 tetrahedra ..."
  std::vector<std::string> notes;  ///< changes that the reader made to a mesh: "12 unused vertices dropped"
};

}  // namespace limber
