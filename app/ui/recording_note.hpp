#pragma once

#include "app/ui/layout.hpp"

namespace limber::ui {

/// The red dot in the upper right corner of `view` while a video is made; `seconds` of it so far.
void recording_note(const Rect& view, double seconds);

}  // namespace limber::ui
