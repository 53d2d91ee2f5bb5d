// A moving camera: a smooth curve through keys, turned about its target, that can follow an object.
#pragma once

#include <glm/vec3.hpp>
#include <vector>

namespace limber {

/// Position, target and field of view of the camera at one time of a film.
struct CameraStand {
  glm::dvec3 position{2.5, 1.8, 4.0};  ///< m
  glm::dvec3 target{0.0, 0.8, 0.0};    ///< m
  double fov_degrees = 40.0;           ///< vertical
};

struct CameraKey : CameraStand {
  double time = 0.0;  ///< s of the film
  bool ease = false;  ///< the camera comes to rest here
};

/// Cubic Hermite curve through the keys. The velocity at an inner key is that of the parabola through the key
/// and its two neighbours (Catmull-Rom for keys at arbitrary times); at the first and last key it is that of
/// the parabola's end. A key that eases has velocity zero, and so has a key with an equal neighbour: that is
/// a pause. Before the first key and after the last one the camera is at rest.
class CameraPath {
 public:
  /// `keys`: at least one, with ascending times.
  explicit CameraPath(std::vector<CameraKey> keys);

  CameraStand at(double time) const;

 private:
  /// Position, target and field of view as seven numbers.
  struct Numbers {
    glm::dvec3 position{0.0}, target{0.0};
    double fov = 0.0;
  };
  static Numbers slope(const CameraKey& from, const CameraKey& to);

  std::vector<CameraKey> keys_;
  std::vector<Numbers> velocities_;  ///< per key, 1/s
};

/// Turns the camera about the vertical axis through its target. A positive angle goes from +z towards +x.
CameraStand turned(CameraStand stand, double radians);

}  // namespace limber
