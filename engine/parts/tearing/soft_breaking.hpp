// Breaking of soft solids: particles leave clusters whose goals lie far from those of their others.
#pragma once

#include <vector>

#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A particle in several clusters is asked to be in as many places, each where that cluster, turned but not
/// strained, would have it. Where one of them differs from the mean of the others by more than break_strain
/// times the clusters' size, the particle leaves that cluster and weighs more in what is left to it, so mass
/// and momenta stay. One entry of a particle in a frame, in one order: the same for any number of threads.
/// Clusters that have no particle in common any more, directly or through others, are parts that touch.
class SoftBreaking {
 public:
  static bool enabled(const World& world);
  void reserve(const World& world);

  /// After the last substep, by every thread. Begins with a barrier.
  void look(const World& world, Team& team);
  /// On one thread, behind the frame. Whether anything left.
  bool part(World& world);

 private:
  std::vector<glm::dvec3> center_;     ///< m, per cluster
  std::vector<std::int32_t> leaving_;  ///< per member: entry, -1: none
};

}}  // namespace limber::LIMBER_PRECISION
