#include "app/headless_legend.hpp"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include "app/ui/heat_legend.hpp"
#include "app/ui/overlay_legend.hpp"
#include "app/ui/theme.hpp"

namespace limber {

void draw_headless_legend(const RenderFrame& frame, int width, int height) {
  if (!frame.has_heat() && frame.overlay.overlay == Overlay::none) return;
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = {float(width), float(height)};
  ui::apply_theme(1.0f);
  if (ImGui_ImplOpenGL3_Init("#version 330 core")) {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    const ui::Rect view{{0.0f, 0.0f}, io.DisplaySize};
    ui::heat_legend(view, frame);
    ui::overlay_legend(view, frame);
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    ImGui_ImplOpenGL3_Shutdown();
  }
  ImGui::DestroyContext();
}

}  // namespace limber
