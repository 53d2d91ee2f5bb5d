// The window of the operating system, with an OpenGL 3.3 core context.
#pragma once

#include <glm/vec2.hpp>
#include <memory>
#include <string>
#include <utility>

#include "app/shell/input.hpp"
#include "engine/core/expected.hpp"

struct GLFWwindow;

namespace limber {

/// The window. At most one per process. Must be used on the main thread.
class Window {
 public:
  /// Unit of a window's size. A point is a pixel on a display of 96 dots per inch, and more pixels on a
  /// denser one.
  enum class Unit { pixels, points };

  /// Whether a size larger than the screen is kept or reduced.
  enum class Fit { as_asked, screen };

  /// Opens and shows the window. Fails without a display or without OpenGL 3.3, with the reason.
  static Expected<std::unique_ptr<Window>> create(const std::string& title, int width, int height, Unit unit,
                                                  Fit fit = Fit::as_asked);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  void poll();                ///< moves pending events into input()
  void wait(double seconds);  ///< like poll(), but sleeps until an event or the time limit
  static void wake();         ///< ends a wait(); callable from any thread
  /// Whether the desktop has damaged a part of the picture since the last call.
  bool take_damage() { return std::exchange(damaged_, false); }
  void swap();
  void hide();

  bool should_close() const;
  bool minimised() const;  ///< minimised, or hidden by the desktop
  void set_title(const std::string& title);
  glm::ivec2 size() const;     ///< in cursor units
  glm::ivec2 pixels() const;   ///< of the framebuffer; 0 while minimised
  float ui_scale() const;      ///< scale of the panels relative to 96 dots per inch
  int refresh_rate() const;    ///< Hz; 0 if unknown, as under Xvfb
  std::string driver() const;  ///< GL_RENDERER: "llvmpipe (LLVM 15.0.6, 256 bits)"
  InputQueue& input() { return input_; }
  GLFWwindow* handle() const { return window_; }

 private:
  explicit Window(GLFWwindow* window);
  void install_callbacks();

  GLFWwindow* window_;
  InputQueue input_;
  bool damaged_ = true;
};

}  // namespace limber
