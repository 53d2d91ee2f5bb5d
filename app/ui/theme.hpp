// Colours, metrics and fonts of the panels.
#pragma once

#include <imgui.h>

namespace limber::ui {

namespace palette {
inline const ImVec4 text{0.88f, 0.90f, 0.93f, 1.0f};
inline const ImVec4 muted{0.56f, 0.60f, 0.66f, 1.0f};
inline const ImVec4 accent{0.36f, 0.64f, 0.98f, 1.0f};
inline const ImVec4 good{0.38f, 0.78f, 0.52f, 1.0f};
inline const ImVec4 caution{0.95f, 0.68f, 0.26f, 1.0f};
inline const ImVec4 bad{0.95f, 0.40f, 0.36f, 1.0f};
inline const ImVec4 panel{0.095f, 0.107f, 0.126f, 0.97f};
inline const ImVec4 bar{0.070f, 0.078f, 0.094f, 1.0f};
}  // namespace palette

inline ImU32 packed(const ImVec4& color, float alpha = 1.0f) {
  return ImGui::ColorConvertFloat4ToU32({color.x, color.y, color.z, color.w * alpha});
}

struct Fonts {
  ImFont* regular = nullptr;
  ImFont* bold = nullptr;   ///< headings
  ImFont* small = nullptr;  ///< notes and hints
};

/// Sets style and fonts of the current ImGui context. Must be called between frames. `scale`: content scale
/// of the display; 1 is 96 dots per inch. Uses ImGui's own font if DejaVu Sans is not installed.
void apply_theme(float scale);

/// Adds a font of another size to the atlas of the current context. Must be called between apply_theme() and
/// the first frame.
ImFont* add_bold_font(float pixels);

/// The fonts loaded by apply_theme().
const Fonts& fonts();

}  // namespace limber::ui
