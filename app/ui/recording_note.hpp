#pragma once

#include "app/ui/layout.hpp"

namespace limber::ui {

/// A video that is being made.
struct Recorded {
  double seconds = 0.0;  ///< s of it so far
  double waiting = 0.0;  ///< s for which it has taken no picture
};

/// The red dot in the upper right corner of `view`, `top` px below its edge, while a video is made. Returns
/// the height of it with its margin, px.
float recording_note(const Rect& view, float top, const Recorded& recorded);

}  // namespace limber::ui
