// Counts heap allocations, to see that something makes none.
#pragma once

namespace limber {

/// How often the calling thread has called operator new so far.
long allocations();

}  // namespace limber
