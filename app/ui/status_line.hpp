#pragma once

#include <string>

#include "app/sim/run_status.hpp"
#include "app/ui/layout.hpp"

namespace limber::ui {

/// What the simulation's thread is busy with.
struct Busy {
  double frame_seconds = 0.0;  ///< s that the frame under way has taken so far
  std::string next_scene;      ///< what is opened after it; "" for none
};

/// "Computing this frame, 12 s, then opens tear_cube".
std::string busy_text(const Busy& busy);

/// The line along the bottom: state, scene, time, speeds, method, threads; hints on the right.
/// While a frame takes long, that instead.
void status_line(const Rect& rect, const RunStatus& status, double time, double fps, const Busy& busy = {});

}  // namespace limber::ui
