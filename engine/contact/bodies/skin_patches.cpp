#include "engine/contact/bodies/skin_patches.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/contact/bodies/body_contact.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Share of the points' largest moment. About an axis with a smaller moment the skin is assumed not to
/// rotate: two points do not determine the rotation about their line.
constexpr double least_moment = 1e-3;

struct RigidMotion3 {
  vec3 shift{0};  ///< m, displacement of the points' mean
  vec3 turn{0};   ///< rad, rotation vector
};

vec3 mean_of(const vec3* points, int count) {
  vec3 sum(0);
  for (int k = 0; k < count; ++k) sum += points[k];
  return sum / real(std::max(count, 1));
}

/// Least-squares fit of a rigid motion with a small rotation to the motion of `count` points.
RigidMotion3 nearest_motion(const vec3* from, const vec3* to, int count) {
  const vec3 before = mean_of(from, count), after = mean_of(to, count);
  glm::dmat3 moment(0.0);
  glm::dvec3 torque(0.0);
  double largest = 0.0;
  for (int k = 0; k < count; ++k) {
    const glm::dvec3 r(from[k] - before), d(to[k] - after - (from[k] - before));
    moment += glm::dmat3(glm::dot(r, r)) - glm::outerProduct(r, r);
    torque += glm::cross(r, d);
    largest += glm::dot(r, r);
  }
  if (!(largest > 0.0)) return {after - before, vec3(0)};
  moment += glm::dmat3(least_moment * largest);
  vec3 turn(glm::inverse(moment) * torque);
  if (const real angle = glm::length(turn); angle > most_turn) turn *= most_turn / angle;
  return {after - before, turn};
}

}  // namespace

std::int32_t SkinPatches::add(const World& world, const StaticContacts& statics, std::size_t c,
                              const Manifold& manifold) {
  const PosedSurface& surface = *statics.surface(c);
  const Collider& collider = world.colliders[c];
  Patch patch{.collider = c};
  for (int k = 0; k < manifold.count; ++k) {
    const vec3 local = (manifold.points[k].point - collider.position) * collider.rotation;
    const PosedSurface::Anchor anchor = surface.anchor(0, local, PosedSurface::anywhere);
    if (anchor.triangle < 0) continue;
    patch.anchor[patch.count] = anchor;
    patch.start[patch.count++] = collider.position + collider.rotation * surface.place_of(0, anchor);
  }
  std::copy(patch.start, patch.start + patch.count, patch.now);
  patch.center = mean_of(patch.start, patch.count);
  patches_.push_back(patch);
  return count() - 1;
}

void SkinPatches::begin_frame(vec4* rows) const {
  std::fill(rows, rows + body_rows * patches_.size(), vec4(0));
  for (std::size_t p = 0; p < patches_.size(); ++p) rows[body_rows * p + row_rotated] = vec4(0, 0, 0, 1);
}

void SkinPatches::move(const World& world, const StaticContacts& statics, int substep, vec4* rows) {
  for (Patch& patch : patches_) {
    const StaticContacts::Pose& pose = *statics.pose(world, substep, patch.collider);
    vec3 before[4];
    std::copy(patch.now, patch.now + patch.count, before);
    for (int k = 0; k < patch.count; ++k)
      patch.now[k] = pose.position + pose.rotation * pose.surface->place_of(pose.moment, patch.anchor[k]);
    const RigidMotion3 motion = nearest_motion(before, patch.now, patch.count);
    rows[row_shift] = vec4(motion.shift, real(0));
    rows[row_turn] = vec4(motion.turn, real(0));
    rows += body_rows;
  }
}

void SkinPatches::finish(vec4* rows) const {
  for (const Patch& patch : patches_) {
    const RigidMotion3 motion = nearest_motion(patch.start, patch.now, patch.count);
    rows[row_moved] = vec4(motion.shift, real(0));
    rows[row_rotated] = turn_quaternion(motion.turn);
    rows += body_rows;
  }
}

}}  // namespace limber::LIMBER_PRECISION
