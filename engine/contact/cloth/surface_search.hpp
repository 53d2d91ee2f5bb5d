// Finds all pairs of surface features that can meet within a stretch of time.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/contact/cloth/pair_batch.hpp"
#include "engine/contact/cloth/surface_facing.hpp"
#include "engine/contact/cloth/surface_leaves.hpp"
#include "engine/contact/cloth/surface_tree.hpp"
#include "engine/contact/tied_objects.hpp"
#include "engine/state/world.hpp"

namespace limber::inline LIMBER_PRECISION {

/// The motion a search covers: from `from` straight to `to` in `h` s, and on at that speed for `ahead` s.
/// h = 0: they are the same, and `velocity` says how it goes on. Rows by particle.
struct Motion {
  const AlignedVector<vec4>& from;
  const AlignedVector<vec4>& to;
  const AlignedVector<vec4>& velocity;  ///< m/s
  real h, ahead;

  vec3 speed(std::size_t i) const { return h > real(0) ? vec3(to[i] - from[i]) / h : vec3(velocity[i]); }
};

/// Every particle may deviate by its margin from the predicted motion before a pair could be missed (a tube
/// around its path, relative to the others: what all have in common does not matter). A path is that of the
/// particle's group, on which it goes its own way until that is cut. Pairs within one
/// neighbourhood of the mesh that faces one way are left out: nothing can come between them.
class SurfaceSearch {
 public:
  SurfaceSearch(const SurfacePairKernels<real>& pairs, const SurfaceLeafKernels<real>& leaves)
      : kernels_(pairs), leaves_(leaves) {}

  void reserve(const World& world);

  /// Called by every thread of the team, ends at a barrier. Finds pairs() for the motion and starts the
  /// tubes.
  void run(const World& world, const Motion& motion, Team& team);

  /// The same for those alone that covers() found astray, `elapsed` s after the last run: they get new tubes,
  /// and pairs_of_strays() what they can meet there; what the last run found of them stays in pairs() unless
  /// it is to be `dropped`. False, and nothing has changed, if that is no better than a run().
  bool follow(const World& world, const Motion& motion, real elapsed, bool dropped, Team& team);

  /// Every particle that has been split since the last run has gone astray, with its copies: to follow() them
  /// finds what they meet now, and what was known of the triangles that changed hands is forgotten. Called by
  /// every thread of the team, ends at a barrier.
  void stray_from_tears(const World& world, Team& team);

  /// A new frame: paths and tubes start at full length. By one thread, before its first run().
  void begin_frame() { scale_ = 1; }

  /// Notes in Particles::acceleration how the speed of the particles [begin, end) at the end of `motion`
  /// differs from that foretold `elapsed` s before: paths of the next run() bend like that.
  void learn(Particles& particles, const Motion& motion, real elapsed, std::int64_t begin,
             std::int64_t end) const;

  /// Whether particles [begin, end), now at `position`, all are in their tubes `elapsed` s after `to`.
  /// Notes those that are not, and in Particles::stray how far they went astray.
  bool covers(Particles& particles, std::int64_t begin, std::int64_t end, real elapsed);

  std::span<const std::vector<SurfacePair>> pairs(PairKind kind) const { return found_[std::size_t(kind)]; }
  /// Of these, what was found since the last run().
  std::span<const std::vector<SurfacePair>> pairs_of_strays(PairKind kind) const {
    return pairs(kind).subspan(std::size_t(first_block_));
  }
  /// Per particle, 1: it was followed; until forget_strays().
  std::span<const std::uint8_t> strays() const { return astray_; }
  void forget_strays(const Team& team);

 private:
  /// What one thread has met and not yet looked at closely.
  struct Met {
    std::int32_t list;     ///< of found_
    bool crowded = false;  ///< it is all too much: no more is looked at
    MetPairs<real> pairs[pair_kinds] = {};
  };

  bool try_run(const World& world, const Motion& motion, Team& team);
  void place_groups(const World& world, const Motion& motion, const Team& team);
  void start(const World& world, const Motion& motion);
  void place_tubes(const World& world, const Motion& motion, const Team& team);
  real margin_of(const World& world, std::size_t particle) const;
  real bulge(const vec3& bend) const;
  real longest_way(const World& world, std::size_t particle) const;
  void set_rest(const World& world, std::size_t particle);
  void set_own_way(const World& world, std::size_t particle, const vec3& speed, real since);
  void bend_own_way(const World& world, std::size_t particle);
  Row<real> foretold(std::size_t particle, real after) const;
  void place_rows(std::size_t particle, real since);
  void place_nodes(const World& world, Team& team);
  void place_leaf(std::int32_t leaf);
  void unite_all(Team& team);
  void unite_block(std::int32_t block);
  void unite(std::int32_t node);
  void search(const World& world, Team& team);
  void list_leaves(std::int32_t block);
  void meet_listed(const World& world, std::int32_t block);
  bool past_paths(real elapsed) const;
  static std::int64_t most_strays(const World& world);
  void restart_strays(const World& world, const Motion& motion, real elapsed, const Team& team);
  void mark_leaves_at(const World& world, std::int32_t particle);
  void place_strays(const World& world, Team& team);
  void drop_strays(std::int32_t list);
  void meet_within(std::int32_t node, std::int32_t list);
  void meet_nodes(std::int32_t a, std::int32_t b, std::int32_t list);
  void list_pair(std::int32_t leaf_a, std::int32_t leaf_b, std::int32_t list);
  void meet_leaves(const World& world, std::int32_t a, std::int32_t b, Met& met);
  void meet_triangles(const World& world, std::int32_t vertex, const LeafFeatures<real>& leaf,
                      std::uint32_t found, Met& met);
  void meet_edges(const World& world, const std::array<std::int32_t, 2>& edge, const LeafFeatures<real>& leaf,
                  std::uint32_t found, Met& met);
  void make_room(const World& world, PairKind kind, Met& met);
  void keep_astray(MetPairs<real>& pairs, std::int32_t end) const;
  void flush(const World& world, PairKind kind, Met& met);
  std::int64_t keep_near(const World& world, PairKind kind, std::int32_t count, Met& met);

  static constexpr int block_height_ = 6;  ///< levels of the tree in a block

  const SurfacePairKernels<real>& kernels_;
  TiedObjects tied_;
  SurfaceTree tree_;
  SurfaceLeaves leaves_;
  SurfaceFacing facing_;
  std::int32_t first_block_ = 1;          ///< node of the tree
  AlignedVector<vec4> places_, reaches_;  ///< per particle, as filter_pairs wants them
  AlignedVector<vec4> rest_;              ///< per particle, as measure_rest wants them
  AlignedVector<vec4> start_;  ///< per particle: m, where it is at `to`, and the radius of its tube
  AlignedVector<vec4> own_;    ///< m/s, against its group; s after `to` at which this own way ends
  AlignedVector<vec4> bend_;   ///< m/s^2, of an own way to the end
  AlignedVector<vec4> group_;  ///< m/s, per stray_group, against the common velocity
  std::vector<real> group_way_, group_room_;  ///< sums over its members: m/s, of their own; m
  AlignedVector<Flow> flow_;                  ///< per node
  std::vector<std::vector<std::array<std::int32_t, 2>>> listed_;  ///< leaves to compare, per block
  std::vector<std::uint8_t> compared_;                            ///< per leaf: it is on a list
  std::vector<std::vector<SurfacePair>> found_[pair_kinds];       ///< per block, then the strays' per block
  std::vector<std::uint8_t> astray_;                              ///< per particle: it left its tube
  std::vector<std::uint8_t> with_strays_;                         ///< per node: a corner below it did
  bool following_ = false;                                        ///< pairs without a stray are known already
  bool dropping_ = false;                                         ///< those with one are to leave all lists
  real ahead_ = 0;
  real behind_ = 0;  ///< s before `to` at which paths start
  real scale_ = 1;   ///< of paths and tubes in this frame, see most_pairs
  vec3 common_{0};   ///< m/s, what all particles have in common
  std::atomic<std::int32_t> next_to_list_{0}, next_to_meet_{0};  ///< blocks
  std::atomic<std::int64_t> strays_{0};
  std::atomic<bool> crowded_{false};
  std::atomic<std::int64_t> looked_at_{0}, kept_{0};  ///< pairs of features in this run
};

}  // namespace limber::inline LIMBER_PRECISION
