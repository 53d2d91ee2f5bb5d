// Contact of deformable surfaces with themselves and each other (paper section 4.3, METHODS D7, D8).
//
// Started free of intersections, the surfaces stay so, whatever pulls at them. At the end of every substep
// each pair of features that could have met must still be separated by the slab between their nearest points
// of the substep's start (slab_width); pairs that are not move as one (ImpactZones). Everything before that
// is to make it rare: contact constraints that keep the thickness, from the same pairs. What has crossed
// already, at the start, is let back (Tangles).
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "engine/contact/cloth/impact_zones.hpp"
#include "engine/contact/cloth/kept_pairs.hpp"
#include "engine/contact/cloth/surface_search.hpp"
#include "engine/contact/cloth/tangles.hpp"
#include "engine/contact/law.hpp"
#include "engine/contact/touched_parts.hpp"
#include "engine/geometry/contact_mark.hpp"

namespace limber::inline LIMBER_PRECISION {

/// Called by every thread of the team in the order begin_frame, { aim, push ..., guard }, end_frame. Holds
/// nothing from one frame to the next but storage: multipliers wait in ContactState::surfaces.
class SurfaceContacts {
 public:
  SurfaceContacts(const SurfacePairKernels<real>& pairs, const SurfaceLeafKernels<real>& leaves)
      : kernels_(pairs), search_(pairs, leaves) {}

  void reserve(const World& world);
  bool enabled(const World& world) const;

  /// Finds the pairs for a frame of dt s, at positions and velocities as they are, and takes back what tears
  /// and cuts since the last frame have moved through something. Ends at a barrier.
  void begin_frame(World& world, real dt, Team& team);

  /// The same within a frame, `elapsed` s after it began, for what has torn; `remaining` s are left. Ends at
  /// a barrier.
  void follow_tears(World& world, real elapsed, real remaining, Team& team);

  /// Directions and weights from the places at the start of the substep, in `previous`; then moves particles
  /// by what is kept of multipliers. Ends at a barrier.
  void aim(World& world, Team& team);

  /// Projects all contacts once, colour after colour. Ends at a barrier.
  void push(World& world, Team& team);

  /// A substep within its frame.
  struct Moment {
    real h, elapsed, remaining;  ///< s: its length, and from its end to the frame's beginning and end
    int in_frame;                ///< counted from 0
  };

  /// Lets nothing cross in the substep that ends at `position`, and takes nothing into `colliders` (their
  /// contacts in this substep; null: there are none) or bodies. Whether anything was moved, on every rank the
  /// same. Only rank 0 reads `walls`. Ends at a barrier.
  /// `touched`: is told what pairs pushed that are not watched any more; null: nobody wants to know.
  bool guard(World& world, const StaticContacts* colliders, std::span<BodyWall> walls,
             const Moment& now, TouchedParts* touched, Team& team);

  /// After velocities of particles and bodies were taken in a substep of h s: bodies that took zones along
  /// feel it, `walls` being guard()'s. Ends at a barrier.
  void answer_walls(World& world, std::span<BodyWall> walls, real h, TouchedParts* touched, Team& team);

  /// After velocities were taken in a substep of h s: restitution.
  void bounce(World& world, real h, Team& team);

  /// Multipliers go into the World.
  void end_frame(World& world, const Team& team);

  /// At a substep's end: which parts pushed each other, or were pushed otherwise. Every thread its share.
  void tell_touched(const World& world, TouchedParts& touched, const Team& team);

  std::int64_t contacts() const;
  std::int64_t watched() const;
  /// Adds the pairs that are no farther apart than they are kept, at the places of the particles now.
  void read_contacts(const World& world, std::vector<ContactMark>& out);
  /// Particles of the last substep of the frame in which some had to move as one.
  std::span<const std::int32_t> zone_members() const {
    return in_zones_ > 0 ? zones_.members() : std::span<const std::int32_t>();
  }

  int searches() const { return searches_; }                   ///< in this frame
  std::int64_t tangled() const { return tangles_.tangled(); }  ///< vertices, at the frame's start
  std::int64_t in_zones() const { return in_zones_; }  ///< particles, summed over the substeps of the frame

 private:
  void search(World& world, const Motion& motion, real elapsed, Team& team);
  bool follow(World& world, const Motion& motion, real elapsed, Team& team);
  void learn(World& world, const Motion& motion, real elapsed, Team& team);
  void take_pairs(World& world, const Motion& motion, Team& team);
  void take_strays(World& world, const Motion& motion, Team& team);
  void scale_kept(World& world, real h) const;
  void remember(World& world, Team& team);
  void list_kept(World& world);
  void recall(const World& world, int batch, const Team& team);
  void plan(const World& world, int batch, std::span<const std::vector<SurfacePair>> lists, const Team& team);
  void fill(int batch, std::span<const std::vector<SurfacePair>> lists, const Team& team);
  std::span<const std::vector<SurfacePair>> pairs(PairKind kind) const {
    return tangles_.active() ? tangles_.kept(kind) : search_.pairs(kind);
  }
  /// Of the slots from the contacts' or from the watched ones' first on.
  void aim_slots(int batch, bool contacts, const AlignedVector<vec4>& places, const Team& team);
  void tell_pushed(const World& world, TouchedParts& touched, const Team& team);
  void aim_turned(int batch, const AlignedVector<vec4>& places, const Team& team);
  bool left_tubes(World& world, real elapsed, Team& team);
  void settle_parted(World& world, Team& team);
  void shorten_steps(World& world, Team& team);
  bool stop_crossing(World& world, int round, Team& team);
  bool find_crossing(const World& world, Team& team);
  template <PairKind Kind>
  bool crosses(const World& world, int batch, std::int32_t slot);
  void merge_crossing(World& world, int round);
  static bool bouncy(const World& world);
  void aim_bounces(const World& world, int batch, const Team& team);
  /// Calls act(batch, begin, end) for the slots of all contacts, colour after colour. Ends at a barrier.
  template <class Act>
  void for_colors(Team& team, const Act& act);

  static constexpr std::int32_t block_slots_ = 1024;
  /// A colour of fewer slots costs less on one thread than the barrier after it.
  static constexpr std::int32_t serial_slots_ = 256;
  /// Of either kind what the last search found, then what was found of strays since.
  static constexpr int batch_count_ = 2 * pair_kinds;
  static bool is_kept(const SurfacePairView<real>& pairs, std::int64_t slot) {
    return pairs.kept[0][slot] != real(0) || pairs.kept[1][slot] != real(0) || pairs.kept[2][slot] != real(0);
  }
  static PairKind kind(int batch) { return PairKind(batch % pair_kinds); }

  const SurfacePairKernels<real>& kernels_;
  SurfaceSearch search_;
  Tangles tangles_;
  PairBatch batches_[batch_count_];
  ImpactZones zones_;
  KeptPairs kept_;
  std::vector<std::int32_t> crossing_[batch_count_];        ///< slots, block after block
  std::vector<std::int32_t> crossing_count_[batch_count_];  ///< per block
  std::vector<ContactRow> bounces_[batch_count_];           ///< per contact slot, of bouncy materials
  std::vector<std::uint8_t>
      turned_[batch_count_];  ///< per slot: was apart in this substep, but in no one direction
  std::atomic<bool> left_{false}, crossed_{false};
  bool remembered_ = false;  ///< the World has the multipliers of the pairs there are
  real searched_ = 0;        ///< s from the frame's start to the last search
  int searches_ = 0;
  std::int64_t in_zones_ = 0;
  const StaticContacts* colliders_ = nullptr;  ///< during guard(): what zones may not enter ...
  std::span<BodyWall> walls_;                  ///< ... and what bodies leave them ...
  bool zoned_ = false;                         ///< zones have moved in this substep
  int substep_ = 0;                            ///< ... in this substep of the frame
};

template <class Act>
void SurfaceContacts::for_colors(Team& team, const Act& act) {
  bool alone = false;  // rank 0 is working through small colours
  for (int batch = 0; batch < batch_count_; ++batch)
    for (const ColorRun& color : batches_[batch].colors()) {
      if (color.end - color.begin <= serial_slots_) {
        if (team.rank() == 0) act(batch, color.begin, color.end);
        alone = true;
        continue;
      }
      if (alone) team.barrier();
      alone = false;
      const Share share = team.share(color.end - color.begin, lane_group);
      act(batch, color.begin + std::int32_t(share.begin), color.begin + std::int32_t(share.end));
      team.barrier();
    }
  if (alone) team.barrier();
}

}  // namespace limber::inline LIMBER_PRECISION
