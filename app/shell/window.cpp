#include "app/shell/window.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <utility>

namespace limber {
namespace {

Error glfw_failure(std::string what, std::string hint) {
  const char* reason = nullptr;
  glfwGetError(&reason);
  if (reason) what += std::string(": ") + reason;
  return Error{std::move(what), "", 0, std::move(hint)};
}

InputQueue& queue_of(GLFWwindow* window) {
  return static_cast<Window*>(glfwGetWindowUserPointer(window))->input();
}

void fit_to_screen(int& width, int& height) {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  int x = 0, y = 0, widest = 0, highest = 0;
  if (monitor) glfwGetMonitorWorkarea(monitor, &x, &y, &widest, &highest);
  if (widest > 0) width = std::min(width, widest);
  if (highest > 0) height = std::min(height, highest);
}

}  // namespace

Expected<std::unique_ptr<Window>> Window::create(const std::string& title, int width, int height, Unit unit,
                                                 Fit fit) {
  if (!glfwInit())
    return glfw_failure("no window can be opened",
                        "'limber run SCENE --screenshot out.png' needs no display");
  if (fit == Fit::screen) fit_to_screen(width, height);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SAMPLES, 0);  // the renderer has its own multisampled framebuffer
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, unit == Unit::points ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "limber");
  GLFWwindow* window = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
  if (!window) {
    Error error =
        glfw_failure("no window with OpenGL 3.3 can be opened", "is the graphics driver installed?");
    glfwTerminate();
    return error;
  }
  glfwMakeContextCurrent(window);
  glfwSwapInterval(1);
  return std::unique_ptr<Window>(new Window(window));
}

Window::Window(GLFWwindow* window) : window_(window) {
  glfwSetWindowUserPointer(window_, this);
  glfwSetWindowSizeLimits(window_, 480, 320, GLFW_DONT_CARE, GLFW_DONT_CARE);
  install_callbacks();
}

Window::~Window() {
  glfwDestroyWindow(window_);
  glfwTerminate();
}

void Window::install_callbacks() {
  glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double x, double y) {
    queue_of(w).push(CursorMoved{{float(x), float(y)}});
  });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int button, int action, int mods) {
    queue_of(w).push(ButtonChanged{button, action == GLFW_PRESS, mods, {}});
  });
  glfwSetScrollCallback(window_, [](GLFWwindow* w, double x, double y) {
    queue_of(w).push(Scrolled{{float(x), float(y)}, {}});
  });
  glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int scancode, int action, int mods) {
    queue_of(w).push(KeyChanged{key, scancode, action, mods});
  });
  glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned code) { queue_of(w).push(CharacterTyped{code}); });
  glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
    queue_of(w).push(FilesDropped{{paths, paths + count}});
  });
  glfwSetWindowFocusCallback(window_, [](GLFWwindow* w, int on) { queue_of(w).push(FocusChanged{on != 0}); });
  glfwSetWindowRefreshCallback(
      window_, [](GLFWwindow* w) { static_cast<Window*>(glfwGetWindowUserPointer(w))->damaged_ = true; });
  glfwSetCursorEnterCallback(window_,
                             [](GLFWwindow* w, int on) { queue_of(w).push(CursorEntered{on != 0}); });
}

void Window::poll() { glfwPollEvents(); }
void Window::wait(double seconds) { glfwWaitEventsTimeout(seconds); }
void Window::wake() { glfwPostEmptyEvent(); }
void Window::swap() { glfwSwapBuffers(window_); }
void Window::hide() { glfwHideWindow(window_); }
bool Window::should_close() const { return glfwWindowShouldClose(window_); }
bool Window::minimised() const {
  return pixels().x == 0 || pixels().y == 0 || glfwGetWindowAttrib(window_, GLFW_ICONIFIED) ||
         !glfwGetWindowAttrib(window_, GLFW_VISIBLE);
}
void Window::set_title(const std::string& title) { glfwSetWindowTitle(window_, title.c_str()); }

glm::ivec2 Window::size() const {
  glm::ivec2 size;
  glfwGetWindowSize(window_, &size.x, &size.y);
  return size;
}

glm::ivec2 Window::pixels() const {
  glm::ivec2 pixels;
  glfwGetFramebufferSize(window_, &pixels.x, &pixels.y);
  return pixels;
}

float Window::ui_scale() const {
  float x = 1.0f, y = 1.0f;
  glfwGetWindowContentScale(window_, &x, &y);
  // If the window's unit is larger than a pixel (macOS), ImGui already draws scaled.
  const float unit = float(std::max(pixels().x, 1)) / float(std::max(size().x, 1));
  return std::clamp(y / unit, 0.5f, 4.0f);
}

std::string Window::driver() const {
  // The only GL call outside the renderer: the driver is needed before a second is spent on its shaders.
  constexpr unsigned gl_renderer = 0x1F01;
  using GetString = const unsigned char* (*)(unsigned);
  const auto get_string = reinterpret_cast<GetString>(glfwGetProcAddress("glGetString"));
  const unsigned char* name = get_string ? get_string(gl_renderer) : nullptr;
  return name ? reinterpret_cast<const char*>(name) : "";
}

int Window::refresh_rate() const {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  return mode ? mode->refreshRate : 0;
}

}  // namespace limber
