// Soft solids that break or are cut: particles leave clusters, and parts of a solid collide with each other.
#pragma once

#include <vector>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Takes particles out of clusters. Changes `world`, and its topology, of which it makes an own copy at the
/// first change. An entry that has left has no weight. Serial, between frames.
class SoftParter {
 public:
  explicit SoftParter(World& world) : world_(world) {}

  /// Takes member `m` out of the cluster of `entry`. A cluster keeps `fewest` particles, a particle one
  /// cluster.
  bool leave(std::size_t m, std::int32_t entry);
  /// Computes new centres, moments and parts. Returns whether any particle has left.
  bool finish();

  static constexpr int fewest = 4;

 private:
  void center(std::size_t cluster);
  void number_parts();

  World& world_;
  Topology* own_ = nullptr;
  std::vector<char> changed_;  ///< per cluster
};

/// m, present centre of mass of a cluster. `rest`: result of rest_of().
glm::dvec3 center_of_cluster(const World& world, const vec4* rest, std::size_t cluster);
/// For each cluster the number of its part, from 0 in each solid. Clusters of one part are connected by
/// common particles, directly or through others.
std::vector<std::int32_t> parts_of_clusters(const SoftMatter& matter);
/// Number of entries that have left.
std::int64_t entries_left(const SoftMatter& matter);

}}  // namespace limber::LIMBER_PRECISION
