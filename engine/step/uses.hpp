// Resources that stages read and write, and the barriers between stages that follow from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "engine/step/stages.hpp"

namespace limber {

/// Parts of a World, and of the scratch memory beside it, that stages use.
enum class Resource {
  places,    ///< particles: positions, displacements, inverse masses
  speeds,    ///< particles: velocities
  turns,     ///< rows of the turns of rods
  bodies,    ///< rigid bodies, their rows, contacts and joints
  walls,     ///< contacts of particles with colliders
  links,     ///< constraints: softness, multipliers, rest values, memory of the method
  surfaces,  ///< contacts between surfaces
  coupling,  ///< rows and ties between bodies and particles
  grains,    ///< contacts of grains and clusters, with sheets too
  fluids,    ///< neighbours, densities and emitters of fluids, spray
  clusters,  ///< shapes of clusters, rigid and soft
  skins,     ///< contacts of the skins of soft solids
  pressure,  ///< goals of volumes
  warmth,    ///< temperatures
  mesh,      ///< the topology, which all stages read: only a tear changes it, between barriers of its own
  notes,     ///< values that a stage stores for a later one of the same subsystem
  count
};

/// A set of resources.
class Resources {
 public:
  constexpr Resources() = default;
  constexpr Resources(std::initializer_list<Resource> members) {
    for (const Resource member : members) bits_ |= 1u << int(member);
  }
  constexpr bool has(Resource one) const { return (bits_ >> int(one) & 1u) != 0; }
  constexpr bool meets(Resources other) const { return (bits_ & other.bits_) != 0; }
  constexpr Resources operator|(Resources other) const {
    other.bits_ |= bits_;
    return other;
  }

 private:
  std::uint32_t bits_ = 0;
};
static_assert(int(Resource::count) <= 32, "Resources keeps each as a bit of 32");

/// Resources that a stage uses. `own`: elements of the thread's own share, which is the same in all stages
/// that use the resource; `any`: elements of anybody's share.
struct Uses {
  Resources reads_own, writes_own, reads_any, writes_any;

  constexpr Resources reads() const { return reads_own | reads_any; }
  constexpr Resources writes() const { return writes_own | writes_any; }
  /// The part of the uses that stays in the own share.
  constexpr Uses own() const { return {reads_own, writes_own, {}, {}}; }
  constexpr Uses operator|(const Uses& other) const {
    return {reads_own | other.reads_own, writes_own | other.writes_own, reads_any | other.reads_any,
            writes_any | other.writes_any};
  }
};

/// Whether two threads may not be in `a` and in `b` at the same time: one writes what the other uses, and not
/// both keep to their own shares.
constexpr bool conflict(const Uses& a, const Uses& b) {
  const Resources all_b = b.reads() | b.writes(), any_b = b.reads_any | b.writes_any;
  return a.writes_any.meets(all_b) || a.writes_own.meets(any_b) || a.reads_any.meets(b.writes()) ||
         a.reads_own.meets(b.writes_any);
}

/// The uses that stages may still be at while a thread is in a later stage: those since the last barrier.
class Pending {
 public:
  /// Adds a stage; returns whether a barrier must come before it. Other threads can be at anything that was
  /// used since the last barrier when a thread starts the stage, and at what the stage uses at its end when a
  /// thread leaves it.
  constexpr bool add(const Uses& uses, Who who) {
    const bool waits = conflict(uses_, starts_own(who) ? uses.own() : uses);
    if (waits) barrier();
    uses_ = uses_ | (ends_own(who) ? uses.own() : uses);
    return waits;
  }
  /// All threads have met.
  constexpr void barrier() { uses_ = {}; }

 private:
  Uses uses_;
};

}  // namespace limber
