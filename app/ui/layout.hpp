// Where the panels stand: at the sides, never over the middle.
#pragma once

#include <imgui.h>

namespace limber::ui {

struct Rect {
  ImVec2 position, size;

  float right() const { return position.x + size.x; }
  float bottom() const { return position.y + size.y; }
};

struct Layout {
  Rect scenes, split, diagnostics;  ///< left, one above the other
  Rect inspector;                   ///< right
  Rect status;                      ///< bottom
  Rect view;                        ///< what remains for the picture
  bool tiny = false;                ///< there is room for the picture alone: no panel at its sides
  bool narrow = false;  ///< no room for the left panels; the menus and the scene picker do without them
};

/// Fits the panels into the main viewport below a menu bar of `menu_height` pixels; `scenes_share` of the
/// left side's height are the scenes', but both keep a tenth.
Layout make_layout(float menu_height, float scenes_share);

/// A bar between two panels: how many pixels the mouse drags it down in this frame.
float splitter(const Rect& rect);

/// Begins a window that fills `rect` and cannot be moved, sized or collapsed. Call ImGui::End() after it.
void begin_panel(const char* name, const Rect& rect, ImGuiWindowFlags more = 0);

/// Pulls the window that was begun, which the user can move and size, back into the work area of the main
/// viewport, smaller where it has to be: whenever that area is another than when this was last called for the
/// window.
void stay_in_work_area();

/// Moves the current window, wherever it was dragged or however the window around it shrank, back to where
/// all of it can be seen. Call it between Begin() and End().
void keep_in_view();

/// A heading in the panels' style.
void heading(const char* text);

}  // namespace limber::ui
