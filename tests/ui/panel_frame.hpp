// ImGui frames of panels without a window.
#pragma once

#include <imgui.h>

#include "app/ui/theme.hpp"

namespace limber::ui::panels {

/// ImGui with the panels' theme and no window.
struct PanelFrame {
  PanelFrame() : context(ImGui::CreateContext()) {
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {400.0f, 400.0f};
    apply_theme(1.0f);
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  }
  ~PanelFrame() { ImGui::DestroyContext(context); }
  ImGuiContext* context;
};

}  // namespace limber::ui::panels
