// Tearing of solids of tetrahedra where the largest principal stress exceeds their strength.
#pragma once

#include <vector>

#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// After the last substep of a frame all threads look at the stress of their tetrahedra; behind the frame a
/// vertex where its mean over the tetrahedra there exceeds the strength is split across its direction, the
/// most stressed first, at most one among neighbours, because a split relieves what is around it. Parts touch
/// each other from the next substep on. In one order: the same for any number of threads.
class TetTearing {
 public:
  static bool enabled(const World& world);
  void reserve(const World& world);  ///< allocates; call between steps

  /// Notes which of the thread's tetrahedra are over their strength. Others' particles are in place.
  void look(const World& world, const Team& team);
  /// On one thread, behind the frame. Whether anything was split: then the solver must prepare().
  bool tear(World& world);

 private:
  struct Stressed {
    double stress;  ///< Pa
    std::int32_t particle;
    glm::dvec3 along;
  };
  std::vector<Stressed> candidates(const World& world) const;

  std::vector<std::int32_t> type_, slot_;  ///< per tetrahedron
  std::vector<std::uint8_t> over_;         ///< per tetrahedron: it is over its strength
};

}}  // namespace limber::LIMBER_PRECISION
