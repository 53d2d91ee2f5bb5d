// Contacts of grains and of the particles of clusters with each other.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/contact/particles/cluster_contacts.hpp"
#include "engine/contact/particles/neighbour_search.hpp"
#include "engine/contact/particles/object_swarms.hpp"
#include "engine/contact/particles/particle_pair.hpp"
#include "engine/contact/touched_parts.hpp"
#include "engine/geometry/contact_mark.hpp"
#include "engine/parallel/color_visits.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Pairs that can meet are searched once a frame within a skin around the predicted positions, and again when
/// a particle has moved by half of the skin (ObjectSwarms). Pairs are solved slab by slab (NeighbourSearch).
/// Slabs of one shade are independent; within a slab, slots are coloured so that no two pairs in one group of
/// lanes share a particle. Rigid clusters have rows of their own (ClusterContacts). All functions must be
/// called by every thread of the team, except reserve(), which allocates, and const functions.
class ParticleContacts {
 public:
  explicit ParticleContacts(const ParticlePairKernels<real>& kernels) : kernels_(kernels) {}

  static bool enabled(const World& world) { return !world.topology->matter.empty(); }

  void reserve(const World& world);

  /// Called after prediction. Searches pairs if that is due, and warm-starts them. `in_frame`: number of
  /// substeps already done in this frame.
  void begin_substep(World& world, real h, int in_frame, Team& team);

  /// Projects all pairs once, see contact/particles/particle_pair.hpp.
  void push(World& world, real h, Team& team);

  /// Restitution of grains (line (16) of Mueller et al. 2006), after velocities were computed.
  void bounce(World& world, real h, Team& team);

  /// Whether there are rigid clusters. Their contacts are made by aim_clusters(), after
  /// StaticContacts::find() and after shape matching.
  bool has_rigid(const World& world) const { return enabled(world) && clusters_.any(); }
  ClusterContacts& clusters() { return clusters_; }
  void aim_clusters(World& world, real h, int in_frame, Team& team);

  /// The grid of particles; each particle is within stray() m of its position in the grid, both at the
  /// substep's start and at its end.
  const NeighbourSearch& grid() const { return grid_; }
  real stray() const { return swarms_.stray(); }

  /// Stores for the next frame the multipliers of the pairs that pushed.
  void end_frame(World& world, Team& team);

  /// Tells `touched` at a substep's end which parts pushed each other, or were pushed by an object that
  /// belongs to no part. Each thread reports its share.
  void tell_touched(TouchedParts& touched, const Team& team) const;

  std::int64_t touching(const World& world) const {
    return enabled(world) ? std::int64_t(world.contacts.particles.size()) : 0;
  }
  int searches() const { return searches_; }  ///< in this frame

  /// Adds the contacts at the end of the last frame.
  static void read_contacts(const World& world, std::vector<ContactMark>& out);

 private:
  static constexpr int kinds = 2;  ///< kinds of pairs: 0 grains only; 1 with a cluster that is not rigid

  /// Slots of one slab: the slots of kind k are [begin[k], begin[k + 1]).
  struct Run {
    std::array<std::int32_t, kinds + 1> begin;
  };
  /// Scratch of one thread for colouring.
  struct Palette {
    std::vector<std::uint64_t> used;  ///< per particle: colours taken; zero between slabs
    std::vector<std::int32_t> slot;   ///< per pair of the thread's list: its slot in the slab; -1: none
  };

  void search(World& world, Team& team);
  void remember(World& world, Team& team);
  static void scale_kept(World& world, real h);
  void color_slab(const World& world, std::size_t slab, Palette& palette);
  void lay_out(const World& world);
  void fill_slab(const World& world, std::size_t slab, const Palette& palette);
  void turn_fields(const World& world, const Team& team);
  void turn_soft_fields(const World& world, const SoftSolid& solid);
  template <class Kernel>
  void sweep(World& world, real h, ColorTurns& turns, const Kernel& kernel);
  ParticlePairView<real> view();
  std::array<AlignedVector<real>*, 10> kept_rows() {
    return {&friction_, &rolling_, &bounce_,    &before_,    &kept_[0],
            &kept_[1],  &kept_[2], &rolled_[0], &rolled_[1], &rolled_[2]};
  }

  const ParticlePairKernels<real>& kernels_;
  ObjectSwarms swarms_;
  NeighbourSearch grid_;
  ClusterContacts clusters_;
  KeptContacts kept_contacts_;
  AlignedVector<vec4> outward_;        ///< per particle, see ParticleSweep
  AlignedVector<vec4> searched_;       ///< per particle: its position at the last search
  std::vector<Palette> palettes_;      ///< per thread
  std::vector<Run> runs_;              ///< per slab
  AlignedVector<std::int32_t> a_, b_;  ///< per slot: the particles, and below the arrays of ParticlePairView
  AlignedVector<real> friction_, rolling_, bounce_, approach_, kept_[3], before_, rolled_[3];
  /// Per thread: contacts of its share of the particles.
  std::vector<std::vector<ParticleContact>> kept_here_;
  std::vector<std::int32_t> next_of_;  ///< per particle: index of its next entry in ContactState::particles
  bool bouncy_ = false;
  int searches_ = 0;
};

}}  // namespace limber::LIMBER_PRECISION
