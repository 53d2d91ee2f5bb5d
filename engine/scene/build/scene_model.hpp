// Public model of a built scene: objects by external vertex id. Independent of the precision.
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

/// A piece of a broken rod: consecutive segments and the points that they join.
struct RodPiece {
  Index first_segment = 0;
  std::vector<Index> points;  ///< external ids; one more than segments, equally many for a closed ring
  bool closed = false;
};

/// A rod: its thickness and its segments.
struct RodModel {
  Index first_segment = 0, segments = 0;  ///< numbers over all rods of the scene; segments 0: the object is
                                          ///< no rod
  float radius = 0.0f, flatness = 1.0f;   ///< m, half the height of the cross section; width / height
  bool closed = false;
  Index strand = 0;              ///< segments of each of several equal rods; 0: one rod
  std::vector<RodPiece> pieces;  ///< if the rod has broken; else empty
};

/// Public model of an object. All indices are external vertex ids.
struct ObjectModel {
  std::string name;
  Index source = 0;  ///< object in the scene's list, of which this is one copy
  Index first_vertex = 0;
  Index vertex_count = 0;
  std::vector<Triangle> triangles;
  std::vector<std::array<Index, 2>> springs;  ///< drawn as lines if the object has no triangles
  std::vector<glm::vec2> uvs;                 ///< one per vertex of this object, or empty
  std::shared_ptr<const TriMesh> shape;       ///< m, from the centre of mass: surface of a rigid solid; else
                                              ///< null
  std::vector<Tet> tets;                      ///< tetrahedra of a solid of tetrahedra
  Index inside_from = -1;  ///< first triangle of the surfaces that tears opened inside the object; -1: none
  std::shared_ptr<const TriMesh> skin;  ///< surface at rest that tetrahedra or clusters carry; drawn instead
                                        ///< of `triangles`
  std::vector<EmbeddedPoint> carried;   ///< per vertex of the skin: place in a tetrahedron
  Index first_skin_vertex = 0;          ///< number of the first vertex of `skin` in reading::Skins
  std::vector<ClusterBlend> blends;     ///< per vertex of the skin of a soft solid: cluster weights
  /// Per corner of the drawn triangles: smoothing group, see smoothing_groups(); empty: all 0.
  std::vector<std::uint8_t> smoothing;
  bool clustered = false;     ///< a soft solid: the clusters move `skin`, whose vertices are relative to the
                              ///< rest centre of mass
  bool has_clusters = false;  ///< its particles form overlapping clusters
  float radius = 0.0f;        ///< m, of the balls of grains and solids; 0 for other objects
  std::vector<glm::vec3> colors;  ///< linear RGB per grain; empty for other objects
  std::uint32_t fields = 0;       ///< bit by MaterialField: it has sources, or has been painted
  bool fluid = false;
  float opacity = 0.0f;    ///< opacity of a drawn fluid: 0 clear, 1 like paint
  float jet_speed = 0.0f;  ///< m/s, of a fluid whose emitter fills its whole mouth; 0 for other objects
  Index jet_layer = 0;     ///< particles of one layer of the emitter; their order is the same in each layer
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
  bool added = false;  ///< added while the scene ran: not in the scene file
};

/// Data for drawing and naming the parts of a scene. A tear makes a new model with the version of the old
/// one: vertices are added and triangles change, but all vertices keep their ids. Adding or removing a body
/// makes a new model too; bodies of the scene file come first, in its order.
struct SceneModel {
  std::uint64_t version = 0;  ///< unique per build
  Index vertex_count = 0;
  bool heated = false;       ///< particles have temperatures
  bool warm_bodies = false;  ///< bodies of the scene have temperatures
  std::vector<ObjectModel> objects;
  /// Per vertex that a tear added (these come last): the vertex of the mesh as built from which it was split.
  std::vector<Index> split_from;
  std::vector<ColliderDesc> colliders;
  std::vector<BodyModel> bodies;
  std::vector<JointDesc> joints;
  std::vector<std::shared_ptr<const TriMesh>>
      collider_meshes;  ///< per collider, m in its own frame; null: no mesh
  std::vector<std::shared_ptr<const PoseSequence>> collider_poses;  ///< per collider; null: rigid
  std::vector<std::string> facts;  ///< about an object, for the user: "beam: 900 tetrahedra ..."
  std::vector<std::string> notes;  ///< changes that the reader made to a mesh: "12 unused vertices dropped"
};

}  // namespace limber
