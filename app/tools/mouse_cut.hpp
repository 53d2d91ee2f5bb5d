// Cuts with the mouse: a drag becomes one cut after the other.
#pragma once

#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <vector>

#include "app/tools/mouse_drag.hpp"

namespace limber {

/// Each piece of the cursor's path cuts everything behind it, along the quad between the rays through its two
/// ends.
class MouseCut {
 public:
  void press(glm::vec2 pixel);
  std::optional<Command> move(const Viewpoint& view, glm::vec2 pixel);
  void release() { trail_.clear(); }

  /// Path of the cursor since the press, px; empty if no cut is under way.
  std::span<const glm::vec2> trail() const { return trail_; }

 private:
  std::vector<glm::vec2> trail_;
};

}  // namespace limber
