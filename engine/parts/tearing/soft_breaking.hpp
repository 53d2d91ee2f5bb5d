// Breaking of soft solids: a particle leaves a cluster if its goal in that cluster differs much from its
// goals in the others.
#pragma once

#include <vector>

#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A particle in several clusters has a goal in each: its place in the cluster's shape, rotated but not
/// strained. If a goal differs from the mean of the others by more than break_strain times the clusters'
/// size, the particle leaves that cluster. Its weight in the remaining clusters increases, so mass and
/// momenta are conserved. A particle leaves at most one cluster in a frame, in a fixed order, so nothing
/// depends on the number of threads. Clusters that common particles no longer connect, directly or through
/// other clusters, become parts that collide.
class SoftBreaking {
 public:
  static bool enabled(const World& world);
  void reserve(const World& world);

  /// Finds the particles that leave, after the last substep. Must be called by every thread of the team.
  /// Begins with a barrier.
  void look(const World& world, Team& team);
  /// Removes them from their clusters, after the frame. Returns whether any left. Serial.
  bool part(World& world);

 private:
  std::vector<glm::dvec3> center_;     ///< m, per cluster
  std::vector<std::int32_t> leaving_;  ///< per member: the entry that it leaves; -1: none
};

}}  // namespace limber::LIMBER_PRECISION
