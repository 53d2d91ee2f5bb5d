// Ctrl+C, so that what was asked for is still written.
#pragma once

#include "engine/simulation/simulation.hpp"

namespace limber {

/// The first Ctrl+C, or a polite kill, is noted; another one that comes a second or two later ends the
/// program.
void stop_on_interrupt();

/// Whether it came. Whoever called stop_on_interrupt() ends after the frame then.
bool interrupted();

/// The same, for Simulation::step: a frame under way is given up.
const CancelFlag& interrupt_flag();

}  // namespace limber
