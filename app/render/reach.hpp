// Measures the reach of point sets towards the sides of a picture.
#pragma once

#include <array>
#include <glm/mat4x4.hpp>

#include "app/render/camera.hpp"

namespace limber {

/// Accumulates the Reach of points and solids from `origin`, for the direction of one camera and the shape of
/// one area.
class ReachMeter {
 public:
  ReachMeter(const Camera& camera, const OpenArea& area, glm::vec3 origin);

  void add(glm::vec3 point);
  void add_ball(glm::vec3 centre, float radius);
  void add_box(glm::vec3 low, glm::vec3 high);    ///< sides along the world axes
  void add_cube(const glm::mat4& transform);      ///< the cube [-1, 1]^3 transformed
  void add_cylinder(const glm::mat4& transform);  ///< a cylinder of radius and half length 1, axis y,
                                                  ///< transformed

  const Reach& reach() const { return reach_; }

 private:
  void add_support(glm::vec3 centre, const std::array<float, 5>& beyond);

  glm::vec3 origin_;
  std::array<glm::vec3, 5>
      normals_;  ///< of the four sides (right, left, top, bottom), and towards the camera
  Reach reach_;
};

/// The smallest reach that contains both.
Reach united(const Reach& a, const Reach& b);

/// Linear interpolation from `a` to `b`.
Reach between(const Reach& a, const Reach& b, float share);

/// The largest share of the way from `subject` to `all` (which contains it) at which a fitted camera still
/// fills at least `least` of the area's width or height with the subject. The origin of the reaches must be
/// in the middle of the subject.
float largest_share(const Reach& subject, const Reach& all, glm::vec2 slopes, float least);

}  // namespace limber
