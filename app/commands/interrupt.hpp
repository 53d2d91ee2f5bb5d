// Handles Ctrl+C so that outputs are still written.
#pragma once

#include "engine/simulation/simulation.hpp"

namespace limber {

/// Installs handlers for Ctrl+C and termination signals. The first signal is noted; another one a second or
/// two later ends the program.
void stop_on_interrupt();

/// Whether a signal has been noted. Callers of stop_on_interrupt() must then end after the present frame.
bool interrupted();

/// The flag of interrupted() for Simulation::step, which then cancels the frame under way.
const CancelFlag& interrupt_flag();

}  // namespace limber
