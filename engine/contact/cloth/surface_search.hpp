// Finds all pairs of surface features that can meet within a given time.
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

namespace limber { inline namespace LIMBER_PRECISION {

/// The motion that a search covers: straight from `from` to `to` in `h` s, then at the same velocity for
/// `ahead` s. If h = 0, `from` and `to` are the same and `velocity` is used. Arrays by particle.
struct Motion {
  const AlignedVector<vec4>& from;
  const AlignedVector<vec4>& to;
  const AlignedVector<vec4>& velocity;  ///< m/s
  real h, ahead;

  vec3 speed(std::size_t i) const { return h > real(0) ? vec3(to[i] - from[i]) / h : vec3(velocity[i]); }
};

/// Finds the pairs of surface features that can meet before the next search. No pair is missed while every
/// particle stays within its safe bound: a given distance from its predicted path, measured relative to the
/// common motion of the swarm. A predicted path is the mean path of the particle's group plus, for a limited
/// time, the particle's own deviation. Pairs within a piece of the mesh whose triangles face one way are left
/// out, because they cannot meet.
///
/// Objects whose surfaces could meet before the frame ends form a swarm. A swarm is searched as a whole, with
/// paths of equal duration and its own lists, so objects far away change neither its pairs nor their order.
/// Within a frame swarms can merge, but not split. Lists are per block of the tree; a block belongs to one
/// object.
class SurfaceSearch {
 public:
  SurfaceSearch(const SurfacePairKernels<real>& pairs, const SurfaceLeafKernels<real>& leaves)
      : kernels_(pairs), leaves_(leaves) {}

  void reserve(const World& world);

  /// Starts a frame: paths and safe bounds have full length, every object is a swarm of its own and due.
  /// Serial.
  void begin_frame();

  /// Returns whether all particles of a thread's share are within their safe bounds, `elapsed` s after the
  /// frame began. Records the particles that are not (the strays) and their deviations in Particles::stray.
  bool covers(Particles& particles, real elapsed, const Team& team);

  /// Makes strays of all particles that were split since the last search, and of their copies, so that their
  /// pairs are searched again. Drops cached data of triangles whose particles have changed. Must be called by
  /// every thread of the team.
  void invalidate_split_particles(const World& world, Team& team);

  /// Work to be done for the pairs of an object.
  enum class Due : std::uint8_t {
    nothing,
    follow,  ///< few strays: only their pairs are searched
    search,  ///< the pairs of all its particles are searched
  };

  /// Decides what is due for all objects, `elapsed` s after the frame began. Due are objects with strays or
  /// at the end of their paths, and objects that can now come near these, which join their swarm. Returns
  /// true on every rank if anything is due. Must be called by every thread of the team. Ends at a barrier.
  bool prepare(const World& world, const Motion& motion, real elapsed, Team& team);

  /// Carries out the searches that are due. Strays that are followed get new paths. Pairs of strays from the
  /// last search stay in pairs() unless drop_strays_of() was called. Must be called by every thread of the
  /// team.
  void run(const World& world, const Motion& motion, real elapsed, Team& team);

  /// Stores in Particles::acceleration how far the velocity at the end of `motion` differs from the predicted
  /// one, for particles of objects that are due for a search (or of all objects if `all`). Paths of the next
  /// search curve accordingly. Each thread treats its share.
  void learn(Particles& particles, const Motion& motion, real elapsed, bool all, const Team& team) const;

  /// Pairs found: a list per block, then a second list per block for the pairs of its strays.
  std::span<const std::vector<SurfacePair>> pairs(PairKind kind) const { return found_[std::size_t(kind)]; }
  std::int32_t blocks() const { return tree_.blocks(); }
  /// Per particle, 1: a stray whose pairs were searched again; valid until forget_strays().
  std::span<const std::uint8_t> strays() const { return strays_; }
  void forget_strays(const Team& team);

  /// Number of objects with a surface ("parts"), in the order of the objects. A swarm has the number of its
  /// first part.
  std::int32_t parts() const { return std::int32_t(parts_.size()); }
  std::int32_t object(std::int32_t part) const { return parts_[std::size_t(part)].object; }
  /// Number of the object's part; -1: the object has no surface.
  std::int32_t part_of_object(std::int32_t object) const { return part_of_object_[std::size_t(object)]; }
  std::int32_t swarm(std::int32_t part) const { return parts_[std::size_t(part)].swarm; }
  Due due(std::int32_t part) const { return parts_[std::size_t(part)].due; }
  /// Blocks of the part, [first, last).
  std::array<std::int32_t, 2> blocks_of(std::int32_t part) const {
    return {parts_[std::size_t(part)].first_block, parts_[std::size_t(part)].end_block};
  }
  /// Calls act(particle) for all particles of a part, including particles in reserve for tears.
  template <class Act>
  void for_particles(std::int32_t part, const Act& act) const {
    for (const Piece& piece : pieces_)
      if (piece.part == part)
        for (std::int32_t i = piece.first; i < piece.end; ++i) act(i);
  }
  /// While `drop` is true (the part is tangled), searches drop the pairs of its strays from all lists.
  void drop_strays_of(std::int32_t part, bool drop) { parts_[std::size_t(part)].dropping = drop; }

 private:
  /// The surface of one object. Its paths start at its last search.
  struct Part {
    std::int32_t object, first_block, end_block, particles = 0, triangles = 0;
    std::int32_t swarm = 0;                                 ///< number of the swarm's first part
    std::int32_t swarm_particles = 0, swarm_triangles = 0;  ///< sums over the swarm; valid for its first part
    Due due = Due::nothing;
    bool working = false;   ///< takes part in the current search
    bool measured = false;  ///< `reach` is known
    /// The swarm has just joined another one; the swarm is the result of a join.
    bool joined = false, grown = false;
    bool dropping = false;               ///< see drop_strays_of()
    Box reach{};                         ///< m, box of the surface's positions until the end of the frame
    real groups = 0, way = 0, room = 0;  ///< sums over the swarm; valid for its first part
    vec3 common{0};                      ///< m/s, mean velocity of the swarm's particles
    real ahead = 0;                      ///< s, duration of the paths
    real behind = 0;                     ///< s, time from the start of the paths to the last search
    real searched = 0;                   ///< s, time from the frame's start to the last search
    real scale = 1;                      ///< factor on paths and safe bounds in this frame, see most_pairs
  };
  /// Counters that threads add up for a swarm; stored at its first part.
  struct Counts {
    std::atomic<std::int64_t> strays{0}, looked_at{0}, kept{0};  ///< particles; pairs of features in this run
    std::atomic<bool> crowded{false};
  };
  /// A stray_group: consecutive particles of one part.
  struct Piece {
    std::int32_t part, first, end;
  };

  /// Candidate pairs of one thread: features whose boxes overlap, before the exact test.
  struct Met {
    std::int32_t list;           ///< index in found_
    Counts* counts;              ///< counters of the swarm
    std::int32_t triangles = 0;  ///< number of triangles of the swarm
    bool shortest = false;       ///< paths cannot be shortened any more
    bool crowded = false;        ///< there are too many pairs: no further pairs are examined
    MetPairs<real> pairs[pair_kinds] = {};
  };

  void list_parts(const World& world);
  void decide(real elapsed);
  Box reach_of(const World& world, const Motion& motion, std::size_t group) const;
  bool grow_together();
  std::int32_t root_of(std::int32_t part);
  void number_swarms();
  void try_run(const World& world, const Motion& motion, real elapsed, Team& team);
  void follow(const World& world, const Motion& motion, real elapsed, Team& team);
  void place_groups(const World& world, const Motion& motion, const Team& team);
  void start(const Motion& motion, real elapsed);
  void place_bounds(const World& world, const Motion& motion, const Team& team);
  real margin_of(const World& world, std::size_t group, std::size_t particle) const;
  static real bulge(const Part& part, const vec3& bend);
  static real longest_way(const World& world, const Part& part, std::size_t particle);
  void set_rest(const World& world, std::size_t particle);
  void set_own_way(const World& world, std::size_t group, std::size_t particle, const vec3& speed,
                   real since);
  void bend_own_way(const World& world, std::size_t group, std::size_t particle);
  Row<real> predicted(std::size_t group, std::size_t particle, real after) const;
  void place_rows(std::size_t group, std::size_t particle, real since);
  /// Calls act(group, piece) for a thread's share of the pieces of the parts in the current search.
  template <class Act>
  void for_pieces(const Team& team, const Act& act) const;
  const Part& part_of(std::int32_t block) const {
    return parts_[std::size_t(part_of_block_[std::size_t(block)])];
  }
  bool is_at_work(std::int32_t leaf) const;
  Counts& counts_of(const Part& part) { return counts_[std::size_t(part.swarm)]; }
  bool any_working() const;
  void place_nodes(const World& world, Team& team);
  void place_leaf(std::int32_t leaf);
  void unite_all(Team& team);
  void unite_block(std::int32_t block);
  void unite(std::int32_t node);
  void search(const World& world, Team& team);
  void list_leaves(std::int32_t block);
  void meet_listed(const World& world, std::int32_t block);
  static bool past_paths(const Part& part, real elapsed);
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
  void keep_strays(MetPairs<real>& pairs, std::int32_t end) const;
  void flush(const World& world, PairKind kind, Met& met);
  std::int64_t keep_near(const World& world, PairKind kind, std::int32_t count, Met& met);

  const SurfacePairKernels<real>& kernels_;
  TiedObjects tied_;
  SurfaceTree tree_;
  SurfaceLeaves leaves_;
  SurfaceFacing facing_;
  std::vector<Part> parts_;
  std::vector<std::int32_t> part_of_object_;
  std::vector<Counts> counts_;  ///< per part
  std::vector<Piece> pieces_;   ///< sorted by particle; pieces in reserve last
  std::vector<Box> reach_;      ///< per piece
  bool grown_ = false;          ///< swarms have merged whose `reach` is not computed yet
  bool anew_ = false;           ///< no search has been made in this frame
  std::vector<std::int32_t> part_of_block_,
      by_x_;                              ///< by_x_: parts, sorted by the low ends of their `reach` along x
  AlignedVector<vec4> places_, reaches_;  ///< per particle, in the layout of filter_pairs
  AlignedVector<vec4> rest_;              ///< per particle, in the layout of measure_rest
  AlignedVector<vec4> start_;  ///< per particle: m, position at `to`; w: m, radius of the safe bound
  /// Per particle: m/s, velocity relative to its group; w: s after `to` until which this velocity holds.
  AlignedVector<vec4> own_;
  AlignedVector<vec4> bend_;  ///< per particle: m/s^2, acceleration while that velocity holds
  /// Per piece: m/s, velocity relative to the swarm's common velocity; w: number of particles.
  AlignedVector<vec4> group_;
  /// Per piece, sums over its particles: m/s, own speeds; m, Surface::room.
  std::vector<real> group_way_, group_room_;
  AlignedVector<Flow> flow_;                  ///< per node
  std::vector<std::vector<std::array<std::int32_t, 2>>> listed_;  ///< pairs of leaves to compare, per block
  std::vector<std::uint8_t> compared_;                            ///< per leaf: it is on a list of listed_
  std::vector<std::vector<SurfacePair>> found_[pair_kinds];       ///< per block, then per block for strays
  std::vector<std::uint8_t> strays_;                              ///< per particle: it left its safe bound
  std::vector<std::uint8_t> with_strays_;                         ///< per node: a corner below it is a stray
  bool following_ = false;  ///< only pairs with a stray are searched; the others are known
  std::atomic<std::int32_t> next_to_list_{0}, next_to_meet_{0};   ///< blocks
};

template <class Act>
void SurfaceSearch::for_pieces(const Team& team, const Act& act) const {
  const Share share = team.share(std::int64_t(pieces_.size()));
  for (std::int64_t g = share.begin; g < share.end; ++g)
    if (const Piece& piece = pieces_[std::size_t(g)]; parts_[std::size_t(piece.part)].working)
      act(std::size_t(g), piece);
}

}}  // namespace limber::LIMBER_PRECISION
