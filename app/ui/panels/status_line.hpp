#pragma once

#include <string>
#include <string_view>

#include "app/lab/run_status.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/view_choices.hpp"

namespace limber::ui {

/// The state as a word and a colour. Green only if no fault is known.
struct StateLook {
  std::string word;
  ImVec4 color;
};
StateLook state_look(const RunStatus& status);

/// Work of the simulation thread in progress.
struct Busy {
  double frame_seconds = 0.0;  ///< s spent on the present frame
  std::string next_scene;      ///< the scene opened after it; "" for none
};

/// "Computing this frame, 12 s, then opens tear_cube".
std::string busy_text(const Busy& busy);

/// The reason why a fluid is drawn as balls although the user did not choose them; "" if it is not.
std::string_view why_balls(const ViewChoices& view);

/// State of the picture.
struct Drawing {
  double time = 0.0, fps = 0.0;  ///< s, time of the scene; pictures per second
  std::string_view balls;        ///< why_balls(); "" without fluids
  bool panels = true;            ///< shown; else the line tells how to show them
};

/// The hints at the right end of the line.
std::string hint_text(bool panels);

/// The line along the bottom: state, scene, time, speeds, method, threads, with hints on the right. While a
/// frame takes long, shows its progress instead.
void status_line(const Rect& rect, const RunStatus& status, const Drawing& drawing, const Busy& busy = {});

}  // namespace limber::ui
