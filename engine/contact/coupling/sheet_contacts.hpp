// Contacts of grains and of the particles of clusters with the triangles of cloth, both ways.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/contact/particles/cluster_contacts.hpp"
#include "engine/contact/particles/neighbour_search.hpp"
#include "engine/contact/tied_objects.hpp"
#include "engine/contact/touched_parts.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A grain against the nearest point sum b_j p_j of a triangle, computed at the substep's start (test vectors
/// point_triangle_thickness ...). With u the displacement since then,
///
///   C = n . (u - sum b_j u_j) + gap >= 0,   w = w_grain + sum b_j^2 w_j
///
/// (contact/law.hpp; side A is the grain or its cluster, side B the triangle). Multipliers start at zero in
/// every substep. For a particle of a rigid cluster the whole cluster moves: w_grain is then 1/M + (r x n)^T
/// I^-1 (r x n), as in a ClusterRow.
struct SheetRow : ContactRow {
  std::int32_t grain, points[3];
  std::int32_t cluster;  ///< rigid cluster of the particle; negative: the particle moves by itself
  vec3 arm{0};           ///< m, from the cluster's centre of mass to the particle
  vec3 weight;
};

/// Rows are made anew in each substep; every thread searches its own blocks of triangles. Rows are solved in
/// groups: all rows of a triangle with particles that move by themselves, or all rows of a rigid cluster.
/// Groups of one colour (first fit over vertices, grains and clusters) share none of these. Groups and
/// colours follow from the order of the triangles, so nothing depends on the number of threads.
class SheetContacts {
 public:
  static bool enabled(const World& world) {
    return !(world.topology->matter.empty() && world.topology->fluid.empty()) && world.topology->facets() > 0;
  }

  // Must be called by every thread of the team.

  /// A grid of particles. Every particle is at most `stray` m from its position in the grid, both at the
  /// substep's start and at its end.
  struct Sorted {
    const NeighbourSearch* grid;
    real stray;
  };

  /// Makes the rows for the paths of a substep of h s, after prediction, with the particles of all grids.
  void aim(const World& world, std::span<const Sorted> particles, const ClusterContacts& clusters, real h,
           Team& team);
  /// Projects the rows of particles that move by themselves (not in a rigid cluster).
  void project(World& world, Team& team);
  /// Projects the rows of rigid clusters, after ClusterContacts::solve(), and moves their particles along.
  void project_clusters(World& world, ClusterContacts& clusters, Team& team);

  /// Applies restitution, after velocities were taken in a substep of h s.
  void bounce(World& world, ClusterContacts& clusters, real h, Team& team);

  /// Tells `touched` at a substep's end which parts pushed each other, or were pushed by an object that
  /// belongs to no part. Each thread reports the rows that it found.
  void tell_touched(TouchedParts& touched, const Team& team) const;

  std::int64_t touching() const;  ///< number of rows that pushed in the last substep

 private:
  static constexpr std::int64_t block_triangles = 32;  ///< triangles of a block, the unit of the search

  /// A run of rows or groups in one thread's list.
  struct Run {
    std::int32_t first = 0, end = 0;
  };
  /// Rows found by one thread.
  struct Found {
    std::vector<SheetRow> loose, rigid;
    std::vector<Run> groups;         ///< groups of `loose`, one for each triangle that has some
    std::vector<std::int32_t> near;  ///< scratch: particles that a block can meet
    void clear() { loose.clear(), rigid.clear(), groups.clear(), near.clear(); }
  };
  struct Block {
    std::int32_t list;  ///< index in found_
    Run groups, rigid;
  };
  struct RigidRow {
    std::int32_t cluster, number;  ///< number: in the order of the triangles
    SheetRow* row;
  };
  /// Groups by colour.
  struct Coloured {
    std::vector<std::int32_t> color, order, begin;
  };

  void aim_block(const World& world, std::span<const Sorted> particles, const ClusterContacts& clusters,
                 std::int64_t block, real h, Found& out) const;
  void aim_triangle(const World& world, const ClusterContacts& clusters, std::size_t t, real h,
                    Found& out) const;
  void color_loose(const World& world);
  void color_rigid(const World& world);

  TiedObjects tied_;
  std::vector<Found> found_;  ///< per thread
  std::vector<Block> blocks_;
  std::vector<std::span<SheetRow>> loose_;     ///< groups, in the order of the triangles
  std::vector<RigidRow> rigid_;                ///< sorted by cluster
  std::vector<std::span<RigidRow>> clusters_;  ///< groups of rigid_
  Coloured loose_colors_, cluster_colors_;
  std::vector<std::uint64_t> used_loose_, used_rigid_;  ///< per particle: mask of colours taken
};

}}  // namespace limber::LIMBER_PRECISION
