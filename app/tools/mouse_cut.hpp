// Cutting with the mouse: a drag becomes cuts, one after the other.
#pragma once

#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <vector>

#include "app/tools/mouse_drag.hpp"

namespace limber {

/// Every piece of the drag cuts along the quad between the rays through its ends, through all that lies
/// behind it.
class MouseCut {
 public:
  void press(glm::vec2 pixel);
  std::optional<Command> move(const Viewpoint& view, glm::vec2 pixel);
  void release() { trail_.clear(); }

  /// Where the cursor has been since the press, in its unit; empty while nothing is cut.
  std::span<const glm::vec2> trail() const { return trail_; }

 private:
  std::vector<glm::vec2> trail_;
};

}  // namespace limber
