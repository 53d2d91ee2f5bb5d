// A contact point, for pictures. Precision-neutral.
#pragma once

#include <glm/vec3.hpp>

namespace limber {

enum class ContactBetween {
  particle_and_collider,
  surfaces,
  particles,
  body_and_collider,
  bodies,
  particle_and_body
};

struct ContactMark {
  glm::dvec3 point;   ///< m
  glm::dvec3 normal;  ///< unit, towards the pushed object; towards either if both can move
  ContactBetween between;
};

}  // namespace limber
