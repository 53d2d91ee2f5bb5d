// Contacts of grains and of the particles of solids with each other.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/collision/neighbour_search.hpp"
#include "engine/constraints/particle_pair.hpp"
#include "engine/geometry/contact_mark.hpp"
#include "engine/state/world.hpp"

namespace limber::inline LIMBER_PRECISION {

/// Pairs that can meet are searched once a frame around the predicted places, with a skin to spare, and again
/// when a particle has gone half of it since. Coloured, those without solids first. Every thread of the team
/// calls everything but reserve(), which allocates, and what is const.
class ParticleContacts {
 public:
  explicit ParticleContacts(const ParticlePairKernels<real>& kernels) : kernels_(kernels) {}

  static bool enabled(const World& world) { return !world.topology->matter.empty(); }

  void reserve(const World& world);

  /// After prediction: finds the pairs where needed, and warm-starts them. `in_frame`: substeps done in this
  /// frame.
  void begin_substep(World& world, real h, int in_frame, Team& team);

  /// One sweep of constraints/particle_pair.hpp over all pairs.
  void push(World& world, real h, Team& team);

  /// Keeps what pushed for the next frame.
  void end_frame(World& world, Team& team);

  std::int64_t touching(const World& world) const {
    return enabled(world) ? std::int64_t(world.particle_contacts.size()) : 0;
  }
  int searches() const { return searches_; }  ///< in this frame

  /// Adds the contacts at the end of the last frame.
  static void read_contacts(const World& world, std::vector<ContactMark>& out);

 private:
  static constexpr int kinds = 2;  ///< of pairs: grains only; with a solid

  template <class Of>
  real longest(const World& world, Team& team, const Of& of);
  void choose_skin(const World& world, real frame, Team& team);
  bool has_strayed(const World& world, Team& team);
  void search(World& world, Team& team);
  void remember(World& world);
  static void scale_kept(World& world, real h);
  void color(const World& world);
  void lay_out();
  void fill(const World& world, const Team& team);
  vec4 kept_of(const World& world, const ParticlePair& pair) const;
  void turn_fields(const World& world, const Team& team);
  template <class Kernel>
  void sweep(World& world, real h, Team& team, const Kernel& kernel);
  ParticlePairView<real> view();

  const ParticlePairKernels<real>& kernels_;
  NeighbourSearch grid_;
  AlignedVector<vec4> outward_;        ///< per particle, see ParticleSweep
  AlignedVector<vec4> searched_;       ///< per particle, where the last search met it
  std::vector<real> strayed_;          ///< per block of members, m^2
  std::vector<std::uint64_t> used_;    ///< per particle and kind: colours taken
  std::vector<std::int32_t> slot_of_;  ///< per pair found: its colour, then its slot; -1: none was left
  std::vector<ColorRun> colors_[kinds];
  std::vector<std::int32_t> color_sizes_;  ///< per kind and colour
  AlignedVector<std::int32_t> a_, b_;      ///< per slot, as below
  AlignedVector<real> friction_, kept_[3], before_;
  std::vector<std::int32_t> contacts_from_;  ///< per particle: its first in World::particle_contacts
  real skin_ = 0;                            ///< m, pairs are found this much farther apart than they touch
  int searches_ = 0;
};

}  // namespace limber::inline LIMBER_PRECISION
