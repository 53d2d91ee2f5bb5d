// Menus and other popups of ImGui.
#pragma once

namespace limber::ui {

bool popup_open();

/// Closes all open popups; false if there were none. ImGui itself closes them on clicks only.
bool close_popups();

}  // namespace limber::ui
