// Damping that leaves rigid motion unchanged (Mueller et al. 2006, section 3.5), per object, in parallel.
#pragma once

#include <vector>

#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Lines (1)-(9) of section 3.5:
///   x_cm = sum x m / sum m,  v_cm = sum v m / sum m,  r = x - x_cm,
///   L = sum r x (m v),  I = sum m (|r|^2 1 - r r^T),  omega = I^-1 L (pseudo-inverse: collinear points)
///   v += k (v_cm + omega x r - v)
/// over the movable particles of each object. Sums are taken per block of particles and added in block
/// order, in double, so the result does not depend on the number of threads.
class RigidModeDamping {
 public:
  void reserve(const World& world);  ///< allocates; call between steps

  /// Must be called by every thread of the team; contains barriers. k in [0, 1].
  void apply(World& world, real k, Team& team);

 private:
  struct Block {
    std::int32_t object, begin, end;
  };
  struct Sums {
    double mass = 0.0;
    glm::dvec3 first{0.0}, second{0.0};           ///< pass 1: sums of m x and m v; pass 2: L, unused
    glm::dvec3 diagonal{0.0}, off_diagonal{0.0};  ///< pass 2: I
  };
  struct Rigid {
    glm::dvec3 center{0.0}, velocity{0.0}, omega{0.0};
  };
  void sum_mass(const World& world, std::size_t block);
  void sum_inertia(const World& world, std::size_t block);

  std::vector<Block> blocks_;
  std::vector<std::size_t> first_block_;  ///< per object: its first block; and one more for the end
  std::vector<Sums> sums_;                ///< per block
  std::vector<Rigid> rigid_;              ///< per object
};

}}  // namespace limber::LIMBER_PRECISION
