#pragma once

namespace limber::ui {

/// All bindings, from the table that makes them work. Clears `open` when the window is closed.
void help_window(bool& open);

}  // namespace limber::ui
