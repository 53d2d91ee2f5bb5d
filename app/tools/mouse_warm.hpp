// Warms and cools with the mouse: a brush of heat on whatever is under the cursor.
#pragma once

#include <glm/vec2.hpp>
#include <optional>

#include "app/lab/run_status.hpp"
#include "app/tools/mouse_drag.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// While the button is down, the brush warms the surface under the cursor by `rate` kelvin per second of
/// simulated time in the middle of its ring, and less towards the edge. While the heat map of a field of
/// materials is shown, it paints that field instead: it softens, or with the other sign stiffens. A paused
/// scene is not warmed.
class MouseWarm {
 public:
  static constexpr float ring = 36.0f;       ///< radius, in the unit of cursor positions
  static constexpr double rate = 200.0;      ///< K/s
  static constexpr double field_rate = 2.0;  ///< 1/s, of the logarithm of the factor

  /// `sign`: 1 warms, -1 cools.
  void press(const Publication& shown, int sign);
  void release() { sign_ = 0; }
  int sign() const { return sign_; }  ///< 1 warms, -1 cools, 0: the button is up

  /// The command for the time since the last picture. Call it with every picture.
  std::optional<Command> act(const Publication& shown, const Viewpoint& view, glm::vec2 pixel);

 private:
  int sign_ = 0;
  double time_ = 0.0;  ///< s, simulated time up to which the brush has acted
};

}  // namespace limber
