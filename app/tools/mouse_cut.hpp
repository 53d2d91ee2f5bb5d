// Cutting with the mouse: a drag becomes cuts, one after the other.
#pragma once

#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <vector>

#include "app/tools/mouse_drag.hpp"

namespace limber {

/// Cuts by dragging. Each piece of the cursor's path cuts along the quad between the rays through its ends,
/// through everything behind it.
class MouseCut {
 public:
  void press(glm::vec2 pixel);
  std::optional<Command> move(const Viewpoint& view, glm::vec2 pixel);
  void release() { trail_.clear(); }

  /// Path of the cursor since the press, px; empty while nothing is cut.
  std::span<const glm::vec2> trail() const { return trail_; }

 private:
  std::vector<glm::vec2> trail_;
};

}  // namespace limber
