// Menus and other popups of ImGui.
#pragma once

namespace limber::ui {

bool popup_open();

/// Closes all that are open; false if there were none. ImGui itself does so for clicks only.
bool close_popups();

}  // namespace limber::ui
