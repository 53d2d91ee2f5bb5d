// Counts heap allocations, to test that a step makes none.
#pragma once

namespace limber {

/// Number of calls of operator new so far, on any thread and with any alignment.
long allocations();

/// Number of bytes allocated so far.
long allocated_bytes();

}  // namespace limber
