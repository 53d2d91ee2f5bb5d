#pragma once

#include <cstddef>
#include <string>

#include "app/sim/run_status.hpp"
#include "app/ui/layout.hpp"

namespace limber::ui {

/// Three digits and more only before the point; an exponent outside of 0.001 to 10,000: "0.125", "6600",
/// "6.6e4".
std::string short_number(double value);

/// What a step costs and what state the scene is in: times, counts, strain, energies.
void diagnostics(const Rect& rect, const RunStatus& status, std::size_t particles);

}  // namespace limber::ui
