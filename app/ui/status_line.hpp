#pragma once

#include "app/sim/run_status.hpp"
#include "app/ui/layout.hpp"

namespace limber::ui {

/// The line along the bottom: state, scene, time, speeds, method, threads; hints on the right.
void status_line(const Rect& rect, const RunStatus& status, double time, double fps);

}  // namespace limber::ui
