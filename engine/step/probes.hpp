// The probe of traces.
#pragma once

#include <chrono>
#include <vector>

#include "engine/core/iteration_trace.hpp"
#include "engine/step/step_probe.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Adds a row to the trace before the first iteration of each substep and after every iteration.
class TraceProbe final : public StepProbe {
 public:
  using Measure = Convergence (*)(const World&, std::span<const vec4> predicted);
  TraceProbe(Measure measure, std::vector<IterationTrace>& rows) : measure_(measure), rows_(rows) {}

  bool look(const World& world, const StepPoint& point) override {
    if (!point.stage.empty()) return true;
    const Clock::time_point begin = Clock::now();
    spent_ += begin - since_;
    if (point.iteration == 0) predicted_ = world.particles.moved;
    rows_.push_back({point.substep, point.iteration, spent_.count(), measure_(world, predicted_)});
    since_ = Clock::now();
    measuring_ += since_ - begin;
    return true;
  }
  /// ms, time spent on measuring so far.
  double measuring_ms() const { return measuring_.count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point since_ = Clock::now();
  std::chrono::duration<double, std::milli> spent_{0.0}, measuring_{0.0};
  Measure measure_;
  std::vector<IterationTrace>& rows_;
  AlignedVector<vec4> predicted_;
};

}}  // namespace limber::LIMBER_PRECISION
