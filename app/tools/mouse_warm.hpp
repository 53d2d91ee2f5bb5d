// Warming and cooling with the mouse: a brush of heat on what is under the cursor.
#pragma once

#include <glm/vec2.hpp>
#include <optional>

#include "app/lab/run_status.hpp"
#include "app/tools/mouse_drag.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// While the button is down the brush warms what it lies on by so many kelvin per second of the scene's time,
/// in the middle of its ring. A scene that stands still is not warmed.
class MouseWarm {
 public:
  static constexpr float ring = 36.0f;   ///< radius in the unit of the cursor's positions
  static constexpr double rate = 200.0;  ///< K/s

  /// `sign`: 1 warms, -1 cools.
  void press(const Publication& shown, int sign);
  void release() { sign_ = 0; }
  int sign() const { return sign_; }  ///< 0: the button is up

  /// Call it with every picture: what the time since the last one asks for.
  std::optional<Command> act(const Publication& shown, const Viewpoint& view, glm::vec2 pixel);

 private:
  int sign_ = 0;
  double time_ = 0.0;  ///< s, up to which it has warmed
};

}  // namespace limber
