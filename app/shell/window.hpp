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

/// One window per process. Belongs to the main thread.
class Window {
 public:
  /// Points are pixels where a display has 96 dots per inch, and more of them where it is denser.
  enum class Unit { pixels, points };

  /// Whether a size that is larger than the screen (it was another one) is made smaller.
  enum class Fit { as_asked, screen };

  /// Opens and shows the window. Fails without a display or without OpenGL 3.3, with the reason.
  static Expected<std::unique_ptr<Window>> create(const std::string& title, int width, int height, Unit unit,
                                                  Fit fit = Fit::as_asked);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  void poll();                ///< moves what happened into input()
  void wait(double seconds);  ///< the same, but sleeps until something happens
  static void wake();         ///< ends a wait(); from any thread
  /// Whether the desktop has lost a part of the picture since the last call.
  bool take_damage() { return std::exchange(damaged_, false); }
  void swap();
  void hide();

  bool should_close() const;
  bool minimised() const;  ///< or hidden by the desktop: nobody can see it
  void set_title(const std::string& title);
  glm::ivec2 size() const;     ///< in the unit of the cursor's positions
  glm::ivec2 pixels() const;   ///< of the framebuffer; 0 while minimised
  float ui_scale() const;      ///< how much larger than at 96 dots per inch the panels should be
  int refresh_rate() const;    ///< Hz; 0 where the display does not say, as under Xvfb
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
