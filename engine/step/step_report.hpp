#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>

namespace limber {

/// Any thread may set this flag to end the frame that another thread computes. It is read between substeps
/// and between iterations.
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
  double surface_contacts = 0;    ///< contacts between features of surfaces, at the end of the frame
  double surface_watched = 0;     ///< feature pairs that are only watched for crossing
  int surface_searches = 0;       ///< searches for pairs in the frame
  double in_zones = 0;            ///< particles in impact zones, summed over the substeps
  /// Vertices that have crossed a surface or lie at an intersection, at the frame's start.
  double tangled = 0;
  /// Residual of implicit viscosity in the last substep, as a share of |v*| (ThickFluid).
  double viscosity_residual = 0;
  int viscosity_sweeps = 0;  ///< iterations of that solve; 0: no fluid needs it
  bool nonfinite = false;    ///< a number was not finite, and the frame was undone
  bool cancelled = false;    ///< the frame was undone because of the CancelFlag
  bool stopped = false;  ///< a probe ended the frame between two stages; the state is the one at that moment
};

}  // namespace limber
