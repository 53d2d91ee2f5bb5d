// Chunks of frozen particles: groups frozen particles and keeps each group rigid.
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
  std::vector<std::int32_t> count;  ///< per particle: size of the chunk whose first particle it is
};

/// Joins frozen particles into chunks. Two neighbours are joined if they were joined before, or if one of
/// them has just frozen, so that two chunks that only come near each other stay apart. A frozen particle
/// without neighbours stays fluid. `search` has all pairs of neighbours. Reuses the storage of `scratch`.
/// Serial.
void group_frozen(World& world, const NeighbourSearch& search, FrozenGrouping& scratch);

/// Whether a particle of a chunk has left the scene.
bool loses_members(const World& world);

/// Keeps each chunk rigid. Its particles follow the rigid motion nearest to their own motions, which
/// conserves linear and angular momentum. Contacts then push the chunk, with its mass and inertia, out of the
/// colliders that its particles touch, with Coulomb friction. One thread per chunk.
class FrozenChunks {
 public:
  static bool enabled(const World& world);
  void reserve(const World& world);  ///< allocates; call between steps

  /// Projects all chunks; changes `moved`. Must be called by every thread of the team, between barriers.
  void project(World& world, const StaticContacts* contacts, const Team& team);

 private:
  struct Touch {
    const StaticContact* contact;
    /// m: from the chunk's centre to the particle; displacement since the substep began.
    glm::dvec3 arm, moved;
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
