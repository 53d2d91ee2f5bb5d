#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace limber {

/// What a frame of simulation did.
struct StepReport {
  struct Stage {
    std::string_view name;
    double ms;
  };
  double solver_ms = 0.0;
  std::span<const Stage> stages;  ///< valid until the next step
  double contacts = 0;            ///< mean number over the substeps
  bool nonfinite = false;         ///< the frame was undone: the state is the last good one
};

}  // namespace limber
