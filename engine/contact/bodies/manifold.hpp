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

/// Contact points of a pair, kept from frame to frame.
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

/// Finds the contact points of two convex shapes that are nearer than `reach` m: at most four, among them the
/// deepest, chosen to support the pair best. `manifold` must be the result of the last frame for this pair,
/// or a new one. Its axis is tried first, and its face remains the reference face unless another direction is
/// clearly better, so that bodies at rest keep their features. The normal is finite and of unit length for
/// all finite arguments. No allocation.
void collide(const ConvexShape& a, const Placed& at_a, const ConvexShape& b, const Placed& at_b, real reach,
             Manifold& manifold);

/// Replaces the manifold of a ball and a solid with flat faces, which are still apart, by the manifold at
/// their impact. `step` (m) is the ball's motion relative to the solid in the frame. The normal is taken at
/// the impact, or at the point of closest approach if they do not meet. With the normal at the start of the
/// frame, the contact plane beside an edge or a corner would stop balls that pass.
void aim_ball(const ConvexShape& ball, const Placed& at_ball, const ConvexShape& solid,
              const Placed& at_solid, const vec3& step, Manifold& manifold, bool ball_is_second);

/// Finds the points at which the shapes are nearer than `reach` m along `normal`, a unit vector from b to a.
/// One of the two features must be a face whose normal is about parallel to `normal`; otherwise returns false
/// and leaves the manifold unchanged.
bool collide_along(const ConvexShape& a, const Placed& at_a, const ConvexShape& b, const Placed& at_b,
                   const vec3& normal, real reach, Manifold& manifold);

/// The convex shape of a collider that is neither a plane nor a mesh.
ConvexShape convex_of(const Collider& collider);

/// Like collide(), with the half space dot(normal, x) <= offset in place of b; `normal` is of unit length.
void collide_plane(const ConvexShape& a, const Placed& at_a, const vec3& normal, real offset, real reach,
                   Manifold& manifold);

/// Maximum number of manifolds of one body and one mesh, which can touch in several places with different
/// normals.
inline constexpr int field_manifolds_max = 4;

/// Like collide(), with the distance field of a mesh collider in place of b. Points with similar normals
/// share a manifold. Returns how many of `manifolds` (field_manifolds_max) were filled. The deepest points
/// are found by a few steps of descent that start from the body's corners, edges and face centres, so a spike
/// of the mesh that is much narrower than the body's face can be missed.
int collide_field(const ConvexShape& a, const Placed& at_a, const Collider& mesh, real reach,
                  Manifold* manifolds);

/// Like collide_field(), against a surface that changes its shape, as placed at the frame's start in a
/// collider at `at`.
int collide_skin(const ConvexShape& a, const Placed& at_a, const PosedSurface& surface, const Placed& at,
                 real reach, Manifold* manifolds);

/// Replaces the manifold of a ball, capsule or lying cylinder with a mesh by its manifold with a plane: along
/// `normal`, through the highest of its contact points on the mesh. Returns false, with the manifold
/// unchanged, for any other shape. Reason: beside an edge of the mesh, a round shape does not roll onto the
/// plane with the point that is nearest to the mesh; a contact there would stop the roll.
bool roll_onto_plane(const ConvexShape& a, const Placed& at_a, const vec3& normal, real reach,
                     Manifold& manifold);

/// Like collide(), with any collider of a scene in place of b; returns how many of `manifolds` were filled.
/// Ignores colliders that change their shape: see collide_skin().
int collide_collider(const ConvexShape& a, const Placed& at_a, const Collider& collider, real reach,
                     Manifold* manifolds);

}}  // namespace limber::LIMBER_PRECISION
