// Pulling on a vertex with the mouse: presses, moves and releases become commands.
#pragma once

#include <glm/vec2.hpp>
#include <optional>

#include "app/lab/run_status.hpp"
#include "app/render/camera.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// The picture the mouse moves over.
struct Viewpoint {
  const Camera& camera;
  glm::vec2 size;  ///< of the window, in the unit of the cursor's positions
};

/// Drags what the mouse has grabbed. The held point moves on the plane through the grabbed vertex that is
/// parallel to the picture, at a constant offset from the cursor: nothing jumps if the vertex is not exactly
/// under the cursor. Fluids and loose grains have no vertex to grab: the hand is a ball there, which keeps
/// its size in the picture.
class MouseDrag {
 public:
  /// Left press: grabs the rigid body or the vertex under the cursor, or with Shift on a pinned vertex frees
  /// that. With Ctrl the vertex of a rod is held, and moves to the right and left twist the rod there.
  /// Nothing where there is no vertex; then the press is the camera's.
  std::optional<Command> press(const Publication& shown, const Viewpoint& view, glm::vec2 pixel, bool shift,
                               bool ctrl = false);

  std::optional<Command> move(const Viewpoint& view, glm::vec2 pixel);

  /// The wheel, while the hand is a ball: makes that larger or smaller. Nothing else of the drag changes.
  std::optional<Command> scroll(float notches);

  /// `pin` leaves the vertex fixed where it is.
  std::optional<Command> release(bool pin);

  /// The model whose vertex is held is gone: forget it.
  void follow(std::uint64_t model_version);

  bool active() const { return active_; }
  std::uint64_t model_version() const { return model_version_; }

 private:
  glm::vec3 on_plane(const Viewpoint& view, glm::vec2 pixel) const;
  double radius() const;  ///< m, of the ball

  bool active_ = false;
  bool ball_ = false;  ///< what is held
  bool twists_ = false;
  Index vertex_ = 0;       ///< that is twisted ...
  float from_ = 0.0f;      ///< ... and where the cursor was, across the window
  float share_ = 0.05f;    ///< the ball's radius, over the distance from the camera
  float distance_ = 1.0f;  ///< m, of the camera when the ball was taken
  std::uint64_t model_version_ = 0;
  glm::vec3 anchor_{0.0f};  ///< m, where the vertex was when it was taken
  glm::vec3 normal_{0.0f};  ///< of the plane through the anchor
  glm::vec3 offset_{0.0f};  ///< m, from the cursor's point on the plane to the target
};

}  // namespace limber
