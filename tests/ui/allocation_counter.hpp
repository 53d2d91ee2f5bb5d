// Counts heap allocations, to see that something makes none.
#pragma once

namespace limber {

/// How often the program has called operator new so far, on any thread and with any alignment.
long allocations();

/// How many bytes it asked for.
long allocated_bytes();

}  // namespace limber
