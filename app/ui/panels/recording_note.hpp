#pragma once

#include <span>
#include <string>

#include "app/ui/layout.hpp"

namespace limber::ui {

/// State of the video being recorded.
struct Recorded {
  double seconds = 0.0;  ///< s, length of the video so far
  double waiting = 0.0;  ///< s since the last picture, if the simulation waits
  double factor = 1.0;   ///< simulated seconds per second
};

/// "REC 0.5 s, x0.06": the longest text not wider than `most` px, else the shortest.
std::string recording_text(const Recorded& recorded, float most);

/// Draws a red dot with a note in the upper right corner of `view` while a video is recorded, below those
/// legends that it would cover. Shortens the note in a small view. Returns the area it covers.
Rect recording_note(const Rect& view, std::span<const Rect> legends, const Recorded& recorded);

}  // namespace limber::ui
