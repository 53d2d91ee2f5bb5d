// Counts triangles that cross each other where nothing keeps them from it.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/simulation/simulation.hpp"

namespace limber {

/// Counts the crossings of a scene's surfaces, which is too slow for every frame of a large one.
class Crossings {
 public:
  /// Call it after every Simulation::step(). Counts in every frame with cloth_collision, which promises that
  /// there are none, if `promised` asks for that; else once a simulated second. True: it did.
  bool count(const Simulation& simulation, bool promised);

  /// Pairs of triangles, at the last count; none before the first one, or of a scene without surfaces.
  std::optional<std::int64_t> last() const { return last_; }

  void forget() { last_.reset(); }

 private:
  std::optional<std::int64_t> last_;
};

}  // namespace limber
