// Soft solids that break or are cut: particles leave clusters, and parts of a solid collide with each other.
#pragma once

#include <vector>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Removes particles from clusters. Changes `world` and its topology, of which it makes its own copy at the
/// first change. An entry that has left its cluster has no weight. Serial, between frames.
class SoftParter {
 public:
  explicit SoftParter(World& world) : world_(world) {}

  /// Removes member `m` from the cluster of `entry`. Returns false if the cluster would have fewer than
  /// `fewest` particles, or the particle no cluster.
  bool leave(std::size_t m, std::int32_t entry);
  /// Computes new centres, moments and parts. Returns whether any particle has left.
  bool finish();

  static constexpr int fewest = 4;

 private:
  void number_parts();
  void part_skins();

  World& world_;
  Topology* own_ = nullptr;
  std::vector<char> changed_;  ///< per cluster
};

/// Present centre of mass of a cluster, m. `rest`: result of rest_of().
glm::dvec3 center_of_cluster(const World& world, const vec4* rest, std::size_t cluster);
/// Per cluster the number of its connected part, from 0 in each solid. Clusters of one part are connected by
/// common particles, directly or through other clusters.
std::vector<std::int32_t> parts_of_clusters(const SoftMatter& matter);
/// Removes a particle from all of its clusters, which a vertex of a cloth leaves when it is split: neither
/// half has the mass that the clusters know. A cluster with fewer than SoftParter::fewest particles ends.
/// `own`: result of own_topology().
void leave_clusters(World& world, Topology& own, std::int32_t particle);
/// Number of entries that have left their clusters, without those of split vertices, which are in no cluster.
std::int64_t entries_left(const SoftMatter& matter);

}}  // namespace limber::LIMBER_PRECISION
