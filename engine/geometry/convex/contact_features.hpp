// The faces, edges and corners at which solids touch, and the intersection of two of them.
#pragma once

#include "engine/geometry/convex/contact_point.hpp"
#include "engine/geometry/convex/convex_hull.hpp"
#include "engine/geometry/convex/convex_solid.hpp"
#include "engine/geometry/rigid_motion.hpp"

namespace limber {

/// A feature of a solid's core in the frame of a pair: a corner, an edge, a flat face, or a disc (cap of a
/// cylinder).
struct ContactFeature {
  int count = 0;  ///< number of corners: 1 for a corner, 2 for an edge, more for a face (counter-clockwise),
                  ///< 0 for a disc
  glm::dvec3 corners[hull_vertices_max];
  std::uint32_t names[hull_vertices_max];  ///< names of the corners, below 2^12
  int tip = 0;                             ///< index of the foremost corner of an edge
  HalfSpace plane;                         ///< of a face or a disc
  glm::dvec3 center{0.0};                  ///< m, of a disc
  glm::dvec3 first{0.0}, second{0.0};      ///< unit, in a disc's plane; `first` towards the other solid
  double disc_radius = 0.0;                ///< m
  double radius = 0.0;                     ///< m, rounding radius around the core

  bool is_disc() const { return count == 0; }
  bool is_face() const { return count == 0 || count > 2; }
  /// Point of the rim of a disc: +first, +second, -first, -second.
  glm::dvec3 rim(int quarter) const {
    const glm::dvec3& along = quarter % 2 ? second : first;
    return center + (quarter < 2 ? disc_radius : -disc_radius) * along;
  }
};

/// A solid with its placement in the frame of a pair.
struct PlacedSolid {
  ConvexSolid<double> solid;
  Placement at;
};

/// Finds the foremost feature of a solid in the direction `towards` (unit). Box and hull: among the faces
/// around the farthest corner, the one whose normal is nearest to `towards`. Capsule: the axis, or the tip in
/// front. Cylinder: a cap or, seen from the side, the line along it.
void facing_feature(const PlacedSolid& placed, const glm::dvec3& towards, ContactFeature& out);

/// Like facing_feature(), but without faces: the edge at the foremost corner that is perpendicular to
/// `towards` within 3 degrees, otherwise that corner.
void facing_edge(const PlacedSolid& placed, const glm::dvec3& towards, ContactFeature& out);

/// The edge of a face that starts at its corner i, in the form of facing_edge().
void edge_of_face(const ContactFeature& face, int i, const glm::dvec3& towards, ContactFeature& out);

/// Directions of edges and normals of faces around the foremost feature in the direction `towards`. The
/// direction of least overlap of two solids is one of these normals or a cross product of two edges, one of
/// each solid. A rim counts as the edge along its tangent.
struct FeatureDirections {
  static constexpr int most = 24;  ///< most edges, and most faces; at a corner with more the first are taken
  int edges = 0, faces = 0;
  glm::dvec3 edge[most], face[most];
};
void directions_around(const PlacedSolid& placed, const glm::dvec3& towards, FeatureDirections& out);

/// Largest number of points of one pair of features.
inline constexpr int feature_points_max = 2 * int(hull_vertices_max) + 16;

/// Writes the points of `incident` over the face `reference`, and those of the face's outline over
/// `incident`, that are nearer than `reach` m. Returns their number. Separations are along the face's normal.
int clip_to_face(const ContactFeature& reference, const ContactFeature& incident, double reach,
                 ContactPointOf<double>* points);

/// Points of `incident` over a plane of the same frame that are nearer than `reach` m.
int clip_to_plane(const HalfSpace& plane, const ContactFeature& incident, double reach,
                  ContactPointOf<double>* points);

/// Result of meet_edges(): the number of points, and the distance (m) between the nearest points of the edges
/// at the given separation. The distance is about 0 if the normal is that of these edges.
struct EdgeMeeting {
  int count;
  double miss;
  glm::dvec3 on_a, on_b;  ///< the nearest points of the two surfaces
};

/// Finds the points, one to three, in which two edges or corners are nearest; separations along `normal`,
/// unit, from b to a, the least one about `separation`. Two edges that run together share their common part.
EdgeMeeting meet_edges(const ContactFeature& a, const ContactFeature& b, const glm::dvec3& normal,
                       double separation, ContactPointOf<double>* points);

}  // namespace limber
