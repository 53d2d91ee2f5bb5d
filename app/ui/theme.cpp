#include "app/ui/theme.hpp"

#include <cmath>
#include <filesystem>
#include <string>

namespace limber::ui {
namespace {

Fonts loaded;

/// Finds a DejaVu Sans font file in the usual folders of distributions.
std::string find_font(const char* file) {
  for (const char* folder :
       {"/usr/share/fonts/truetype/dejavu/", "/usr/share/fonts/TTF/", "/usr/share/fonts/dejavu/",
        "/usr/share/fonts/dejavu-sans-fonts/", "/Library/Fonts/", "/usr/local/share/fonts/dejavu/"}) {
    std::error_code ignored;
    if (std::string path = std::string(folder) + file; std::filesystem::exists(path, ignored)) return path;
  }
  return {};
}

ImFont* load_font(const char* file, float pixels) {
  // Latin-1, Greek (alpha, lambda), general punctuation, arrows and mathematical signs.
  static const ImWchar ranges[] = {0x20,   0xFF,   0x391,  0x3C9,  0x2010, 0x2027,
                                   0x2190, 0x2193, 0x2200, 0x22FF, 0};
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  if (const std::string path = find_font(file); !path.empty())
    return atlas.AddFontFromFileTTF(path.c_str(), std::round(pixels), nullptr, ranges);
  ImFontConfig fallback;
  fallback.SizePixels = std::round(pixels * 0.8125f);  // ImGui's own font is designed for 13 px
  return atlas.AddFontDefault(&fallback);
}

void set_metrics(ImGuiStyle& style) {
  style.WindowPadding = {12, 10};
  style.FramePadding = {8, 4};
  style.CellPadding = {4, 3};
  style.ItemSpacing = {8, 6};
  style.ItemInnerSpacing = {6, 4};
  style.IndentSpacing = 14;
  style.ScrollbarSize = 11;
  style.GrabMinSize = 10;
  style.WindowBorderSize = 0;
  style.PopupBorderSize = 1;
  style.FrameBorderSize = 0;
  style.WindowRounding = 0;
  style.PopupRounding = 6;
  style.FrameRounding = 4;
  style.GrabRounding = 3;
  style.ScrollbarRounding = 6;
  style.WindowTitleAlign = {0.0f, 0.5f};
}

void set_colors(ImGuiStyle& style) {
  const auto grey = [](float level, float alpha = 1.0f) {
    return ImVec4(level * 0.93f, level, level * 1.13f, alpha);
  };
  const auto tint = [](float alpha) {
    return ImVec4(palette::accent.x, palette::accent.y, palette::accent.z, alpha);
  };
  ImVec4* color = style.Colors;
  color[ImGuiCol_Text] = palette::text;
  color[ImGuiCol_TextDisabled] = palette::muted;
  color[ImGuiCol_WindowBg] = palette::panel;
  color[ImGuiCol_ChildBg] = {0, 0, 0, 0};
  color[ImGuiCol_PopupBg] = {0.11f, 0.122f, 0.143f, 0.99f};
  color[ImGuiCol_Border] = grey(0.24f);
  color[ImGuiCol_FrameBg] = grey(0.165f);
  color[ImGuiCol_FrameBgHovered] = grey(0.21f);
  color[ImGuiCol_FrameBgActive] = grey(0.24f);
  color[ImGuiCol_TitleBg] = color[ImGuiCol_TitleBgActive] = color[ImGuiCol_TitleBgCollapsed] = palette::bar;
  color[ImGuiCol_MenuBarBg] = palette::bar;
  color[ImGuiCol_ScrollbarBg] = {0, 0, 0, 0};
  color[ImGuiCol_ScrollbarGrab] = grey(0.27f);
  color[ImGuiCol_ScrollbarGrabHovered] = grey(0.34f);
  color[ImGuiCol_ScrollbarGrabActive] = grey(0.40f);
  color[ImGuiCol_CheckMark] = palette::accent;
  color[ImGuiCol_SliderGrab] = tint(0.85f);
  color[ImGuiCol_SliderGrabActive] = palette::accent;
  color[ImGuiCol_Button] = grey(0.19f);
  color[ImGuiCol_ButtonHovered] = grey(0.26f);
  color[ImGuiCol_ButtonActive] = tint(0.55f);
  color[ImGuiCol_Header] = tint(0.22f);
  color[ImGuiCol_HeaderHovered] = tint(0.16f);
  color[ImGuiCol_HeaderActive] = tint(0.34f);
  color[ImGuiCol_Separator] = grey(0.19f);
  color[ImGuiCol_TextSelectedBg] = tint(0.38f);
  color[ImGuiCol_NavHighlight] = palette::accent;
}

}  // namespace

void apply_theme(float scale) {
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  set_metrics(style);
  set_colors(style);
  style.ScaleAllSizes(scale);
  loaded.regular = load_font("DejaVuSans.ttf", 16.0f * scale);
  loaded.bold = load_font("DejaVuSans-Bold.ttf", 14.0f * scale);
  loaded.small = load_font("DejaVuSans.ttf", 13.0f * scale);
}

ImFont* add_bold_font(float pixels) { return load_font("DejaVuSans-Bold.ttf", pixels); }

const Fonts& fonts() { return loaded; }

}  // namespace limber::ui
