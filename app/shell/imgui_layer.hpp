// Dear ImGui in our window: takes events, draws panels.
#pragma once

#include <span>
#include <string>

#include "app/shell/input.hpp"
#include "app/shell/window.hpp"

namespace limber {

/// Owns the ImGui context and its two backends. Needs the window's GL context to be current.
class ImguiLayer {
 public:
  /// `layout_file` stores the places of movable windows; "" for none.
  ImguiLayer(Window& window, std::string layout_file);
  ~ImguiLayer();
  ImguiLayer(const ImguiLayer&) = delete;
  ImguiLayer& operator=(const ImguiLayer&) = delete;

  void begin_frame(std::span<const InputEvent> events);
  void skip_frame();  ///< ends a frame without drawing it
  void end_frame();   ///< draws the panels into the bound framebuffer
  void draw_again();  ///< draws the same panels again, after end_frame()

  // Whether ImGui claims the mouse or text events of this frame; valid after begin_frame().
  bool wants_mouse() const;
  bool wants_text() const;

 private:
  void forward(const InputEvent& event);
  void follow_scale();

  Window& window_;
  std::string layout_file_;  ///< ImGui keeps a pointer to it
  float scale_;
  glm::vec2 cursor_{-1e6f};
  bool down_[3] = {};
};

}  // namespace limber
