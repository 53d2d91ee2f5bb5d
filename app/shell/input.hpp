// A queue of the window's events. Nothing is polled, so no event is late or lost.
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
  glm::vec2 position;  ///< position of the last CursorMoved, not the present one
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

/// Collects events between frames and returns them in batches that one frame can handle.
class InputQueue {
 public:
  /// Appends an event. Fills in the cursor position of buttons and wheel.
  void push(InputEvent event);

  /// The events for one frame, in order. A batch ends before the pointer moves after a button event, and
  /// before a second change of the same key or button. So a click shorter than a frame, or a drag that has
  /// already moved on, is seen where it happened. The rest waits for the next batch. A batch also ends after
  /// Enter, Escape or a key with Control, which may open or close a dialog for the next keys.
  std::vector<InputEvent> next_batch();

  bool empty() const { return events_.empty(); }

 private:
  std::deque<InputEvent> events_;
  glm::vec2 cursor_{0.0f};
};

}  // namespace limber
