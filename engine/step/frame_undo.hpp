// Undoing a frame: restores the whole World of the frame's start.
#pragma once

#include "engine/state/world_finite.hpp"
#include "engine/step/step_report.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Usage around each frame: begin(), the solver's step, end().
class FrameUndo {
 public:
  void begin(const World& world) { start_ = world; }  ///< allocates nothing once the storage exists

  /// Reserves storage for `world`, to which something was added.
  void reserve(const World& world) {
    start_ = world;
    start_.topology.reset();
  }

  /// Undoes the frame if it was cancelled or has produced a non-finite number. Returns whether it was undone.
  bool end(World& world, StepReport& report) {
    if (!report.cancelled && !report.nonfinite) report.nonfinite = !carries_finite_values(world);
    const bool undone = report.nonfinite || report.cancelled;
    if (undone)
      put_back(world);
    else
      // A Topology that only one World refers to can be changed by tears without a copy.
      start_.topology.reset();
    return undone;
  }

  /// Undoes the frame.
  void put_back(World& world) {
    std::swap(world, start_);
    start_.topology.reset();
    world.changed(Change::everything);  // the solver's scratch state belongs to the undone frame
  }

 private:
  World start_;
};

}}  // namespace limber::LIMBER_PRECISION
