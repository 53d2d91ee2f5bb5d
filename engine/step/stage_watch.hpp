// Interface for looking at each stage of a step: tests check with it what stages use.
#pragma once

#include <string_view>

#include "engine/state/world.hpp"
#include "engine/step/uses.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A stage that a step runs.
struct StageRun {
  std::string_view name;
  std::size_t row = 0;  ///< in the table of stages
  Uses uses;            ///< declared by the table
  int substep = 0;      ///< number in the frame, from 0
  int iteration = 0;    ///< number in the substep, from 0
};

/// Called by thread 0 while all others wait. A watch may change the World, in contrast to a StepProbe, and
/// does not make stages show positions that nothing else reads.
class StageWatch {
 public:
  virtual ~StageWatch() = default;
  virtual void before(World& world, const StageRun& run) = 0;
  virtual void after(World& world, const StageRun& run) = 0;
};

}}  // namespace limber::LIMBER_PRECISION
