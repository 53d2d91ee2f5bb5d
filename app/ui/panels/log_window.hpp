#pragma once

#include "app/ui/panels/message_area.hpp"

namespace limber::ui {

/// All messages of this session, scrollable and copyable. Clears `open` when the user closes it.
void log_window(bool& open, MessageLog& log);

}  // namespace limber::ui
