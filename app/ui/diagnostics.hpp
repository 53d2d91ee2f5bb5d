#pragma once

#include "app/sim/run_status.hpp"
#include "app/ui/layout.hpp"

namespace limber::ui {

/// What a step costs and what state the scene is in: times, counts, strain, energies.
void diagnostics(const Rect& rect, const RunStatus& status, std::size_t particles);

}  // namespace limber::ui
