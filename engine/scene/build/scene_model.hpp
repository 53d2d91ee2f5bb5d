// What a built scene looks like from outside: objects by external vertex id. Precision-neutral.
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

/// A rod: its thickness, and which segments of the scene are its own.
struct RodModel {
  Index first_segment = 0, segments = 0;  ///< none: it is no rod
  float radius = 0.0f, flatness = 1.0f;   ///< m, half the height of its section; width / height
  bool closed = false;
  Index strand = 0;  ///< segments of each of several equal rods; 0: one rod
};

/// One object as the outside sees it. All indices are external vertex ids.
struct ObjectModel {
  std::string name;
  Index first_vertex = 0;
  Index vertex_count = 0;
  std::vector<Triangle> triangles;
  std::vector<std::array<Index, 2>> springs;  ///< drawn as lines where there are no triangles
  std::vector<glm::vec2> uvs;                 ///< one per vertex of this object, or empty
  std::shared_ptr<const TriMesh> shape;       ///< a solid's, m from its centre of mass; null: it is none
  std::vector<Tet> tets;                      ///< of a solid of tetrahedra
  Index inside_from = -1;  ///< triangles from here on are the inside that tears have opened; -1: none
  std::shared_ptr<const TriMesh> skin;  ///< what they carry and is drawn in place of `triangles`, at rest
  std::vector<EmbeddedPoint> carried;   ///< per vertex of the skin
  std::vector<ClusterBlend> blends;     ///< the same, of a soft solid: numbers of the scene's clusters
  /// Per corner of the drawn triangles: its group, of smoothing_groups(); empty: all 0.
  std::vector<std::uint8_t> smoothing;
  bool clustered = false;  ///< a soft solid: `skin` follows its clusters, at rest from its centre of mass
  float radius = 0.0f;     ///< m, of the balls that grains and solids consist of; else 0
  std::vector<glm::vec3> colors;  ///< linear RGB per grain; else empty
  bool fluid = false;
  float opacity = 0.0f;    ///< of a fluid: 0 clear, 1 like paint
  float jet_speed = 0.0f;  ///< m/s, that a fluid leaves the whole of its mouth with; else 0
  Index jet_layer = 0;     ///< particles that leave it side by side, in the same order each time
  RodModel rod;
  glm::vec3 color, back_color;
  Pattern pattern = Pattern::plain;
};

/// Rigid bodies of one name: the same parts for each.
struct BodyModel {
  std::string name;
  Index first = 0, count = 0;                          ///< bodies
  std::vector<BodyPart> parts;                         ///< in the body's own frame
  std::vector<std::shared_ptr<const TriMesh>> meshes;  ///< per part; null: no hull
  std::vector<glm::vec3> colors;                       ///< linear RGB, per body
  bool added = false;                                  ///< while the scene ran: no body of its file
};

/// What exists in the scene and does not change while it runs. A tear makes a new one of the same version:
/// it adds vertices and changes triangles, but all vertices keep their ids. So does a body that is added or
/// removed; bodies of the scene file come first, in its order.
struct SceneModel {
  std::uint64_t version = 0;  ///< unique per build
  Index vertex_count = 0;
  bool heated = false;  ///< particles have temperatures
  std::vector<ObjectModel> objects;
  /// Of the last vertices, which tears made: the one that each was part of, in the mesh as it was built.
  std::vector<Index> split_from;
  std::vector<ColliderDesc> colliders;
  std::vector<BodyModel> bodies;
  std::vector<JointDesc> joints;
  std::vector<std::shared_ptr<const TriMesh>>
      collider_meshes;  ///< per collider, m in its own frame; null: no mesh
  std::vector<std::shared_ptr<const PoseSequence>> collider_poses;  ///< the same; null: it keeps its shape
  std::vector<std::string> facts;  ///< about an object that is as it should be: "beam: 900 tetrahedra ..."
  std::vector<std::string> notes;  ///< what the reader did to a mesh: "12 unused vertices dropped"
};

}  // namespace limber
