// Contact points of a vertex, an edge or a triangle of a deformable with a convex shape: the narrow phase
// between particles and rigid bodies.
//
// All coordinates are relative to the body at the substep's start: points are at x and move by `step`
// relative to it. The signed distance to a convex shape is a convex function. The deepest contact point of an
// edge is therefore where the slope of the distance changes sign, and Newton's iteration never overshoots on
// a path.
#pragma once

#include <cstdint>

#include "engine/geometry/convex/convex_shape.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A contact point of a deformable, and the point of the body nearest to it.
struct FeaturePoint {
  real weight[3] = {1, 0, 0};  ///< weights of the feature's points
  vec3 normal{0, 1, 0};        ///< unit, from the body to the deformable
  vec3 point{0};               ///< m, point of the body
  real start = 0;              ///< m, distance of the two points at the substep's start; negative: inside
};

/// Distances within which contact points are made: the distance to be kept, and a margin beyond it.
struct PointReach {
  real thickness;  ///< m, distance to be kept
  real margin;     ///< m, further distance, because constraints can pull points together
};

/// Whether an edge or a triangle with sides of at most `longest` m stays at least two thirds of `thickness`
/// away from the shape if its corners stay `thickness` away; then only its corners need contacts. No point of
/// a triangle with sides of at most L is farther than L / sqrt(3) from its nearest corner. If the corners are
/// at R + t from the centre of a sphere, the point is at least sqrt((R + t)^2 - L^2 / 3) from it.
bool corners_suffice(const ConvexShape& shape, real longest, real thickness);

/// Contact point of a vertex on its path; false if it is out of reach.
bool vertex_point(const ConvexShape& shape, const Placed& at, const vec3& x, const vec3& step,
                  const PointReach& reach, FeaturePoint& out);

/// Contact points inside an edge: the points nearest to the shape at the time when the edge first comes near.
/// Returns their number: two if the edge lies along the surface, none if an end is nearest (vertices have
/// contacts of their own).
int edge_points(const ConvexShape& shape, const Placed& at, const vec3 (&x)[2], const vec3 (&step)[2],
                const PointReach& reach, FeaturePoint (&out)[2]);

/// m, lower bound of the distance between the shape and the edge from a to b.
real least_distance_of_edge(const ConvexShape& shape, const Placed& at, const vec3& a, const vec3& b);

/// Number of points of a shape that can poke through a triangle: corners, centres of round ends, points of
/// rims.
std::int32_t corner_count(const ConvexShape& shape);

/// Position of corner `k`, and the radius of the shape around it. For the rim of a cylinder this is the point
/// of the rim that lies farthest in the direction `towards`.
struct Corner {
  vec3 place;   ///< m
  real radius;  ///< m
};
Corner corner_of(const ConvexShape& shape, const Placed& at, std::int32_t k, const vec3& towards);

/// m, distance from the corner to the triangle; for the rims of a cylinder a lower bound for any point of the
/// rim.
real distance_of_corner(const ConvexShape& shape, const Placed& at, std::int32_t k, const vec3 (&x)[3]);

/// The contact point of a triangle at a corner of the shape; false: out of reach, or no such point inside the
/// triangle.
bool corner_point(const ConvexShape& shape, const Placed& at, std::int32_t k, const vec3 (&x)[3],
                  const vec3 (&step)[3], const PointReach& reach, FeaturePoint& out);

}}  // namespace limber::LIMBER_PRECISION
