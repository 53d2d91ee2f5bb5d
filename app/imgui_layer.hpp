// Dear ImGui in our window: events in, draw lists out.
#pragma once

#include <span>

#include "app/input.hpp"
#include "app/window.hpp"

namespace limber {

/// Owns the ImGui context and its two backends. Needs the window's GL context to be current.
class ImguiLayer {
 public:
  explicit ImguiLayer(Window& window);
  ~ImguiLayer();
  ImguiLayer(const ImguiLayer&) = delete;
  ImguiLayer& operator=(const ImguiLayer&) = delete;

  void begin_frame(std::span<const InputEvent> events);
  void end_frame();  ///< draws the panels into the bound framebuffer

  // What the events of this frame belong to; valid after begin_frame().
  bool wants_mouse() const;
  bool wants_text() const;

 private:
  void forward(const InputEvent& event);

  Window& window_;
  glm::vec2 cursor_{-1e6f};
  bool down_[3] = {};
};

}  // namespace limber
