// Chunks of frozen particles: which ones hold together, and what keeps their shape.
#pragma once

#include <vector>

#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/contact/particles/neighbour_search.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/state/heat_state.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Scratch of group_frozen().
struct FrozenGrouping {
  std::vector<std::int32_t> root;   ///< per particle
  std::vector<std::int32_t> count;  ///< per particle: of the chunk whose first it is
};

/// Joins frozen particles into chunks. Two that lie beside each other hold together if they did, or if one of
/// them has just frozen: chunks that only come near each other stay two. What has nobody stays fluid.
/// `search` has all pairs of neighbours. Reuses its storage; on one thread.
void group_frozen(World& world, const NeighbourSearch& search, FrozenGrouping& scratch);

/// Whether a particle of a chunk has left the scene.
bool loses_members(const World& world);

/// Keeps each chunk rigid: its particles go where the rigid motion nearest to theirs takes them, which keeps
/// both momenta. The chunk as a whole, with its mass and inertia, then comes out of the colliders that its
/// particles touch, under Coulomb friction. One thread per chunk.
class FrozenChunks {
 public:
  static bool enabled(const World& world);
  void reserve(const World& world);  ///< allocates; call between steps

  /// Works with `moved`. By every thread of the team, between barriers.
  void project(World& world, const StaticContacts* contacts, const Team& team);

 private:
  struct Touch {
    const StaticContact* contact;
    glm::dvec3 arm, moved;     ///< m: from the chunk's centre, and since the substep began
    glm::dvec3 friction{0.0};  ///< kg m, multiplier
    double depth, push = 0.0;  ///< m; kg m, multiplier
  };
  struct Motion;
  void project(World& world, const StaticContacts* contacts, FrozenChunk& chunk,
               std::vector<Touch>& touches) const;
  static void leave_colliders(const FrozenChunk& chunk, Motion& motion, std::vector<Touch>& touches);

  std::vector<std::vector<Touch>> touches_;  ///< per thread
};

}}  // namespace limber::LIMBER_PRECISION
