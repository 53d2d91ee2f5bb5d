// Where two convex solids touch, or nearly do: up to four points with one normal.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/core/real.hpp"
#include "engine/geometry/convex/convex_contact.hpp"
#include "engine/geometry/convex/convex_shape.hpp"
#include "engine/state/collider.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

class PosedSurface;

/// In the world; features are unique within a manifold.
using ContactPoint = ContactPointOf<real>;

/// Kept for a pair from frame to frame.
struct Manifold {
  vec3 normal{0, 1, 0};  ///< unit, from b to a
  int count = 0;
  ContactAxis axis = ContactAxis::unknown;
  ContactPoint points[4];

  /// m, of the deepest point; 0 where nothing overlaps.
  real depth() const {
    real deepest = 0;
    for (int k = 0; k < count; ++k) deepest = std::max(deepest, -points[k].separation);
    return deepest;
  }
};

/// Where the shapes are nearer than `reach` m: at most four points that hold the pair best, the deepest among
/// them. `manifold` is what this call left for the pair in the last frame, or a fresh one: its axis is tried
/// first, and a face that touched keeps its part while another direction is not clearly better, so that
/// bodies at rest keep their features. The normal is finite and of unit length for all finite arguments. No
/// allocation.
void collide(const ConvexShape& a, const Placed& at_a, const ConvexShape& b, const Placed& at_b, real reach,
             Manifold& manifold);

/// Makes the manifold of a ball and a solid with flat faces that are still apart the one at their impact, if
/// the ball goes on by `step` m against the solid in the frame: the normal is that of the entry, else of the
/// place where it comes nearest. The normal of the frame's start is another one beside an edge or a corner,
/// and its plane stops balls that would have passed.
void aim_ball(const ConvexShape& ball, const Placed& at_ball, const ConvexShape& solid,
              const Placed& at_solid, const vec3& step, Manifold& manifold, bool ball_is_second);

/// The points at which the shapes are nearer than `reach` m along `normal`, unit, from b to a: those between
/// a face that looks along it and what faces that. False, with the manifold as it was, without such a face.
bool collide_along(const ConvexShape& a, const Placed& at_a, const ConvexShape& b, const Placed& at_b,
                   const vec3& normal, real reach, Manifold& manifold);

/// A collider that is neither a plane nor a mesh.
ConvexShape convex_of(const Collider& collider);

/// The same against the half space dot(normal, x) <= offset, `normal` of unit length, in the place of b.
void collide_plane(const ConvexShape& a, const Placed& at_a, const vec3& normal, real offset, real reach,
                   Manifold& manifold);

/// One body and a mesh can touch in several places with different normals.
inline constexpr int field_manifolds_max = 4;

/// The same against a mesh collider's distance field in the place of b: points with like normals share a
/// manifold. Returns how many of `manifolds` (field_manifolds_max) were filled. Between a body's corners,
/// edges and face centres and a field's features it finds the deepest points by a few steps of descent, so a
/// spike of the mesh much narrower than the body's face can be missed.
int collide_field(const ConvexShape& a, const Placed& at_a, const Collider& mesh, real reach,
                  Manifold* manifolds);

/// The same against a surface that changes its shape, as it is at a frame's start, in a collider at `at`.
int collide_skin(const ConvexShape& a, const Placed& at_a, const PosedSurface& surface, const Placed& at,
                 real reach, Manifold* manifolds);

/// Makes the manifold of a ball, capsule or lying cylinder with a mesh the one with the plane along `normal`
/// through the highest of its points on the mesh; false, with the manifold as it was, for any other shape.
/// The point of a round shape that is beside an edge is not the one that comes to lie on the plane: it turns
/// into it, and would hold up what rolls.
bool roll_onto_plane(const ConvexShape& a, const Placed& at_a, const vec3& normal, real reach,
                     Manifold& manifold);

/// Against any collider of a scene in the place of b; returns how many of `manifolds` were filled. One that
/// changes its shape has nothing to meet here: see collide_skin().
int collide_collider(const ConvexShape& a, const Placed& at_a, const Collider& collider, real reach,
                     Manifold* manifolds);

}}  // namespace limber::LIMBER_PRECISION
