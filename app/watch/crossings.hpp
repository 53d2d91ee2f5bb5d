// Counts crossing triangles of a scene's surfaces.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/simulation/simulation.hpp"

namespace limber {

/// Counts the pairs of crossing triangles of a scene. In a large scene this is too slow for every frame.
class Crossings {
 public:
  /// Must be called after every Simulation::step(). Counts in every frame if `promised` is set and
  /// cloth_collision, which promises no crossings, is on; otherwise once per simulated second. Returns
  /// whether it counted.
  bool count(const Simulation& simulation, bool promised);

  /// Pairs of crossing triangles at the last count; none before the first count, and for scenes without
  /// surfaces.
  std::optional<std::int64_t> last() const { return last_; }

  void forget() { last_.reset(); }

 private:
  std::optional<std::int64_t> last_;
};

}  // namespace limber
