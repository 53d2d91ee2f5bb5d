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

/// A grain against the point sum b_j p_j of a triangle that is nearest to it at the substep's start (vectors
/// point_triangle_thickness ...). With u the displacement since then,
///
///   C = n . (u - sum b_j u_j) + gap >= 0,   w = w_grain + sum b_j^2 w_j
///
/// (contact/law.hpp; side A is the grain or the cluster it belongs to, B the triangle). Multipliers start at
/// zero in every substep. A particle of a rigid cluster moves with the whole of it: w_grain is 1/M + (r x
/// n)^T I^-1 (r x n), as in a ClusterRow.
struct SheetRow : ContactRow {
  std::int32_t grain, points[3];
  std::int32_t cluster;  ///< rigid; negative: the particle moves by itself
  vec3 arm{0};           ///< m, of such a cluster: the particle from its centre of mass
  vec3 weight;
};

/// Rows are made anew in each substep; every thread searches its own blocks of triangles. Rows are solved in
/// groups: a triangle with loose particles, or a rigid cluster with all triangles that it meets. Groups of
/// one colour (first fit over vertices, grains and clusters) share nothing. Groups and colours follow from
/// the order of the triangles, so nothing depends on the number of threads.
class SheetContacts {
 public:
  static bool enabled(const World& world) {
    return !(world.topology->matter.empty() && world.topology->fluid.empty()) && world.topology->facets() > 0;
  }

  // Must be called by every thread of the team. All end at a barrier.

  /// Particles in a grid whose entries are at most `stray` m from their positions at the substep's start and
  /// end.
  struct Sorted {
    const NeighbourSearch* grid;
    real stray;
  };

  /// Makes the rows for the paths of a substep of h s, after prediction, with the particles of all the grids.
  void aim(const World& world, std::span<const Sorted> particles, const ClusterContacts& clusters, real h,
           Team& team);
  /// Projects the rows of particles that move by themselves.
  void project(World& world, Team& team);
  /// Projects the rows of rigid clusters, after ClusterContacts::solve(), and moves their particles along.
  void project_clusters(World& world, ClusterContacts& clusters, Team& team);

  /// Applies restitution, after velocities were taken in a substep of h s.
  void bounce(World& world, ClusterContacts& clusters, real h, Team& team);

  /// Tells `touched` at a substep's end which parts pushed each other, or were pushed by an object that is no
  /// part. Every thread tells what it found.
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
    std::vector<Run> groups;         ///< of loose rows, one for each triangle that has some
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
  std::vector<RigidRow> rigid_;                ///< by cluster
  std::vector<std::span<RigidRow>> clusters_;  ///< groups of rigid_
  Coloured loose_colors_, cluster_colors_;
  std::vector<std::uint64_t> used_loose_, used_rigid_;  ///< per particle: colours
};

}}  // namespace limber::LIMBER_PRECISION
