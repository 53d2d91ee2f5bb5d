// Pulls vertices and bodies with the mouse: presses, moves and releases become commands.
#pragma once

#include <glm/vec2.hpp>
#include <optional>

#include "app/lab/run_status.hpp"
#include "app/render/camera.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// The camera and window over which the mouse moves.
struct Viewpoint {
  const Camera& camera;
  glm::vec2 size;  ///< of the window, in the unit of cursor positions
};

/// Drags what the mouse has grabbed. The held point moves on the plane through the grabbed point that is
/// parallel to the picture, at a constant offset from the cursor, so that nothing jumps if the point is not
/// exactly under the cursor. Fluids and loose grains cannot be held by a vertex: on them the hand is a ball,
/// whose size in the picture stays the same.
class MouseDrag {
 public:
  /// Left button down: grabs the rigid body or the vertex under the cursor. With Shift, a pinned vertex is
  /// freed instead. With Ctrl, a vertex of a rod is held, and moving left or right twists the rod there.
  /// Returns none if there is nothing to grab; the press is then meant for the camera.
  std::optional<Command> press(const Publication& shown, const Viewpoint& view, glm::vec2 pixel, bool shift,
                               bool ctrl = false);

  std::optional<Command> move(const Viewpoint& view, glm::vec2 pixel);

  /// Mouse wheel: makes the ball in the hand larger or smaller. None if the hand holds no ball.
  std::optional<Command> scroll(float notches);

  /// Ends the drag. `pin`: the vertex stays fixed at its present place.
  std::optional<Command> release(bool pin);

  /// Ends the drag if the model has changed, because the held vertex may be gone.
  void follow(std::uint64_t model_version);

  bool active() const { return active_; }
  std::uint64_t model_version() const { return model_version_; }

 private:
  glm::vec3 on_plane(const Viewpoint& view, glm::vec2 pixel) const;
  double radius() const;  ///< m, of the ball in the hand

  bool active_ = false;
  bool ball_ = false;  ///< true: the hand holds a ball; false: a vertex or a body
  bool twists_ = false;
  Index vertex_ = 0;       ///< the vertex that is twisted
  float from_ = 0.0f;      ///< horizontal cursor position when the twist began
  float share_ = 0.05f;    ///< radius of the ball / its distance from the camera
  float distance_ = 1.0f;  ///< m, distance of the camera when the ball was taken
  std::uint64_t model_version_ = 0;
  glm::vec3 anchor_{0.0f};  ///< m, position of the grabbed point at the press
  glm::vec3 normal_{0.0f};  ///< normal of the plane through the anchor
  glm::vec3 offset_{0.0f};  ///< m, from the cursor's point on the plane to the target
};

}  // namespace limber
