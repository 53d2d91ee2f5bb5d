// Interface for traces and for stopping within a frame.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Progress of a step.
struct StepPoint {
  std::string_view stage;  ///< last stage that was done; empty: a whole number of iterations has been done
  int substep = 0;         ///< number of the substep in the frame, from 0
  int iteration = 0;       ///< iterations done in the substep, without the present one
};

/// Called by thread 0 while all others wait.
class StepProbe {
 public:
  virtual ~StepProbe() = default;
  /// Returns false to end the step here; the caller of the step has to restore the World then.
  virtual bool look(const World& world, const StepPoint& point) = 0;
};

}}  // namespace limber::LIMBER_PRECISION
