// Where something touches, for pictures. Precision-neutral.
#pragma once

#include <glm/vec3.hpp>

namespace limber {

struct ContactMark {
  glm::dvec3 point;   ///< m
  glm::dvec3 normal;  ///< unit, towards what is pushed; between surfaces either of the two
  bool surfaces;      ///< between two surfaces; else against a collider
};

}  // namespace limber
