#include "app/commands/headless_legend.hpp"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/ui/theme.hpp"
#include "app/ui/widgets/heat_legend.hpp"
#include "app/ui/widgets/overlay_legend.hpp"
#include "app/ui/widgets/variant_labels.hpp"

namespace limber {
namespace {

bool has_legend(const Publications& shown) {
  const RenderFrame& frame = shown.front().frame;
  return frame.has_heat() || frame.overlay.overlay != Overlay::none || shown.variants.size() > 1;
}

/// An ImGui context for the lifetime of this object.
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

/// Draws all legends between NewFrame() and Render(). Returns the free area of the first picture.
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

namespace {

/// Draws light text with a dark outline, readable on any stage.
void outlined_text(ImFont* font, ImVec2 at, const std::string& text) {
  ImDrawList& draw = *ImGui::GetForegroundDrawList();
  const float size = font->FontSize, edge = std::max(1.0f, size / 18.0f);
  const int around = 8;
  for (int k = 0; k < around; ++k) {
    const float angle = 6.2831853f * float(k) / float(around);
    const ImVec2 beside{at.x + edge * std::cos(angle), at.y + edge * std::sin(angle)};
    draw.AddText(font, size, beside, IM_COL32(0, 0, 0, 110), text.c_str());
  }
  draw.AddText(font, size, at, IM_COL32(255, 255, 255, 255), text.c_str());
}

/// Caption fonts. Sizes are proportional to the height of the picture.
struct CaptionFonts {
  ImFont *title, *line;
};

CaptionFonts add_caption_fonts(int height) {
  return {ui::add_bold_font(float(height) / 20.0f), ui::add_bold_font(float(height) / 30.0f)};
}

void add_captions(const Captions& captions, const CaptionFonts& fonts, int height) {
  const float margin = float(height) / 24.0f;
  float y = float(height) - margin;
  if (!captions.title.empty()) {
    y -= fonts.title->FontSize;
    outlined_text(fonts.title, {margin, y}, captions.title);
  }
  for (auto line = captions.lines.rbegin(); line != captions.lines.rend(); ++line) {
    y -= 1.3f * fonts.line->FontSize;
    outlined_text(fonts.line, {margin, y}, *line);
  }
}

}  // namespace

void draw_headless_legend(const Publications& shown, const Captions& captions, int width, int height) {
  if (!has_legend(shown) && captions.empty()) return;
  const LegendContext context(width, height);
  CaptionFonts fonts{};
  if (!captions.empty()) fonts = add_caption_fonts(height);
  if (!ImGui_ImplOpenGL3_Init("#version 330 core")) return;
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  if (has_legend(shown)) add_legends(shown, cells_of(shown, width, height));
  if (!captions.empty()) add_captions(captions, fonts, height);
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
