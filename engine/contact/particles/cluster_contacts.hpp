// Contacts of rigid clusters: rows of cluster_row.hpp, solved group by group.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/contact/particles/cluster_row.hpp"
#include "engine/contact/particles/kept_contacts.hpp"
#include "engine/contact/particles/neighbour_search.hpp"
#include "engine/core/first_fit.hpp"
#include "engine/parallel/color_visits.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A cluster of stiffness 1 is rigid: in contact with other clusters, grains and colliders it is a rigid
/// body. The group of a cluster consists of its rows with rigid clusters of a higher number, with other
/// particles and with colliders. One thread solves a group in a fixed order; groups that share a cluster or a
/// particle have different colours. Nothing depends on the number of threads.
class ClusterContacts {
 public:
  /// Allocates.
  void reserve(const World& world);

  /// Finds the rigid clusters, on one thread, at the start of a frame.
  void begin_frame(const World& world);

  bool any() const { return any_; }
  /// The rigid cluster that a particle belongs to, or -1.
  std::int32_t rigid_at(std::int32_t particle) const { return any_ ? rigid_[std::size_t(particle)] : -1; }

  // Called on one thread, before and after a search for pairs.
  void clear_pairs() { pairs_.clear(); }
  /// Adds a pair if one of the two particles belongs to a rigid cluster; otherwise returns false.
  bool add_pair(const ParticlePair& pair, real friction, real restitution);
  void group(const World& world, const KeptContacts& kept);

  // Must be called by every thread of the team.

  /// Called after prediction. Stores the rotations of the clusters at the start of the substep. Marks the
  /// contacts of colliders with rigid clusters as taken: from then on they are solved here.
  void take(const World& world, StaticContacts& contacts, Team& team);
  /// Makes the rows, after shape matching at p, and warm-starts them. `outward`: see ParticleSweep. `kept`:
  /// multipliers of the last frame, passed in the first substep of a frame; otherwise null.
  void aim(World& world, const AlignedVector<vec4>& outward, real h, const KeptContacts* kept, Team& team);
  /// Sweeps over all rows, then moves the particles of clusters. `first`: also sweeps that remove overlaps
  /// (lifts).
  void solve(World& world, bool first, Team& team);

  bool bouncy() const { return any_ && bouncy_; }
  /// Restitution, after velocities were computed: an impact faster than 2 g h leaves with e times its speed.
  /// A cluster bounces as a whole.
  void bounce(World& world, real h, Team& team);
  /// Around bounces of other contacts with clusters: take_velocities() writes the velocities of the clusters
  /// into the frames of motion(), give_velocities() applies the changes to the particles.
  void take_velocities(const World& world, const Team& team);
  void give_velocities(World& world, const Team& team);

  /// Motions of the clusters for other contacts, on one thread after solve(): these contacts apply impulses
  /// to the frames, then carry() moves the particles of cluster `s` along.
  ClusterMotion* motion() { return motion_.data(); }
  void carry(World& world, std::size_t s);

  /// Calls act(ParticleContact) for all rows that pushed; their multipliers are to be kept.
  template <class Act>
  void for_kept(const Act& act) const {
    for_rows([&](const ClusterRow& row) {
      if (row.lambda() != vec3(0)) act(ParticleContact{row.a, row.b, row.lambda(), row.before});
    });
  }

 private:
  struct Pair {
    std::int32_t a, b;  ///< a belongs to the rigid cluster of the group
    real friction, restitution;
    vec3 kept{0};
    real before = 0;
  };
  /// Pairs and rows of one rigid cluster. Pairs are from the last search, rows from this substep.
  struct Group {
    std::int32_t first_pair = 0, end_pair = 0;
    std::int32_t first_row = 0, rows = 0;
    std::int32_t touching = 0;            ///< contacts with colliders
    std::int32_t first_old = 0, old = 0;  ///< rows of the substep before, in old_rows_
  };
  void color(const World& world);
  /// Calls act(row) for the rows of this substep. Others in rows_ are left from earlier substeps.
  template <class Act>
  void for_rows(const Act& act) const {
    for (const std::int32_t s : order_) {
      const Group& group = groups_[std::size_t(s)];
      for (std::int32_t k = group.first_row; k < group.first_row + group.rows; ++k)
        act(rows_[std::size_t(k)]);
    }
  }
  template <class Act>
  void for_clusters(const Team& team, const Act& act) const;
  template <class Act>
  static void for_contacts(const World& world, std::size_t s, StaticContacts& contacts, const Act& act);
  ClusterMotion motion_of(const World& world, std::size_t s) const;
  void aim_pairs(World& world, const AlignedVector<vec4>& outward, real h, std::size_t s);
  void aim_colliders(World& world, real h, const KeptContacts* kept, std::size_t s);
  ParticleContact was_kept(const Group& group, const ClusterRow& row) const;
  void warm(World& world, std::size_t s);
  void refresh(const World& world, std::size_t s);
  void sweep(World& world, bool overlaps, std::size_t s);
  void take_velocity(const World& world, std::size_t s);
  void bounce_rows(World& world, real h, std::size_t s);
  void give_velocity(World& world, std::size_t s);
  void move(World& world, std::size_t s);
  template <class Act>
  void for_groups(ColorTurns& turns, const Act& act) const;
  LooseParticles loose(World& world) const {
    return {world.particles.position.data(), world.particles.previous.data(),
            world.particles.velocity.data()};
  }

  bool any_ = false, bouncy_ = false;
  StaticContacts* colliders_ = nullptr;    ///< contacts of this substep
  std::vector<std::int32_t> rigid_;        ///< per particle: its rigid cluster or -1
  std::vector<Symmetric> inverse_;         ///< per cluster: 1/(kg m^2), inverse inertia in the rest pose
  std::vector<real> inverse_mass_;         ///< per cluster: 1/kg
  std::vector<vec4> turn_before_;          ///< per cluster: rotation at the start of the substep
  std::vector<ClusterMotion> motion_;      ///< per cluster
  std::vector<Group> groups_;              ///< per cluster
  std::vector<std::int32_t> order_;        ///< clusters colour after colour
  std::vector<std::int32_t> color_begin_;  ///< per colour: its first index in order_
  std::vector<std::int32_t> color_of_;     ///< per cluster
  std::vector<std::uint64_t> used_;        ///< per cluster, then per particle: mask of colours taken
  std::vector<Pair> pairs_, sorted_;
  std::vector<ClusterRow> rows_, old_rows_;
};

}}  // namespace limber::LIMBER_PRECISION
