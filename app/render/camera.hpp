// An orbit camera: rotates about a target, pans across the view, zooms towards a point.
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

namespace limber {

/// A ray in world space; `direction` is unit.
struct Ray {
  glm::vec3 origin, direction;
};

/// The part of a picture that no panel covers, px, y down.
struct OpenArea {
  glm::vec2 picture{1.0f};
  glm::vec2 corner{0.0f}, size{1.0f};
};

/// Maxima over a set of points, m, by which a camera fits the set into an area of the picture. Coordinates
/// are relative to an origin: x right, y up, z towards the camera. A camera at the distance d that looks at
/// the origin has a point within the sides if |x| + z t.x <= d s.x and |y| + z t.y <= d s.y, with s =
/// slopes() and t = s, or t = 0 for parallel rays. Interpolating two reaches linearly gives that of the sets
/// interpolated point by point.
struct Reach {
  glm::vec2 above{-1e30f};  ///< maxima of x + z t and y + z t: right and upper side
  glm::vec2 below{-1e30f};  ///< maxima of z t - x and z t - y: left and lower side
  float nearest = -1e30f;   ///< maximum of z
  bool empty() const { return above.x < -1e29f; }
};

struct Camera {
  static constexpr float fit_margin = 1.08f;  ///< distance of a fitted camera relative to the smallest
                                              ///< possible one

  glm::vec3 target{0.0f, 0.8f, 0.0f};  ///< m
  float distance = 5.0f;               ///< m
  float yaw = 0.0f;                    ///< rad about +y; 0 looks along -z
  float pitch = 0.3f;                  ///< rad above the horizon, kept within +-1.55
  float fov = 0.7f;                    ///< rad, vertical
  bool orthographic = false;           ///< parallel rays; at the target's depth as large as in perspective
  glm::vec2 middle{0.0f};              ///< place of the target in the picture: [-1, 1], y up

  friend bool operator==(const Camera&, const Camera&) = default;

  static Camera looking(glm::vec3 from, glm::vec3 at, float fov);

  /// Looks along an axis, orthographically. Target and distance stay.
  enum class Side { front, right, top };
  void look_from(Side side);

  glm::vec3 position() const;
  glm::vec3 forward() const;  ///< unit
  glm::mat4 view() const;
  glm::mat4 projection(float aspect) const;

  /// The ray through a pixel. Pixel coordinates have their origin at the top left of a width x height
  /// picture.
  Ray ray(glm::vec2 pixel, glm::vec2 size) const;

  /// The eye position from which `point` is seen: the camera's position or, in an orthographic picture, a
  /// point straight back from `point` along the view.
  glm::vec3 seen_from(glm::vec3 point) const;
  glm::vec3 project(glm::vec3 world, glm::vec2 size) const;  ///< pixel x, y, and depth along the view, m

  void orbit(glm::vec2 delta_px, glm::vec2 size);
  void pan(glm::vec2 delta_px, glm::vec2 size);
  void zoom(float notches, glm::vec2 pixel, glm::vec2 size);  ///< towards the point under the cursor

  /// Keeps target and position above a floor at `height` m: lifts the target, or turns the view down.
  void stay_above(float height);

  /// Moves the eye across the view by `shift`, m. The plane of the target keeps its place in the picture.
  void step_aside(glm::vec2 shift, int width, int height);

  void stand_in(const OpenArea& area);  ///< shows the target in the middle of the area; changes nothing else

  /// Fits the box into the area as closely as the view direction permits.
  void frame(glm::vec3 bounds_min, glm::vec3 bounds_max, const OpenArea& area);

  /// Fits a set of the given reach from `origin` into the area. The target is placed at the depth of
  /// `origin`.
  void frame(const Reach& reach, glm::vec3 origin, const OpenArea& area);

  /// Distance from the target, m, at which the box is inside the area.
  float distance_for(glm::vec3 bounds_min, glm::vec3 bounds_max, const OpenArea& area) const;

  /// For cameras that were placed for a 16:9 picture without panels: moves back until the box fits into the
  /// area, but at most until the area shows what a 16:9 picture shows from the present distance. Never moves
  /// closer.
  void reveal(glm::vec3 bounds_min, glm::vec3 bounds_max, const OpenArea& area);
};

/// Tangents of the angles from the target's direction to the area's edges, across and up.
glm::vec2 slopes(const Camera& camera, const OpenArea& area);

}  // namespace limber
