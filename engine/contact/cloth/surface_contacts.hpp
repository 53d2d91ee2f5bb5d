// Contact of deformable surfaces and rods with themselves and each other (Mueller et al. 2006, section 4.3).
//
// Surfaces that start free of intersections stay free of them. At the end of every substep, each pair of
// features that could have met must still be separated by the slab between its nearest points at the start of
// the substep (slab_width). Pairs that fail this test move as one (ImpactZones). Contact constraints, which
// keep the thickness, make failures rare. Surfaces that cross each other at the start are pulled apart
// (Tangles).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/contact/cloth/impact_zones.hpp"
#include "engine/contact/cloth/kept_pairs.hpp"
#include "engine/contact/cloth/surface_search.hpp"
#include "engine/contact/cloth/tangles.hpp"
#include "engine/contact/law.hpp"
#include "engine/contact/touched_parts.hpp"
#include "engine/geometry/contact_mark.hpp"
#include "engine/parallel/color_visits.hpp"
#include "engine/parallel/visits.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Must be called by every thread of the team, in the order begin_frame, { aim, push ..., guard } per
/// substep, end_frame. From one frame to the next it keeps only storage: multipliers are in
/// ContactState::surfaces.
class SurfaceContacts {
 public:
  SurfaceContacts(const SurfacePairKernels<real>& pairs, const SurfaceLeafKernels<real>& leaves)
      : kernels_(pairs), search_(pairs, leaves) {}

  void reserve(const World& world);
  bool enabled(const World& world) const;

  /// Finds the pairs for a frame of dt s at the current positions and velocities. Shortens displacements by
  /// which particles that tears or cuts have separated since the last frame would cross something.
  void begin_frame(World& world, real dt, Team& team);

  /// Searches again after tears within a frame, `elapsed` s after its beginning and `remaining` s before its
  /// end.
  void follow_tears(World& world, real elapsed, real remaining, Team& team);

  /// Computes directions and weights from the positions at the start of the substep (`previous`); then
  /// warm-starts: moves particles by the kept multipliers.
  void aim(World& world, Team& team);

  /// Traits of a swarm, which decide how often its contacts are projected. A swarm has the traits of all its
  /// objects. `pressed`: an object is under pressure; `beside_bodies`: bodies move particles of an object;
  /// `uneven`: at the beginning of the frame, particles of one object are far heavier than particles of
  /// another.
  enum Traits : std::uint8_t { pressed = 1, beside_bodies = 2, uneven = 4 };
  /// Sets the traits of each object for the substep that begins. Serial, before aim().
  void note_traits(std::span<const std::uint8_t> traits);

  /// Projects all contacts once, colour after colour.
  void push(World& world, Team& team) { push(world, 0, 0, team); }
  /// Projects the contacts of those swarms that have exactly the traits `having` among the traits `asked`.
  void push(World& world, std::uint8_t asked, std::uint8_t having, Team& team);
  /// Projects once the contacts of uneven swarms that rest on a collider. A particle that a collider supports
  /// does not give way: its load goes to its contact with the collider.
  void push_supported(World& world, StaticContacts& colliders, Team& team);
  /// True if some swarm has exactly the traits `having` among those `asked`.
  bool any(std::uint8_t asked, std::uint8_t having) const {
    for (std::int32_t p = 0; p < search_.parts(); ++p)
      if ((groups_[std::size_t(search_.swarm(p))].traits & asked) == having) return true;
    return false;
  }
  /// True if the object's swarm has exactly the traits `having` among those `asked`.
  bool has(std::int32_t object, std::uint8_t asked, std::uint8_t having) const {
    const std::int32_t part = search_.part_of_object(object);
    return part >= 0 && (groups_[std::size_t(search_.swarm(part))].traits & asked) == having;
  }

  /// A substep within its frame.
  struct Moment {
    /// s: length of the substep; from the frame's start to the substep's end; from there to the frame's end.
    real h, elapsed, remaining;
    int in_frame;  ///< index of the substep in its frame
  };

  /// Stops all crossings in the substep that ends at `position`, and moves nothing into `colliders` (their
  /// contacts in this substep; may be null) or bodies. Returns whether anything was moved, the same on every
  /// rank. Only rank 0 reads `walls`. `touched` (may be null) is told which pairs pushed each other and have
  /// since been dropped.
  bool guard(World& world, const StaticContacts* colliders, std::span<BodyWall> walls, const Moment& now,
             TouchedParts* touched, Team& team);

  /// Gives bodies the velocities of their impacts with zones (ImpactZones::answer). Must be called after the
  /// velocities of a substep of h s were computed. `walls`: the same as for guard().
  void answer_walls(World& world, std::span<BodyWall> walls, real h, TouchedParts* touched, Team& team);

  /// Applies restitution, after velocities were computed in a substep of h s.
  void bounce(World& world, real h, Team& team);

  /// Stores the multipliers in the World.
  void end_frame(World& world, const Team& team);

  /// Tells `touched`, at the end of a substep, which parts pushed each other or were moved by the guard. Each
  /// thread reports its share.
  void tell_touched(const World& world, TouchedParts& touched, const Team& team);

  std::int64_t contacts() const;
  std::int64_t watched() const;
  /// Adds the contacts whose features are at present no farther apart than their contact distance.
  void read_contacts(const World& world, std::vector<ContactMark>& out);
  /// Members of impact zones in the last substep of the frame that had zones; empty if none had.
  std::span<const std::int32_t> zone_members() const {
    return in_zones_ > 0 ? zones_.members() : std::span<const std::int32_t>();
  }

  int searches() const { return searches_; }                   ///< in this frame
  std::int64_t tangled() const { return tangles_.tangled(); }  ///< vertices, at the frame's start
  std::int64_t in_zones() const { return in_zones_; }  ///< particles, summed over the substeps of the frame

 private:
  /// Batches of a group: for each kind the pairs of the last full search, then the pairs of strays found
  /// since.
  static constexpr int batch_count_ = 2 * pair_kinds;

  /// The pairs of one swarm.
  struct Group {
    PairBatch batches[batch_count_];
    std::vector<std::int32_t> lists;  ///< indices of the lists of the search that have its pairs
    std::vector<std::int32_t> lists_of_strays;
    std::vector<std::int32_t> crossing[batch_count_];        ///< slots of crossing pairs, block after block
    std::vector<std::int32_t> crossing_count[batch_count_];  ///< number of crossing slots per block
    std::vector<ContactRow> bounces[batch_count_];           ///< per contact slot, of bouncy materials
    /// Per slot: the pair did not cross in this substep, but no single direction separated it all the time.
    std::vector<std::uint8_t> turned[batch_count_];
    std::uint8_t traits = 0;
    double lightest = 0.0, heaviest = 0.0;  ///< kg, mean masses of the particles of one object
    bool tangled = false;                   ///< crossed surfaces are being pulled apart
    bool takes_anew = false;  ///< all of its pairs are taken from the search, not only those of strays
  };
  /// Slots of a batch of a group.
  struct Slots {
    Group& group;
    int batch;
    std::int32_t begin, end;
    PairBatch& pairs() const { return group.batches[batch]; }
  };
  enum class Which { all, contacts, watched };

  void search(World& world, const Motion& motion, real elapsed, Team& team);
  void take(World& world, const Motion& motion, Team& team);
  void list_groups();
  void scale_kept(World& world, real h) const;
  void remember(World& world, Team& team);
  void list_kept(World& world);
  void recall(const World& world, const Slots& slots);
  void plan(const World& world, Team& team);
  void fill(Team& team);
  void list_at_work();
  void join_all(World& world, std::int32_t group);
  PairBatch::Lists lists_of(const Group& group, int batch) const;
  void aim_slots(const Slots& slots, const AlignedVector<vec4>& places);
  void tell_pushed(const World& world, TouchedParts& touched, bool due, const Team& team);
  void aim_turned(const Slots& slots, const AlignedVector<vec4>& places);
  bool left_bounds(World& world, real elapsed, Team& team);
  void settle_parted(World& world, Team& team);
  void shorten_steps(World& world, Team& team);
  bool stop_crossing(World& world, int round, Team& team);
  bool find_crossing(const World& world, Team& team);
  void find_crossing_in(const World& world, const Slots& slots);
  template <PairKind Kind>
  bool crosses(const World& world, const Slots& slots, std::int32_t slot);
  void merge_crossing(World& world, int round);
  void note_masses(const World& world);
  void push_supported(World& world, StaticContacts& colliders, const Slots& slots);
  static bool bouncy(const World& world);
  void aim_bounces(const World& world, const Slots& slots);
  /// Calls act(slots) for a thread's share of the slots of all groups, or of those that are due.
  template <class Act>
  void for_slots(Which which, bool due, const Team& team, const Act& act);
  /// Calls act(slots) for all contacts of the groups that `takes`, colour after colour.
  template <class Takes, class Act>
  void for_colors(ColorTurns& turns, const Takes& takes, const Act& act);
  template <class Act>
  void for_colors(ColorTurns& turns, const Act& act) {
    for_colors(
        turns, [](const Group&) { return true; }, act);
  }

  static constexpr std::int32_t block_slots_ = 1024;
  /// A colour of fewer slots runs on one thread, because that costs less than a barrier.
  static constexpr std::int32_t serial_slots_ = 256;
  static bool is_kept(const SurfacePairView<real>& pairs, std::int64_t slot) {
    return pairs.kept[0][slot] != real(0) || pairs.kept[1][slot] != real(0) || pairs.kept[2][slot] != real(0);
  }
  static PairKind kind(int batch) { return PairKind(batch % pair_kinds); }

  const SurfacePairKernels<real>& kernels_;
  SurfaceSearch search_;
  Tangles tangles_;
  ImpactZones zones_;
  KeptPairs kept_;
  std::vector<Group> groups_;          ///< per part of the search; used for the first part of each swarm
  std::vector<std::int32_t> at_work_;  ///< groups that have pairs
  std::vector<std::uint64_t> used_[pair_kinds];  ///< per particle, for PairBatch::plan
  std::atomic<bool> left_{false}, crossed_{false};
  bool remembered_ = false;  ///< the World has the multipliers of the current pairs
  int searches_ = 0;
  std::int64_t in_zones_ = 0;
  /// During guard(): contacts with colliders that zones must not enter.
  const StaticContacts* colliders_ = nullptr;
  std::span<BodyWall> walls_;  ///< during guard(): half spaces outside bodies
  bool zoned_ = false;         ///< zones have moved in this substep
  int substep_ = 0;            ///< during guard(): index of the substep in the frame
};

template <class Act>
void SurfaceContacts::for_slots(Which which, bool due, const Team& team, const Act& act) {
  const auto range_of = [&](const PairBatch& pairs) {
    return std::pair(which == Which::watched ? pairs.contact_slots() : 0,
                     which == Which::contacts ? pairs.contact_slots() : pairs.slots());
  };
  const auto for_batches = [&](const auto& visit) {
    for (const std::int32_t g : at_work_)
      if (!due || search_.due(g) != SurfaceSearch::Due::nothing)
        for (int batch = 0; batch < batch_count_; ++batch) {
          Group& group = groups_[std::size_t(g)];
          const auto [begin, end] = range_of(group.batches[batch]);
          if (begin < end) visit(group, batch, begin, end);
        }
  };
  std::int64_t blocks = 0;
  for_batches([&](Group&, int, std::int32_t begin, std::int32_t end) {
    blocks += (end - begin + block_slots_ - 1) / block_slots_;
  });
  const Share share = team.share(blocks);
  std::int64_t first = 0;  // block of the batch
  for_batches([&](Group& group, int batch, std::int32_t begin, std::int32_t end) {
    const std::int64_t count = (end - begin + block_slots_ - 1) / block_slots_;
    for (std::int64_t b = std::max(share.begin - first, std::int64_t(0));
         b < std::min(share.end - first, count); ++b) {
      const std::int32_t from = begin + std::int32_t(b) * block_slots_;
      act(Slots{group, batch, from, std::min(from + block_slots_, end)});
    }
    first += count;
  });
}

template <class Takes, class Act>
void SurfaceContacts::for_colors(ColorTurns& turns, const Takes& takes, const Act& act) {
  for (int batch = 0; batch < batch_count_; ++batch)
    for (std::size_t color = 0;; ++color) {
      std::int32_t slots = 0;
      for (const std::int32_t g : at_work_) {
        const auto colors = groups_[std::size_t(g)].batches[batch].colors();
        if (color < colors.size() && takes(groups_[std::size_t(g)]))
          slots += colors[color].end - colors[color].begin;
      }
      if (slots == 0) break;
      const Share share = turns.next(slots, slots <= serial_slots_, lane_group);
      std::int64_t first = 0;
      for (const std::int32_t g : at_work_) {
        Group& group = groups_[std::size_t(g)];
        const auto colors = group.batches[batch].colors();
        if (color >= colors.size() || !takes(group)) continue;
        const auto [begin, end] = colors[color];
        const std::int64_t from = std::max(share.begin - first, std::int64_t(0)),
                           to = std::min<std::int64_t>(share.end - first, end - begin);
        if (from < to) {
          tell_visit(Visited::surface_pairs, batch, g, begin + from, begin + to);
          act(Slots{group, batch, begin + std::int32_t(from), begin + std::int32_t(to)});
        }
        first += end - begin;
      }
    }
}

}}  // namespace limber::LIMBER_PRECISION
