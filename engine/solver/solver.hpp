// The face behind which every solver stands.
#pragma once

#include <string_view>

#include "engine/solver/step_report.hpp"
#include "engine/state/world.hpp"

namespace limber::inline LIMBER_PRECISION {

/// Advances a World by one frame. A solver keeps scratch memory only: everything that matters is in the
/// World.
class Solver {
 public:
  virtual ~Solver() = default;
  /// Sizes the scratch for `world`; call after building or restoring a World of another topology.
  virtual void prepare(const World& world) = 0;
  /// Sizes what goes by bodies; call after bodies were added or removed, or a World of other bodies restored.
  virtual void prepare_bodies(const World& world) = 0;
  /// One frame of dt seconds. No allocation. The report's spans are valid until the next call. Where the
  /// report says nonfinite or cancelled, `world` is left as it was at that moment: the caller has to restore
  /// it.
  virtual StepReport step(World& world, double dt, const CancelFlag* cancel = nullptr) = 0;
};

}  // namespace limber::inline LIMBER_PRECISION
