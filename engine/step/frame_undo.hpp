// Undoing a frame: the World at its start is put back as a whole.
#pragma once

#include "engine/state/world_finite.hpp"
#include "engine/step/stepper.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Around each frame: begin(), the solver's step, end().
class FrameUndo {
 public:
  void begin(const World& world) { start_ = world; }  ///< allocates nothing once the storage is there

  /// Room for a frame of `world`, to which something was added.
  void reserve(const World& world) {
    start_ = world;
    start_.topology.reset();
  }

  /// Undoes the frame if it was cancelled or has made anything non-finite. Returns whether it was undone.
  bool end(World& world, Stepper& solver, StepReport& report) {
    if (!report.cancelled && !report.nonfinite) report.nonfinite = !carries_finite_values(world);
    const bool undone = report.nonfinite || report.cancelled;
    if (undone)
      put_back(world, solver);
    else
      start_.topology.reset();  // what tears change must be known to one World only, or they copy it
    return undone;
  }

  /// Undoes the frame.
  void put_back(World& world, Stepper& solver) {
    std::swap(world, start_);
    start_.topology.reset();
    solver.prepare(world);  // its scratch state is that of the undone frame
  }

 private:
  World start_;
};

}}  // namespace limber::LIMBER_PRECISION
