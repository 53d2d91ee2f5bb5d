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

/// The motion that a search covers: straight from `from` to `to` in `h` s, and at the same speed for `ahead`
/// s more. If h = 0, `from` and `to` are the same and `velocity` is that speed. Rows by particle.
struct Motion {
  const AlignedVector<vec4>& from;
  const AlignedVector<vec4>& to;
  const AlignedVector<vec4>& velocity;  ///< m/s
  real h, ahead;

  vec3 speed(std::size_t i) const { return h > real(0) ? vec3(to[i] - from[i]) / h : vec3(velocity[i]); }
};

/// Finds the pairs of surface features that can meet before the next search. No pair is missed while every
/// particle stays within its safe bound: a margin around its predicted path, relative to the common motion of
/// all. A predicted path is the mean path of the particle's group plus, for a limited time, the particle's
/// own deviation. Pairs within a neighbourhood of the mesh that faces one way are left out, because they
/// cannot meet.
///
/// Objects whose surfaces could meet before the frame ends form a swarm. A swarm is searched as a whole, with
/// paths of one length and its own lists, so objects far away change neither its pairs nor their order.
/// Within a frame swarms can merge, but not split. Lists are per block of the tree; a block belongs to one
/// object.
class SurfaceSearch {
 public:
  SurfaceSearch(const SurfacePairKernels<real>& pairs, const SurfaceLeafKernels<real>& leaves)
      : kernels_(pairs), leaves_(leaves) {}

  void reserve(const World& world);

  /// Starts a frame: paths and safe bounds have full length, every object is alone and due. By one thread.
  void begin_frame();

  /// Returns whether all particles of a thread's share are within their safe bounds, `elapsed` s after the
  /// frame began. Notes those that are not (the strays), and their deviations in Particles::stray.
  bool covers(Particles& particles, real elapsed, const Team& team);

  /// Makes strays of all particles that were split since the last search, and of their copies, so that their
  /// pairs are searched again; drops cached data of the triangles that changed their particles. Must be
  /// called by every thread of the team. Ends at a barrier.
  void invalidate_split_particles(const World& world, Team& team);

  /// Work to be done on the pairs of an object.
  enum class Due : std::uint8_t {
    nothing,
    follow,  ///< few strays: only their pairs are searched
    search,  ///< the pairs of all its particles are searched
  };

  /// Decides what is due for all objects, `elapsed` s after the frame began: objects with strays or at the
  /// end of their paths, and objects that they can now come near to, which join their swarm. Returns true on
  /// every rank if anything is due. Must be called by every thread of the team. Ends at a barrier.
  bool prepare(const World& world, const Motion& motion, real elapsed, Team& team);

  /// Searches what is due. Strays that are followed get new paths; pairs of strays from the last search stay
  /// in pairs() unless they are to be dropped (drop_strays_of()). Must be called by every thread of the team.
  /// Ends at a barrier.
  void run(const World& world, const Motion& motion, real elapsed, Team& team);

  /// Notes in Particles::acceleration how far the velocity at the end of `motion` differs from the predicted
  /// one, for particles of objects that are due for a search (or of all objects if `all`). Paths of the next
  /// search bend accordingly. Each thread treats its share.
  void learn(Particles& particles, const Motion& motion, real elapsed, bool all, const Team& team) const;

  /// Pairs: a list per block, then a further list per block for the pairs of its strays.
  std::span<const std::vector<SurfacePair>> pairs(PairKind kind) const { return found_[std::size_t(kind)]; }
  std::int32_t blocks() const { return tree_.blocks(); }
  /// Per particle, 1: a stray that was followed; valid until forget_strays().
  std::span<const std::uint8_t> strays() const { return strays_; }
  void forget_strays(const Team& team);

  /// Number of objects with a surface, in their order; a swarm has the number of its first object.
  std::int32_t parts() const { return std::int32_t(parts_.size()); }
  std::int32_t object(std::int32_t part) const { return parts_[std::size_t(part)].object; }
  /// -1: the object has no surface.
  std::int32_t part_of_object(std::int32_t object) const { return part_of_object_[std::size_t(object)]; }
  std::int32_t swarm(std::int32_t part) const { return parts_[std::size_t(part)].swarm; }
  Due due(std::int32_t part) const { return parts_[std::size_t(part)].due; }
  /// Blocks of the part, [first, last).
  std::array<std::int32_t, 2> blocks_of(std::int32_t part) const {
    return {parts_[std::size_t(part)].first_block, parts_[std::size_t(part)].end_block};
  }
  /// Calls act(particle) for all particles of a part, those in reserve for tears included.
  template <class Act>
  void for_particles(std::int32_t part, const Act& act) const {
    for (const Piece& piece : pieces_)
      if (piece.part == part)
        for (std::int32_t i = piece.first; i < piece.end; ++i) act(i);
  }
  /// Drops the pairs of strays of the part from all lists while the part is tangled.
  void drop_strays_of(std::int32_t part, bool drop) { parts_[std::size_t(part)].dropping = drop; }

 private:
  /// The surface of an object. Paths start at its last search.
  struct Part {
    std::int32_t object, first_block, end_block, particles = 0, triangles = 0;
    std::int32_t swarm = 0;                                 ///< number of its first part
    std::int32_t swarm_particles = 0, swarm_triangles = 0;  ///< of first parts
    Due due = Due::nothing;
    bool working = false;                ///< in the search at hand
    bool measured = false;               ///< its reach is known
    bool joined = false, grown = false;  ///< its swarm has just joined another one; is the result of a join
    bool dropping = false;               ///< pairs with strays are to leave all lists
    Box reach{};                         ///< m, box of the surface until the end of the frame
    real groups = 0, way = 0, room = 0;  ///< sums over the swarm, of first parts
    vec3 common{0};                      ///< m/s, the common velocity of the swarm's particles
    real ahead = 0;                      ///< s, how long paths are
    real behind = 0;                     ///< s before the last search at which they start
    real searched = 0;                   ///< s from the frame's start to the last search
    real scale = 1;                      ///< factor on paths and safe bounds in this frame, see most_pairs
  };
  /// Counts that threads add up for a swarm; stored at its first part.
  struct Counts {
    std::atomic<std::int64_t> strays{0}, looked_at{0}, kept{0};  ///< particles; pairs of features in this run
    std::atomic<bool> crowded{false};
  };
  /// A stray_group: consecutive particles of one part.
  struct Piece {
    std::int32_t part, first, end;
  };

  /// Pairs of features whose boxes one thread found to overlap, before the exact test.
  struct Met {
    std::int32_t list;           ///< of found_
    Counts* counts;              ///< of the swarm
    std::int32_t triangles = 0;  ///< of the swarm
    bool shortest = false;       ///< paths do not get shorter any more
    bool crowded = false;        ///< too many pairs: no more are examined
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
  /// Calls act(group, piece) for a thread's share of the pieces of the parts at work.
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
  std::vector<Piece> pieces_;   ///< by particle, those in reserve last
  std::vector<Box> reach_;      ///< per piece
  bool grown_ = false;          ///< swarms have merged whose reach is not measured yet
  bool anew_ = false;           ///< no search has been made in this frame
  std::vector<std::int32_t> part_of_block_,
      by_x_;                              ///< the latter parts, by the low ends of where they can be
  AlignedVector<vec4> places_, reaches_;  ///< per particle, in the layout of filter_pairs
  AlignedVector<vec4> rest_;              ///< per particle, in the layout of measure_rest
  AlignedVector<vec4> start_;             ///< per particle: m, position at `to`, and radius of the safe bound
  AlignedVector<vec4> own_;               ///< m/s, relative to its group; s after `to` until which this holds
  AlignedVector<vec4> bend_;              ///< m/s^2, while the own velocity lasts
  AlignedVector<vec4> group_;             ///< m/s, per piece, against the common velocity; {w}: members
  std::vector<real> group_way_, group_room_;  ///< sums over its members: m/s, of their own; m
  AlignedVector<Flow> flow_;                  ///< per node
  std::vector<std::vector<std::array<std::int32_t, 2>>> listed_;  ///< leaves to compare, per block
  std::vector<std::uint8_t> compared_;                            ///< per leaf: it is on a list
  std::vector<std::vector<SurfacePair>> found_[pair_kinds];       ///< per block, then the strays' per block
  std::vector<std::uint8_t> strays_;                              ///< per particle: it left its safe bound
  std::vector<std::uint8_t> with_strays_;                         ///< per node: a corner below it is a stray
  bool following_ = false;                                        ///< pairs without a stray are known already
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
