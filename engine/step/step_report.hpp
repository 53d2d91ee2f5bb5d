#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>

namespace limber {

/// Set by any thread to end the frame that another one computes. The flag is read between substeps and
/// between sweeps.
using CancelFlag = std::atomic<bool>;

/// Timings, counts and outcome of a frame.
struct StepReport {
  struct Stage {
    std::string_view name;
    double ms;
  };
  double solver_ms = 0.0;
  std::span<const Stage> stages;  ///< valid until the next step
  double contacts = 0;            ///< mean number over the substeps
  double surface_contacts = 0;    ///< pairs of cloth features kept apart, at the end of the frame
  double surface_watched = 0;     ///< pairs watched for crossing
  int surface_searches = 0;       ///< searches for pairs in the frame
  double in_zones = 0;            ///< particles that had to move as one, summed over the substeps
  double tangled = 0;  ///< vertices on the wrong side of cloth, or at an intersection, at its start
  double viscosity_residual = 0;  ///< share of its speed that implicit viscosity left in the last substep
  int viscosity_sweeps = 0;       ///< that it took there; 0: no fluid needs it
  bool nonfinite = false;         ///< the frame was undone: the state is the one at its start
  bool cancelled = false;         ///< the same, because somebody asked for it (CancelFlag)
  bool stopped = false;  ///< a probe ended it between two projections, and the state is the one there
};

}  // namespace limber
