// The part of BodyContacts before its broad phase: boxes of shapes and colliders, extended by their motion in
// the frame.
#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/contact/bodies/body_contacts.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

// rad; with this rotation no point moves farther than twice its distance from the axis.
constexpr real most_frame_turn = 2;

/// The box extended by the displacement `shift`, and by `more` on all sides.
Bounds swept(const Bounds& box, const vec3& shift, real more) {
  return {glm::min(box.low, box.low + shift) - more, glm::max(box.high, box.high + shift) + more};
}

Bounds box_of(const Placed& at, const Bounds& own) {
  const vec3 center = at.position + at.rotation * (real(0.5) * (own.low + own.high));
  const vec3 half = real(0.5) * (own.high - own.low);
  vec3 reach(0);
  for (int k = 0; k < 3; ++k) reach += glm::abs(at.rotation[k]) * half[k];
  return {center - reach, center + reach};
}

}  // namespace

BodyContacts::Obstacle BodyContacts::obstacle_of(const Bounds& own) {
  return {own, glm::length(glm::max(glm::abs(own.low), glm::abs(own.high)))};
}

void BodyContacts::place_boxes(const World& world, real dt, const StaticContacts& statics, const Team& team) {
  const Bodies& bodies = world.bodies;
  const auto& shapes = world.bodies.parts->shapes;
  const vec3 fall = dt * dt * vec3(world.settings.solver.motion->gravity);
  const Share mine = team.share(std::int64_t(shapes.size()), 16);
  for (std::int64_t k = mine.begin; k < mine.end; ++k) {
    const std::size_t s = std::size_t(k), i = std::size_t(shapes[s].body);
    places_[s] = placed(shapes[s], bodies);
    const bool movable = bodies.position[i].w > real(0), active = takes_part(world, i);
    const real turn = glm::length(angular_velocity(bodies, i)) * dt;
    motions_[s] = {active ? dt * vec3(bodies.velocity[i]) + fall : vec3(0),
                   std::min(turn, most_frame_turn) * shapes[s].reach, active ? fall : vec3(0)};
    boxes_[s] = {};
    boxes_[s].box = swept(bounds(shapes[s].shape, places_[s]), motions_[s].shift,
                          motions_[s].turn + margin_share_ * shapes[s].reach);
    boxes_[s].owner = shapes[s].body;
    boxes_[s].movable = movable;
    boxes_[s].active = active;
  }
  if (team.rank() == 0) place_colliders(world, statics);
}

/// Computes the boxes of colliders, extended by their motion in the frame. Serial.
void BodyContacts::place_colliders(const World& world, const StaticContacts& statics) {
  const std::size_t shapes = world.bodies.parts->shapes.size();
  for (std::size_t c = 0; c < world.colliders.size(); ++c) {
    const Collider& collider = world.colliders[c];
    PairBox& box = boxes_[shapes + c];
    Motion& motion = motions_[shapes + c];
    box = {};
    box.owner = -1;
    box.movable = false;
    box.active = statics.disturbs(c);
    motion = {};
    if (const PosedSurface* surface = statics.surface(c)) {
      obstacles_[c] = obstacle_of(surface->bounds());
      motion.turn = surface->farthest();
    }
    for (int s = 0; s < world.settings.solver.step->substeps; ++s)
      if (const StaticContacts::Pose* pose = statics.pose(world, s, c)) {
        motion.shift += pose->shift;
        const vec4 q = quaternion_of(glm::dmat3(pose->rotation_in_substep()));
        motion.turn += 2 * glm::length(vec3(q)) * obstacles_[c].reach;
      }
    if (collider.shape == ColliderShape::plane) {
      box.plane = true;
      box.box.low = collider.rotation[1];
      box.offset = glm::dot(collider.rotation[1], collider.position) + glm::length(motion.shift);
    } else {
      box.box =
          swept(box_of({collider.position, collider.rotation}, obstacles_[c].own), motion.shift, motion.turn);
    }
  }
}

}}  // namespace limber::LIMBER_PRECISION
