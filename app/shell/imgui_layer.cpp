#include "app/shell/imgui_layer.hpp"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

#include <utility>

#include "app/ui/imgui_compat.hpp"
#include "app/ui/theme.hpp"

namespace limber {

ImguiLayer::ImguiLayer(Window& window, std::string layout_file)
    : window_(window), layout_file_(std::move(layout_file)), scale_(window.ui_scale()) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = layout_file_.empty() ? nullptr : layout_file_.c_str();
  ui::apply_theme(scale_);
  ImGui_ImplGlfw_InitForOpenGL(window.handle(), false);  // our queue forwards the events frame by frame
  ImGui_ImplOpenGL3_Init("#version 330 core");
}

ImguiLayer::~ImguiLayer() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

void ImguiLayer::begin_frame(std::span<const InputEvent> events) {
  follow_scale();
  for (const InputEvent& event : events) forward(event);
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ui::override_mouse({cursor_.x, cursor_.y}, down_);
  ImGui::NewFrame();
}

/// Rebuilds fonts and metrics if the window has moved to a display of another density.
void ImguiLayer::follow_scale() {
#if IMGUI_VERSION_NUM < 19200
  if (window_.ui_scale() == scale_) return;
  scale_ = window_.ui_scale();
  ImGui::GetIO().Fonts->Clear();
  ui::apply_theme(scale_);
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

void ImguiLayer::skip_frame() { ImGui::EndFrame(); }

void ImguiLayer::end_frame() {
  ImGui::Render();
  draw_again();
}

void ImguiLayer::draw_again() { ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData()); }

bool ImguiLayer::wants_mouse() const { return ImGui::GetIO().WantCaptureMouse; }
bool ImguiLayer::wants_text() const { return ImGui::GetIO().WantTextInput; }

void ImguiLayer::forward(const InputEvent& event) {
  GLFWwindow* window = window_.handle();
  if (const auto* moved = std::get_if<CursorMoved>(&event)) {
    cursor_ = moved->position;
#if IMGUI_VERSION_NUM >= 18700
    ImGui_ImplGlfw_CursorPosCallback(window, cursor_.x, cursor_.y);
#endif
  } else if (const auto* button = std::get_if<ButtonChanged>(&event)) {
    if (button->button < 3) down_[button->button] = button->pressed;
    ImGui_ImplGlfw_MouseButtonCallback(window, button->button, button->pressed, button->mods);
  } else if (const auto* scrolled = std::get_if<Scrolled>(&event)) {
    ImGui_ImplGlfw_ScrollCallback(window, scrolled->offset.x, scrolled->offset.y);
  } else if (const auto* key = std::get_if<KeyChanged>(&event)) {
    ImGui_ImplGlfw_KeyCallback(window, key->key, key->scancode, key->action, key->mods);
  } else if (const auto* typed = std::get_if<CharacterTyped>(&event)) {
    ImGui_ImplGlfw_CharCallback(window, typed->code);
  } else if (const auto* focus = std::get_if<FocusChanged>(&event)) {
    ImGui_ImplGlfw_WindowFocusCallback(window, focus->focused);
  } else if (const auto* entered = std::get_if<CursorEntered>(&event)) {
    ImGui_ImplGlfw_CursorEnterCallback(window, entered->entered);
  }
}

}  // namespace limber
