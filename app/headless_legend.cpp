#include "app/headless_legend.hpp"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include "app/ui/heat_legend.hpp"
#include "app/ui/overlay_legend.hpp"
#include "app/ui/theme.hpp"
#include "app/ui/variant_labels.hpp"

namespace limber {
namespace {

bool has_legend(const Publications& shown) {
  const RenderFrame& frame = shown.front().frame;
  return frame.has_heat() || frame.overlay.overlay != Overlay::none || shown.variants.size() > 1;
}

/// An ImGui context that lasts as long as this.
struct LegendContext {
  LegendContext(int width, int height) {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {float(width), float(height)};
    ui::apply_theme(1.0f);
  }
  ~LegendContext() { ImGui::DestroyContext(); }
  LegendContext(const LegendContext&) = delete;
  LegendContext& operator=(const LegendContext&) = delete;
};

/// Everything between NewFrame() and Render(). Returns what is left of the first picture.
ui::Rect add_legends(const Publications& shown, const std::vector<ui::Rect>& cells) {
  const std::size_t count = shown.variants.size();
  const RenderFrame& frame = shown.front().frame;
  ui::variant_labels(*ImGui::GetBackgroundDrawList(), cells, shown, count);
  ui::Rect view = cells.front();
  view.position.y += ui::label_height(count);
  view.size.y -= ui::label_height(count);
  const ui::Rect legends[] = {ui::heat_legend(view, frame), ui::overlay_legend(view, frame)};
  return ui::clear_of(view, legends);
}

std::vector<ui::Rect> cells_of(const Publications& shown, int width, int height) {
  return ui::view_cells({{0.0f, 0.0f}, {float(width), float(height)}}, shown.variants.size());
}

}  // namespace

void draw_headless_legend(const Publications& shown, int width, int height) {
  if (!has_legend(shown)) return;
  const LegendContext context(width, height);
  if (!ImGui_ImplOpenGL3_Init("#version 330 core")) return;
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  add_legends(shown, cells_of(shown, width, height));
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  ImGui_ImplOpenGL3_Shutdown();
}

OpenArea free_of_legends(const Publications& shown, int width, int height) {
  const std::vector<ui::Rect> cells = cells_of(shown, width, height);
  const ui::Rect& cell = cells.front();
  ui::Rect clear = cell;
  if (has_legend(shown)) {
    const LegendContext context(width, height);
    ImGui::GetIO().Fonts->Build();
    ImGui::NewFrame();
    clear = add_legends(shown, cells);
    ImGui::EndFrame();
  }
  const glm::vec2 corner(clear.position.x - cell.position.x, clear.position.y - cell.position.y);
  return {{cell.size.x, cell.size.y}, corner, {clear.size.x, clear.size.y}};
}

}  // namespace limber
