// Shape matching of clusters: lays out columns of particles for the kernels of
// constraints/shape_matching.hpp.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/kernels/kernels.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The particles of a small cluster are one column; columns of similar length lie side by side in a group,
/// and one thread sums, rotates and moves a group. A large cluster is divided into several columns, whose
/// sums are added after a barrier.
class ShapeMatching {
 public:
  explicit ShapeMatching(const ShapeMatchingKernels<real>& kernels) : kernels_(kernels) {}

  static bool enabled(const World& world) {
    const std::vector<Solid>& solids = world.topology->matter.solids;
    return std::any_of(solids.begin(), solids.end(), [](const Solid& solid) { return solid.soft < 0; });
  }

  /// Cuts the clusters into columns; allocates.
  void reserve(const World& world);

  /// Starts a substep: resets the weights of all particles.
  void release(const Team& team);

  /// Increases the weight of a particle that a collider stops, until the next release(). With its own weight,
  /// one particle among many would hardly slow its cluster.
  void add_support_mass(std::int32_t particle) {
    if (const std::int32_t slot = slot_of_[std::size_t(particle)]; slot >= 0)
      mass_[std::size_t(slot)] = supported_weight * own_mass_[std::size_t(slot)];
  }

  /// Moves all clusters towards their shapes once. Must be called by every thread of the team.
  void project(World& world, Team& team);

 private:
  static constexpr std::int32_t longest_column = 256;
  static constexpr real supported_weight = 30;

  struct Group {
    std::int32_t begin, end;           ///< slots
    std::int32_t cluster[lane_group];  ///< cluster of each column, in Topology::matter; -1: none
  };
  /// Sums, rotations and positions of lane_group clusters or columns.
  struct alignas(64) Fit {
    real sums[column_sums * lane_group];
    real spread[lane_group];
    real turns[4 * lane_group];               ///< R
    real turns_before[4 * lane_group];        ///< R0, the rotation to which the sums are relative
    real places[column_places * lane_group];  ///< positions relative to `middle`
    real stiffness[lane_group];
    real middle[3 * lane_group];   ///< m, approximate centre of mass at the frame's start
    real carried[3 * lane_group];  ///< m, approximate displacement of the centre of mass since then
  };

  void add_columns(const World& world, const std::vector<std::int32_t>& clusters, std::vector<Group>& groups);
  void add_group(const World& world, const Group& group, const std::vector<std::int32_t>& first,
                 const std::vector<std::int32_t>& count);
  ColumnView<real> view() const;
  static ColumnPlaces<real> places_of(World& world, const Fit& fit);
  void prepare(const World& world, const std::int32_t* clusters, Fit& fit) const;
  void turn(World& world, const std::int32_t* clusters, Fit& fit) const;
  void project_small(World& world, const Group& group);
  void gather_large(std::size_t block);

  const ShapeMatchingKernels<real>& kernels_;
  std::vector<Group> small_, large_;
  std::vector<std::int32_t> large_clusters_;  ///< padded to whole blocks of lane_group with -1
  std::vector<std::int32_t> first_column_;  ///< per large cluster: its first column; and one more for the end
  /// Columns of large_; clusters, per block of large_clusters_.
  std::vector<Fit> column_fits_, cluster_fits_;
  AlignedVector<std::int32_t> particle_;  ///< per slot, like the arrays of the next line
  AlignedVector<real> rest_[3], mass_, own_mass_;
  std::vector<std::int32_t> slot_of_;  ///< per particle; -1: none
  std::vector<real> spread_;           ///< per cluster, kg m^2
};

}}  // namespace limber::LIMBER_PRECISION
