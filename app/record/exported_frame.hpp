// A frame of a running scene for exporters: named parts with vertices, cells, velocities and fields.
#pragma once

#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/scene/build/scene_model.hpp"

namespace limber {

/// Values of a heat map.
struct ExportedField {
  std::string_view name, unit;
  std::vector<float> values;  ///< one per vertex; a single one for a rigid body
};

/// One copy of an object or body, or a collider. Indices count the vertices of the part. A part without
/// triangles, tetrahedra and lines consists of points.
struct ExportedPart {
  std::string name;
  glm::vec3 color{0.8f};  ///< linear RGB
  int edition = 0;        ///< changes whenever triangles, tetrahedra or lines do
  bool surface = false;   ///< a surface, even while it has no triangle
  std::vector<Triangle> triangles;
  std::vector<Tet> tets;
  std::vector<std::vector<Index>> lines;  ///< a closed line ends at its first vertex
  std::vector<glm::vec2> uvs;             ///< one per vertex, or empty
  float radius = 0.0f;                    ///< m, of points and lines; 0 for surfaces
  bool fluid = false;                     ///< points that appear and vanish

  std::shared_ptr<const TriMesh> rigid;                ///< m, in the body's own frame; null: the part deforms
  glm::vec3 place{0.0f};                               ///< m, of a rigid part
  glm::quat turn = glm::quat(1.0f, 0.0f, 0.0f, 0.0f);  ///< same sign as in the previous frame, as q and -q
                                                       ///< are one rotation

  std::vector<Index> ids;              ///< external id per vertex; empty for rigid parts, skins and spray
  std::vector<glm::dvec3> positions;   ///< m
  std::vector<glm::dvec3> velocities;  ///< m/s, one per vertex, or empty if the engine has none
  std::vector<ExportedField> fields;

  bool is_points() const { return !surface && triangles.empty() && tets.empty() && lines.empty(); }
  /// Whether the part has only tetrahedra, whose surface belongs to another part.
  bool is_inside() const { return triangles.empty() && !tets.empty(); }
};

/// Parts in this order: surfaces of vertices, rigid solids, rigid bodies, skins, surfaces of fluids,
/// tetrahedra under skins, curves and points, colliders, fluids, spray.
struct ExportedFrame {
  std::int64_t number = 0;
  double time = 0.0;  ///< s
  int edition = 0;    ///< changes whenever parts, triangles, tetrahedra or lines do
  std::vector<ExportedPart> parts;
  std::shared_ptr<const SceneModel> model;
  std::vector<glm::dvec3> vertices;  ///< m, by external id, including vertices of no part
};

}  // namespace limber
