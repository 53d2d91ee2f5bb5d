// Solids of many overlapping clusters. Each cluster is matched by itself; particles move to the mean of their
// goals.
#pragma once

#include <vector>

#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A cluster weighs its particles with m_i / n_i, n_i the number of clusters that contain particle i, so that
/// the mean of the goals keeps both momenta. With rest positions q relative to its centre of mass, A = sum w
/// x q^T and M = sum w q q^T, its linear deformation is F = A M^-1.
///
/// A solid with a stiffness k (Mueller et al. 2005): a particle moves by the share k towards the mean of its
/// goals c + ((1 - beta) R + beta F) q.
///
/// A solid with Young's modulus: a cluster stores the energy V (mu |S - 1|^2 + lambda/2 tr(S - 1)^2), F = R
/// S, and a small energy for displacements that F does not explain. Particles follow the implicit Euler step
/// of that energy. Chebyshev's iteration finds it in as many steps as the stiffest cluster of the solid
/// needs; the last step is exact for smooth displacements. The state of rest therefore depends neither on the
/// number of substeps nor on the number of iterations.
class SoftBodies {
 public:
  static bool enabled(const World& world) { return !world.topology->matter.soft.empty(); }
  static bool flows(const World& world);

  void reserve(const World& world);
  /// Sets the multipliers of the thread's own particles to zero.
  void begin_substep(const Team& team);
  /// Runs an iteration. Must be called by every thread of the team. Begins and ends at a barrier.
  void project(World& world, real h, Team& team);
  /// Adds deformation beyond yield to the rest shape. After the iterations, behind a barrier.
  void flow(World& world, real h, Team& team);

  /// The number of Chebyshev's steps an iteration takes for stiffness s (h^2 k of the stiffest mode).
  static int steps_for(double s);
  static constexpr int most_steps = 40;

 private:
  /// The pull of a cluster on its entries: own q + hold (center - x), with x from middle + carried.
  struct alignas(64) Pull {
    mat3 own{0};
    vec3 center{0};   ///< m
    vec3 middle{0};   ///< m
    vec3 carried{0};  ///< m
    real hold = 0;
  };
  /// State of a cluster: F, R and its centre of mass from middle + carried.
  struct Fit {
    mat3 f, r, r0;
    vec3 center, middle, carried;
  };
  Fit fit(World& world, std::size_t cluster) const;
  void pull(World& world, std::size_t cluster, real h);
  void move(World& world, std::size_t member, real share, real again);
  void flow_cluster(World& world, std::size_t cluster, real h) const;
  double stiffest(const World& world, std::size_t solid, double h) const;

  std::vector<Pull> pulls_;        ///< per cluster
  AlignedVector<vec4> pushed_;     ///< m, per member: multiplier of this substep
  AlignedVector<vec4> last_;       ///< m, per member: its last step
  std::vector<double> stiffness_;  ///< per solid, h^2 k of its stiffest mode
  std::vector<int> steps_;         ///< per solid: depends on this solid only
};

}}  // namespace limber::LIMBER_PRECISION
