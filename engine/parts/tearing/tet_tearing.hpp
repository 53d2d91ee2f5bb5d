// Tearing of solids of tetrahedra where the largest principal stress exceeds their strength.
#pragma once

#include <vector>

#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// After the last substep of a frame all threads test the stress of their tetrahedra. After the frame, a
/// vertex is split if the mean stress of the tetrahedra around it exceeds the strength; the split is
/// perpendicular to the principal direction. The most stressed vertices come first, and of neighbouring
/// vertices at most one splits, because a split relieves its surroundings, unless another one is stressed far
/// beyond its strength. The pieces collide from the next substep on. The order is fixed, so nothing depends
/// on the number of threads.
class TetTearing {
 public:
  static bool enabled(const World& world);
  void reserve(const World& world);  ///< allocates; call between steps

  /// Records the tetrahedra of this thread that exceed their strength. All particles must be in place.
  void look(const World& world, const Team& team);
  /// Splits vertices after the frame. Returns whether any was split; the solver must then be prepared again.
  /// Serial.
  bool tear(World& world);

 private:
  struct Stressed {
    double stress;  ///< Pa
    std::int32_t particle;
    glm::dvec3 along;
  };
  std::vector<Stressed> candidates(const World& world) const;

  std::vector<std::int32_t> type_, slot_;  ///< per tetrahedron: its constraint
  std::vector<std::uint8_t> over_;         ///< per tetrahedron: it exceeds its strength
};

}}  // namespace limber::LIMBER_PRECISION
