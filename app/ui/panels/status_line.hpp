#pragma once

#include <string>
#include <string_view>

#include "app/lab/run_status.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/view_choices.hpp"

namespace limber::ui {

/// The state as a word, and its colour: green only where nothing is known to be wrong.
struct StateLook {
  std::string word;
  ImVec4 color;
};
StateLook state_look(const RunStatus& status);

/// What the simulation's thread is busy with.
struct Busy {
  double frame_seconds = 0.0;  ///< s that the frame under way has taken so far
  std::string next_scene;      ///< what is opened after it; "" for none
};

/// "Computing this frame, 12 s, then opens tear_cube".
std::string busy_text(const Busy& busy);

/// Why a fluid is drawn as balls though nobody asked for them; "" where it is not.
std::string_view why_balls(const ViewChoices& view);

/// What is drawn, and how.
struct Drawing {
  double time = 0.0, fps = 0.0;  ///< s of the scene; pictures a second
  std::string_view balls;        ///< why_balls(); "" without fluids
  bool panels = true;            ///< are shown; else the line says how they come back
};

/// The hints at its right.
std::string hint_text(bool panels);

/// The line along the bottom: state, scene, time, speeds, method, threads; hints on the right.
/// While a frame takes long, that instead.
void status_line(const Rect& rect, const RunStatus& status, const Drawing& drawing, const Busy& busy = {});

}  // namespace limber::ui
