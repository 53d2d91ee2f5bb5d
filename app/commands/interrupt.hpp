// Ctrl+C, so that what was asked for is still written.
#pragma once

namespace limber {

/// The first Ctrl+C, or a polite kill, is noted; the second one, back at the default action, ends the
/// program.
void stop_on_interrupt();

/// Whether it came. Whoever called stop_on_interrupt() ends after the frame then.
bool interrupted();

}  // namespace limber
