#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/lab/run_status.hpp"
#include "app/ui/layout.hpp"

namespace limber::ui {

/// Numbers and plots chosen by the user.
struct DiagnosticsState {
  std::vector<std::string> plotted;  ///< numbers of the report, one plot each
  char search[64] = "";              ///< text typed in the list of numbers
};

/// Plots the chosen numbers over time, with a curve for each variant. The list of numbers is below the plots.
void number_plots(const Publications& shown, DiagnosticsState& state);

/// Shows the cost of a step and the state of the scene: times, counts, strain, energies, and the chosen
/// plots.
void diagnostics(const Rect& rect, const Publications& shown, const RunStatus& status, std::size_t particles,
                 DiagnosticsState& state);

}  // namespace limber::ui
