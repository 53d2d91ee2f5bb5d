// Differences between Dear ImGui 1.86 (Debian 12) and later versions.
#pragma once

#include <imgui.h>

#include "app/ui/widgets/wrapped_text.hpp"

namespace limber::ui {

/// Sets the mouse position and buttons as of the last event handed to ImGui. Before 1.87, ImGui's GLFW
/// backend polls the present state instead, which is ahead of the events in a fast drag. Must be called
/// between the backend's NewFrame and ImGui::NewFrame. Later versions queue the events themselves.
inline void override_mouse([[maybe_unused]] ImVec2 position, [[maybe_unused]] const bool (&down)[3]) {
#if IMGUI_VERSION_NUM < 18700
  ImGuiIO& io = ImGui::GetIO();
  io.MousePos = position;
  for (int button = 0; button < 3; ++button) io.MouseDown[button] = down[button];
#endif
}

/// Whether `key` went down since the last frame, without repeats. (Before 1.87, keys had an index per
/// backend.)
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

/// Whether tooltips are suppressed, because those of panels behind a dialog would cover the dialog.
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
