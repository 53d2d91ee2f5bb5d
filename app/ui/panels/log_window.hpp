#pragma once

#include "app/ui/panels/message_area.hpp"

namespace limber::ui {

/// Everything that was said in this session, scrollable, to be copied. Clears `open` when it is closed.
void log_window(bool& open, MessageLog& log);

}  // namespace limber::ui
