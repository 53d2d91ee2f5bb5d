#include "engine/contact/bodies/manifold.hpp"

#include <algorithm>

#include "engine/contact/bodies/box_manifold.hpp"
#include "engine/geometry/convex/convex_contact.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr real same_plane_normal = real(0.999999);  // cosine
constexpr int impact_steps = 20;                    // bisections of the ball's path in a frame

ConvexSolid<double> in_double(const ConvexShape& shape) {
  return {shape.kind, glm::dvec3(shape.size), shape.hull};
}

/// `at` in the coordinates of `frame`.
Placement relative(const Placed& at, const Placed& frame) {
  const glm::dmat3 R(frame.rotation);
  return {(glm::dvec3(at.position) - glm::dvec3(frame.position)) * R,
          glm::transpose(R) * glm::dmat3(at.rotation)};
}

/// A sphere against any shape: exact, one point.
void collide_sphere(const ConvexShape& ball, const Placed& at_ball, const ConvexShape& other,
                    const Placed& at_other, real reach, Manifold& manifold) {
  const real radius = ball.size.x;
  const SurfaceDistance<real> near = surface_distance(other, at_other, at_ball.position);
  manifold.normal = near.n;
  manifold.axis = ContactAxis::direction;
  const real separation = near.d - radius;
  manifold.count = separation <= reach ? 1 : 0;
  manifold.points[0] = {at_ball.position - (radius + real(0.5) * separation) * near.n, separation, 0};
}

void to_world(const ContactPatch& patch, const Placed& frame, Manifold& manifold) {
  manifold.normal = frame.rotation * vec3(patch.normal);
  manifold.axis = patch.axis;
  manifold.count = patch.count;
  for (int i = 0; i < patch.count; ++i) {
    const ContactPointOf<double>& p = patch.points[i];
    manifold.points[i] = {frame.position + frame.rotation * vec3(p.point), real(p.separation), p.feature};
  }
}

}  // namespace

void collide(const ConvexShape& a, const Placed& at_a, const ConvexShape& b, const Placed& at_b, real reach,
             Manifold& manifold) {
  if (a.kind == ConvexKind::sphere) return collide_sphere(a, at_a, b, at_b, reach, manifold);
  if (b.kind == ConvexKind::sphere) {
    collide_sphere(b, at_b, a, at_a, reach, manifold);
    manifold.normal = -manifold.normal;
    return;
  }
  if (a.kind == ConvexKind::box && b.kind == ConvexKind::box &&
      collide_boxes(a.size, at_a, b.size, at_b, reach, manifold))
    return;
  ContactPatch patch;
  patch.axis = manifold.axis;
  patch.normal = glm::dvec3(manifold.normal) * glm::dmat3(at_a.rotation);
  convex_contact(in_double(a), in_double(b), relative(at_b, at_a), double(reach), patch);
  to_world(patch, at_a, manifold);
}

void aim_ball(const ConvexShape& ball, const Placed& at_ball, const ConvexShape& solid,
              const Placed& at_solid, const vec3& step, Manifold& manifold, bool ball_is_second) {
  const real sign = ball_is_second ? real(-1) : real(1), radius = ball.size.x;
  ContactPoint& point = manifold.points[0];
  if (manifold.count != 1 || !(point.separation > real(0))) return;
  if (!(glm::dot(manifold.normal, step) * sign < real(0))) return;
  const auto at = [&](real t) { return surface_distance(solid, at_solid, at_ball.position + t * step); };
  const SurfaceDistance<real> end = at(real(1));
  if (glm::dot(end.n, manifold.normal) * sign > same_plane_normal) return;  // over a face
  // Along the path the distance to a convex solid is a convex function: it falls up to its minimum.
  const auto goes_on = [&](const SurfaceDistance<real>& there) {
    return there.d > radius && glm::dot(there.n, step) < real(0);
  };
  SurfaceDistance<real> found = end;
  real t = 1;
  if (!goes_on(end)) {
    real before = 0;
    for (int k = 0; k < impact_steps; ++k) {
      const real middle = real(0.5) * (before + t);
      const SurfaceDistance<real> there = at(middle);
      if (goes_on(there))
        before = middle;
      else
        t = middle, found = there;
    }
  }
  // m, at the start along that normal.
  const real separation = found.d - radius - t * glm::dot(found.n, step);
  if (!(separation > real(0))) return;
  manifold.normal = sign * found.n;
  point.separation = separation;
  point.point = at_ball.position - (radius + real(0.5) * separation) * found.n;
}

bool collide_along(const ConvexShape& a, const Placed& at_a, const ConvexShape& b, const Placed& at_b,
                   const vec3& normal, real reach, Manifold& manifold) {
  ContactPatch patch;
  patch.normal = glm::dvec3(normal) * glm::dmat3(at_a.rotation);
  if (!contact_along(in_double(a), in_double(b), relative(at_b, at_a), double(reach), patch)) return false;
  to_world(patch, at_a, manifold);
  return true;
}

void collide_plane(const ConvexShape& a, const Placed& at_a, const vec3& normal, real offset, real reach,
                   Manifold& manifold) {
  // Relative to the body's own position, where numbers are small.
  const glm::dvec3 n(normal);
  const HalfSpace plane{n, double(offset) - glm::dot(n, glm::dvec3(at_a.position))};
  ContactPatch patch;
  plane_contact(in_double(a), {glm::dvec3(0.0), glm::dmat3(at_a.rotation)}, plane, double(reach), patch);
  to_world(patch, {at_a.position, mat3(1)}, manifold);
}

}}  // namespace limber::LIMBER_PRECISION
