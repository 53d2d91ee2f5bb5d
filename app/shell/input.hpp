// What the window reports, as a queue of events: nothing is polled, so nothing is late or lost.
#pragma once

#include <deque>
#include <glm/vec2.hpp>
#include <string>
#include <variant>
#include <vector>

namespace limber {

// Positions have their origin at the window's top left, in its own unit (pixels, points on macOS).
struct CursorMoved {
  glm::vec2 position;
};
struct ButtonChanged {
  int button;  ///< GLFW: 0 left, 1 right, 2 middle
  bool pressed;
  int mods;
  glm::vec2 position;  ///< from the last CursorMoved, not where the pointer is by now
};
struct Scrolled {
  glm::vec2 offset;  ///< notches
  glm::vec2 position;
};
struct KeyChanged {
  int key, scancode, action, mods;  ///< as GLFW reports them
};
struct CharacterTyped {
  unsigned code;
};
struct FilesDropped {
  std::vector<std::string> paths;
};
struct FocusChanged {
  bool focused;
};
struct CursorEntered {
  bool entered;
};
using InputEvent = std::variant<CursorMoved, ButtonChanged, Scrolled, KeyChanged, CharacterTyped,
                                FilesDropped, FocusChanged, CursorEntered>;

/// Collects events between frames and gives them out in batches that one frame can digest.
class InputQueue {
 public:
  /// Positions of buttons and wheel are filled in here.
  void push(InputEvent event);

  /// The events for this frame, in order. A batch ends before the pointer moves on from a button event and
  /// before a key or button changes twice, so that a click shorter than a frame, or a drag that has already
  /// left, is seen where it happened; the rest waits for the next batch. It ends behind a key with Control
  /// too, which may open a dialog that the next keys are for.
  std::vector<InputEvent> next_batch();

  bool empty() const { return events_.empty(); }

 private:
  std::deque<InputEvent> events_;
  glm::vec2 cursor_{0.0f};
};

}  // namespace limber
