// Dear ImGui in our window: events in, draw lists out.
#pragma once

#include <span>
#include <string>

#include "app/shell/input.hpp"
#include "app/shell/window.hpp"

namespace limber {

/// Owns the ImGui context and its two backends. Needs the window's GL context to be current.
class ImguiLayer {
 public:
  /// `layout_file` is where windows that can be moved are remembered; "" for nowhere.
  ImguiLayer(Window& window, std::string layout_file);
  ~ImguiLayer();
  ImguiLayer(const ImguiLayer&) = delete;
  ImguiLayer& operator=(const ImguiLayer&) = delete;

  void begin_frame(std::span<const InputEvent> events);
  void skip_frame();  ///< ends a frame that nobody will see
  void end_frame();   ///< draws the panels into the bound framebuffer
  void draw_again();  ///< the same panels, after end_frame()

  // What the events of this frame belong to; valid after begin_frame().
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
