#pragma once

#include <span>
#include <string>

#include "app/ui/layout.hpp"

namespace limber::ui {

/// A video that is being made.
struct Recorded {
  double seconds = 0.0;  ///< s of it so far
  double waiting = 0.0;  ///< s for which it has taken no picture
  double factor = 1.0;   ///< simulated seconds per second
};

/// "REC 0.5 s, x0.06": the fullest words that are not wider than `most` px, else the fewest.
std::string recording_text(const Recorded& recorded, float most);

/// The red dot in the upper right corner of `view` while a video is made, below those legends that it would
/// cover; in a small view with fewer words. Returns what it covers.
Rect recording_note(const Rect& view, std::span<const Rect> legends, const Recorded& recorded);

}  // namespace limber::ui
