// The few places where Dear ImGui 1.86 (Debian 12) and later versions differ.
#pragma once

#include <imgui.h>

#include "app/ui/widgets/wrapped_text.hpp"

namespace limber::ui {

/// Tells ImGui where the mouse is and which buttons are down, as of the events handed over so far. Until 1.87
/// its GLFW backend asks the window system for the state of this instant instead, which a fast drag has left
/// behind; call it between the backend's NewFrame and ImGui::NewFrame. Later versions queue the events.
inline void override_mouse([[maybe_unused]] ImVec2 position, [[maybe_unused]] const bool (&down)[3]) {
#if IMGUI_VERSION_NUM < 18700
  ImGuiIO& io = ImGui::GetIO();
  io.MousePos = position;
  for (int button = 0; button < 3; ++button) io.MouseDown[button] = down[button];
#endif
}

/// Whether `key` went down since the last frame, repetitions left out (until 1.87 keys had an index of their
/// own per backend).
inline bool key_pressed(ImGuiKey key) {
#if IMGUI_VERSION_NUM < 18700
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), false);
#else
  return ImGui::IsKeyPressed(key, false);
#endif
}

/// PushFont at the font's own size (1.92 asks for a size as well).
inline void push_font(ImFont* font) {
#if IMGUI_VERSION_NUM < 19200
  ImGui::PushFont(font);
#else
  ImGui::PushFont(font, 0.0f);
#endif
}

/// Whether tooltips are left out: what lies behind a dialog would write over it.
inline bool& tooltips_wait() {
  static bool wait = false;
  return wait;
}

/// Shows `text`, wrapped, while the last item is hovered (SetItemTooltip came with 1.89.7).
inline void item_tooltip(const char* text) {
  if (tooltips_wait() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  ImGui::BeginTooltip();
  wrapped_text(text, ImGui::GetFontSize() * 24.0f);
  ImGui::EndTooltip();
}

}  // namespace limber::ui
