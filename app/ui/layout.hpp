// Places of the panels: at the sides, never over the middle of the picture.
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
  Rect view;                        ///< the area left for the picture
  bool tiny = false;                ///< room only for the picture, without side panels
  bool narrow = false;              ///< no room for the left panels; menus and scene picker replace them
};

/// Fits the panels into the main viewport below a menu bar of `menu_height` pixels. The scenes get
/// `scenes_share` of the left side's height; each part keeps at least a tenth.
Layout make_layout(float menu_height, float scenes_share);

/// A draggable bar between two panels. Returns the pixels it was dragged down in this frame.
float splitter(const Rect& rect);

/// Begins a window that fills `rect` and cannot be moved, sized or collapsed. Must be followed by
/// ImGui::End().
void begin_panel(const char* name, const Rect& rect, ImGuiWindowFlags more = 0);

/// Moves the current window, which the user can move and size, back into the work area of the main viewport,
/// and shrinks it if necessary. Acts whenever the work area differs from that of the last call for the
/// window.
void stay_in_work_area();

/// Moves the current window back to where all of it is visible. Must be called between Begin() and End().
void keep_in_view();

/// A heading in the panels' style.
void heading(const char* text);

}  // namespace limber::ui
