#include "app/headless_legend.hpp"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include "app/ui/heat_legend.hpp"
#include "app/ui/overlay_legend.hpp"
#include "app/ui/theme.hpp"
#include "app/ui/variant_labels.hpp"

namespace limber {

void draw_headless_legend(const Publications& shown, int width, int height) {
  const RenderFrame& frame = shown.front().frame;
  const std::size_t count = shown.variants.size();
  if (!frame.has_heat() && frame.overlay.overlay == Overlay::none && count < 2) return;
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = {float(width), float(height)};
  ui::apply_theme(1.0f);
  if (ImGui_ImplOpenGL3_Init("#version 330 core")) {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    const std::vector<ui::Rect> cells = ui::view_cells({{0.0f, 0.0f}, io.DisplaySize}, count);
    ui::variant_labels(*ImGui::GetBackgroundDrawList(), cells, shown, count);
    ui::Rect view = cells.front();
    view.position.y += ui::label_height(count);
    view.size.y -= ui::label_height(count);
    ui::heat_legend(view, frame);
    ui::overlay_legend(view, frame);
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    ImGui_ImplOpenGL3_Shutdown();
  }
  ImGui::DestroyContext();
}

}  // namespace limber
