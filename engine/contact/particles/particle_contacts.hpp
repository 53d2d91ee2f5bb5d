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
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Pairs that can meet are searched once a frame within a skin around the predicted positions, and again when
/// a particle has moved by half of the skin (ObjectSwarms). Pairs are solved slab by slab (NeighbourSearch).
/// Slabs of one shade are independent; within a slab, slots are coloured so that no two of a group of lanes
/// share a particle. Rigid clusters have rows of their own (ClusterContacts). All functions must be called by
/// every thread of the team, except reserve(), which allocates, and const functions.
class ParticleContacts {
 public:
  explicit ParticleContacts(const ParticlePairKernels<real>& kernels) : kernels_(kernels) {}

  static bool enabled(const World& world) { return !world.topology->matter.empty(); }

  void reserve(const World& world);

  /// Finds the pairs where needed, after prediction, and warm-starts them. `in_frame`: substeps done in this
  /// frame.
  void begin_substep(World& world, real h, int in_frame, Team& team);

  /// Projects all pairs once, as contact/particles/particle_pair.hpp says.
  void push(World& world, real h, Team& team);

  /// Restitution of grains (line (16) of Mueller et al. 2006), after velocities were taken.
  void bounce(World& world, real h, Team& team);

  /// Contacts of rigid clusters are made after StaticContacts::find() and after shape matching.
  bool has_rigid(const World& world) const { return enabled(world) && clusters_.any(); }
  ClusterContacts& clusters() { return clusters_; }
  void aim_clusters(World& world, real h, int in_frame, Team& team);

  /// The particles, sorted; each is less than stray() m from its positions at the substep's start and end.
  const NeighbourSearch& grid() const { return grid_; }
  real stray() const { return swarms_.stray(); }

  /// Keeps the multipliers of the pairs that pushed for the next frame.
  void end_frame(World& world, Team& team);

  /// Tells `touched` at a substep's end which parts pushed each other, or were pushed by an object that is no
  /// part. A thread's share.
  void tell_touched(TouchedParts& touched, const Team& team) const;

  std::int64_t touching(const World& world) const {
    return enabled(world) ? std::int64_t(world.contacts.particles.size()) : 0;
  }
  int searches() const { return searches_; }  ///< in this frame

  /// Adds the contacts at the end of the last frame.
  static void read_contacts(const World& world, std::vector<ContactMark>& out);

 private:
  static constexpr int kinds = 2;  ///< of pairs: grains only; with a cluster that is not rigid

  /// The slots of a slab: those of kind k are [begin[k], begin[k + 1]).
  struct Run {
    std::array<std::int32_t, kinds + 1> begin;
  };
  /// Scratch of one thread for colouring.
  struct Palette {
    std::vector<std::uint64_t> used;  ///< per particle: colours taken; zero between slabs
    std::vector<std::int32_t> slot;   ///< per pair of its list: in its slab, -1: none
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
  void sweep(World& world, real h, Team& team, const Kernel& kernel);
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
  AlignedVector<vec4> searched_;       ///< per particle, where the last search met it
  std::vector<Palette> palettes_;      ///< per thread
  std::vector<Run> runs_;              ///< per slab
  AlignedVector<std::int32_t> a_, b_;  ///< per slot, as below
  AlignedVector<real> friction_, rolling_, bounce_, approach_, kept_[3], before_, rolled_[3];
  std::vector<std::vector<ParticleContact>> kept_here_;  ///< per thread: of its particles
  std::vector<std::int32_t> next_of_;  ///< per particle: index of its next entry in ContactState::particles
  bool bouncy_ = false;
  int searches_ = 0;
};

}}  // namespace limber::LIMBER_PRECISION
