// Soft solids that break or are cut: particles leave clusters, and parts of a solid touch.
#pragma once

#include <vector>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Changes `world` and, from the first entry that leaves, its topology, which it makes the world's own. An
/// entry that has left weighs nothing. Serial, between frames.
class SoftParter {
 public:
  explicit SoftParter(World& world) : world_(world) {}

  /// Takes member `m` out of the cluster of `entry`. A cluster keeps `fewest` particles, a particle one
  /// cluster.
  bool leave(std::size_t m, std::int32_t entry);
  /// New centres and moments, and which parts there are. Whether anything left.
  bool finish();

  static constexpr int fewest = 4;

 private:
  void center(std::size_t cluster);
  void number_parts();

  World& world_;
  Topology* own_ = nullptr;
  std::vector<char> changed_;  ///< per cluster
};

/// m, the centre of mass of a cluster where its particles are now; `rest`: rest_of() the matter.
glm::dvec3 center_of_cluster(const World& world, const vec4* rest, std::size_t cluster);
/// Per cluster the number of its part, from 0 in each solid: those that have particles in common, directly or
/// through others.
std::vector<std::int32_t> parts_of_clusters(const SoftMatter& matter);
/// Entries that have left.
std::int64_t entries_left(const SoftMatter& matter);

}}  // namespace limber::LIMBER_PRECISION
