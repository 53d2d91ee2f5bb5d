// Geometry of an object of a scene, in double. build/ turns it into particles and constraints of the World,
// in float or double.
#pragma once

#include <glm/vec4.hpp>
#include <memory>
#include <span>
#include <vector>

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/expected.hpp"
#include "engine/geometry/clusters/overlapping_clusters.hpp"
#include "engine/geometry/clusters/point_binding.hpp"
#include "engine/geometry/mesh/enclosure.hpp"
#include "engine/geometry/mesh/topology.hpp"
#include "engine/geometry/rods/rod_section.hpp"
#include "engine/geometry/tets/tet_embedding.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber {

struct SpringGeometry {
  Edge vertices;
  double rest_length;             ///< m
  double compliance_scale = 1.0;  ///< 1/k for cloth, see SheetWeights
};
struct HingeGeometry {
  Hinge vertices;
  double rest_angle;        ///< rad
  double compliance_scale;  ///< 1/w, see SheetWeights: U = B/2 w (theta - theta0)^2
};

/// Constraints of one type between the vertices of an object.
template <class Type>
struct StencilGeometry {
  std::vector<std::array<Index, Type::arity>> vertices;
  std::vector<std::array<double, Type::rest_count>> rest;
  std::vector<double> compliance_scale;
};

/// A rod: its frames (orientations), segments and joints. Frame i belongs to segment i; behind these are the
/// frames of holds.
struct RodGeometry {
  struct Segment {
    std::array<Index, 2> points;
    double length;  ///< m, at rest
  };
  struct Joint {
    std::array<Index, 2> frames;
    double length;    ///< m, rest length between the middles of the two segments; half a segment at a hold
    glm::dvec3 rest;  ///< rad, rotation vector from the first frame to the second
  };
  /// A clamp: `frame` is held at the fixed point `point`.
  struct Hold {
    Index frame, point;
    double spin;  ///< rad/s, about the third axis of the frame
  };
  std::vector<glm::dvec4> frames;  ///< unit quaternions {x, y, z, w}
  std::vector<Segment> segments;
  std::vector<Joint> joints;
  std::vector<Hold> holds;
  RodSection section{};
  double radius = 0.0, flatness = 1.0;  ///< m
  bool closed = false;
  bool only_pulls = false;  ///< a rope: no joints, and its segments resist only stretch
  Index strand = 0;  ///< segments per rod if there are several equal ones, one after another; 0: one rod
};

/// One copy of an object, in its own frame. Vertices of a mesh are in the order of its file.
struct ObjectGeometry {
  std::vector<glm::dvec3> positions;   ///< m
  std::vector<glm::dvec3> starts;      ///< m, start positions; empty: `positions`
  std::vector<glm::dvec3> velocities;  ///< m/s, added to the velocity of the object; empty: none
  std::vector<glm::dvec2> uvs;         ///< per vertex, or empty
  std::vector<glm::dvec3> colors;      ///< vertex colours of the mesh, 0 to 1, or empty
  std::vector<double> masses;          ///< kg; 0: fixed
  std::vector<Triangle> triangles;
  Enclosure enclosure;             ///< volume 0 unless the triangles are a closed surface
  std::vector<glm::dvec4> fields;  ///< per particle of a solid: unit gradient and value (m) of the
                                   ///< mesh's distance; else empty
  /// m, of a solid with `fields`: particles nearer than this to the outermost one belong to the vertex name
  /// of that side ("left").
  double layer = 0.0;
  std::shared_ptr<const TriMesh> shape;  ///< m, the mesh of a solid with `fields`
  glm::dvec3 center{0.0};                ///< m, centre of mass of a solid with `fields`
  std::vector<Tet> tets;
  std::shared_ptr<const TriMesh> skin;              ///< surface that `tets` carry, which is drawn; null: none
  std::vector<EmbeddedPoint> carried;               ///< per vertex of the skin
  std::vector<std::vector<std::int32_t>> clusters;  ///< vertices of each cluster of a soft solid; else empty
  double density = 0.0;                             ///< kg/m^3, of a soft solid; else 0
  std::vector<ClusterBlend> blends;                 ///< per vertex of its skin: cluster weights
  std::vector<PointBinding> bindings;               ///< per vertex of its skin: vertices that carry it
  RodGeometry rod;                                  ///< no segments: no rod
  std::vector<SpringGeometry> springs;
  std::vector<HingeGeometry> hinges;
  PerType<StencilGeometry> constraints;  ///< all except springs, hinges, tethers and those of `rod`
  /// Adds a constraint of type Type.
  template <class Type>
  void add(const std::array<Index, Type::arity>& vertices, const std::array<double, Type::rest_count>& rest,
           double compliance_scale = 1.0) {
    auto& list = std::get<StencilGeometry<Type>>(constraints);
    list.vertices.push_back(vertices);
    list.rest.push_back(rest);
    list.compliance_scale.push_back(compliance_scale);
  }
  std::vector<SpringGeometry> tethers;       ///< {free vertex, nearest fixed vertex}, if the object has
                                             ///< tethers
  std::vector<AttachmentDesc> attachments;   ///< including one for `pins`
  std::vector<std::vector<Index>> attached;  ///< vertex indices of each attachment
  std::vector<bool> tied;                    ///< per attachment: two-way, its vertices keep their mass and
                                             ///< are tied to a body
  bool fixes(std::size_t attachment) const { return attachment >= tied.size() || !tied[attachment]; }
  /// Per vertex of the welded mesh: its index here, after slivers were removed; empty: unchanged.
  std::vector<Index> numbers;
  /// Number of vertices that a scene file can name.
  std::size_t named_vertices() const { return numbers.empty() ? positions.size() : numbers.size(); }
  std::string facts;               ///< for the user: "900 tetrahedra ..."; "" for none
  std::vector<std::string> notes;  ///< changes that the mesh reader made
};

/// Scales the positions so that the longest side of their bounding box is `size`, m, and moves its centre to
/// the origin.
void normalise(std::vector<glm::dvec3>& positions, double size);

/// m, the longest side of the bounding box.
double longest_extent(std::span<const glm::dvec3> positions);

/// The error with the name of the file filled in, if it has none.
Error in_file(const std::string& file, Error error);

/// Builds one copy of `object`. Fails on a bad mesh or pin, with file and line.
Expected<ObjectGeometry> build_geometry(const SceneDesc& scene, const ObjectDesc& object);

}  // namespace limber
