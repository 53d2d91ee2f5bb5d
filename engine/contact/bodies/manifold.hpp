// Contact manifold of two convex shapes that touch or nearly touch: up to four points with one normal.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/core/real.hpp"
#include "engine/geometry/convex/convex_contact.hpp"
#include "engine/geometry/convex/convex_shape.hpp"
#include "engine/state/collider.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

class PosedSurface;

/// A contact point in world coordinates; features are unique within a manifold.
using ContactPoint = ContactPointOf<real>;

/// Kept for a pair from frame to frame.
struct Manifold {
  vec3 normal{0, 1, 0};  ///< unit, from b to a
  int count = 0;
  ContactAxis axis = ContactAxis::unknown;
  ContactPoint points[4];

  /// m, penetration at the deepest point; 0 where nothing overlaps.
  real depth() const {
    real deepest = 0;
    for (int k = 0; k < count; ++k) deepest = std::max(deepest, -points[k].separation);
    return deepest;
  }
};

/// Finds the contact points of two convex shapes that are nearer than `reach` m: at most four, chosen to hold
/// the pair best, the deepest among them. `manifold` is the result of the last frame for this pair, or a
/// fresh one: its axis is tried first, and a face that touched keeps its part while no other direction is
/// clearly better, so that bodies at rest keep their features. The normal is finite and of unit length for
/// all finite arguments. No allocation.
void collide(const ConvexShape& a, const Placed& at_a, const ConvexShape& b, const Placed& at_b, real reach,
             Manifold& manifold);

/// Replaces the manifold of a ball and a solid with flat faces that are still apart by the manifold at their
/// impact. `step` (m) is the ball's motion relative to the solid in the frame. The normal is that at the
/// entry, otherwise at the point of closest approach. Beside an edge or a corner the normal at the frame's
/// start differs from it, and its plane stops balls that would have passed.
void aim_ball(const ConvexShape& ball, const Placed& at_ball, const ConvexShape& solid,
              const Placed& at_solid, const vec3& step, Manifold& manifold, bool ball_is_second);

/// Finds the points at which the shapes are nearer than `reach` m along `normal`, a unit vector from b to a:
/// points between a face that looks along the normal and the features that oppose it. Returns false, with the
/// manifold unchanged, if no face looks along the normal.
bool collide_along(const ConvexShape& a, const Placed& at_a, const ConvexShape& b, const Placed& at_b,
                   const vec3& normal, real reach, Manifold& manifold);

/// The convex shape of a collider that is neither a plane nor a mesh.
ConvexShape convex_of(const Collider& collider);

/// Like collide(), with the half space dot(normal, x) <= offset in place of b; `normal` is of unit length.
void collide_plane(const ConvexShape& a, const Placed& at_a, const vec3& normal, real offset, real reach,
                   Manifold& manifold);

/// Most manifolds of one body and one mesh: they can touch in several places with different normals.
inline constexpr int field_manifolds_max = 4;

/// Like collide(), with the distance field of a mesh collider in place of b. Points with similar normals
/// share a manifold. Returns how many of `manifolds` (field_manifolds_max) were filled. Between a body's
/// corners, edges and face centres and a field's features the deepest points are found by a few steps of
/// descent, so a spike of the mesh much narrower than the body's face can be missed.
int collide_field(const ConvexShape& a, const Placed& at_a, const Collider& mesh, real reach,
                  Manifold* manifolds);

/// Like collide_field(), against a surface that changes its shape, as placed at the frame's start in a
/// collider at `at`.
int collide_skin(const ConvexShape& a, const Placed& at_a, const PosedSurface& surface, const Placed& at,
                 real reach, Manifold* manifolds);

/// Replaces the manifold of a ball, capsule or lying cylinder with a mesh by its manifold with a plane: along
/// `normal`, through the highest of its points on the mesh. Returns false, with the manifold unchanged, for
/// any other shape. A contact point beside an edge is not the point of a round shape that comes to lie on the
/// plane: the shape turns into it, and would be held up instead of rolling.
bool roll_onto_plane(const ConvexShape& a, const Placed& at_a, const vec3& normal, real reach,
                     Manifold& manifold);

/// Like collide(), with any collider of a scene in place of b; returns how many of `manifolds` were filled.
/// Ignores colliders that change their shape: see collide_skin().
int collide_collider(const ConvexShape& a, const Placed& at_a, const Collider& collider, real reach,
                     Manifold* manifolds);

}}  // namespace limber::LIMBER_PRECISION
