// Solids of many overlapping clusters. Each cluster is matched by itself; particles move to the mean of the
// goals that their clusters give.
#pragma once

#include <vector>

#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A cluster weights its particles with m_i / n_i, n_i the number of clusters that contain particle i, so
/// that the mean of the goals conserves linear and angular momentum. With rest positions q relative to its
/// centre of mass, A = sum w x q^T and M = sum w q q^T, its linear deformation is F = A M^-1.
///
/// Solids with a stiffness k (Mueller et al. 2005): a particle moves by the share k towards the mean of its
/// goals c + ((1 - beta) R + beta F) q + gamma sum_a Q_a u_a, with the quadratic modes u_a (take_modes()) and
/// Q_a = sum w x u_a. The modes are orthogonal to linear functions, so that both momenta are conserved for
/// any beta and gamma.
///
/// Solids with Young's modulus: a cluster stores the energy V (mu |S - 1|^2 + lambda/2 tr(S - 1)^2), with F =
/// R S, and a small energy for displacements that F does not represent. Particles follow the implicit Euler
/// step of that energy. Chebyshev's iteration computes this step in as many iterations as the stiffest
/// cluster of the solid needs; the last iteration is exact for smooth displacements. The equilibrium
/// therefore depends neither on the number of substeps nor on the number of iterations of the solver.
class SoftBodies {
 public:
  static bool enabled(const World& world) { return !world.topology->matter.soft.empty(); }
  static bool flows(const World& world);

  void reserve(const World& world);
  /// Sets the multipliers of the thread's own particles to zero.
  void begin_substep(const Team& team);
  /// Runs an iteration. Must be called by every thread of the team.
  void project(World& world, real h, Team& team);
  /// Adds deformation beyond yield to the rest shape. Must be called after the iterations and a barrier.
  void flow(World& world, real h, Team& team);

  /// Number of Chebyshev steps per iteration for the stiffness s (h^2 k of the stiffest mode).
  static int steps_for(double s);
  static constexpr int most_steps = 40;

 private:
  /// Goal of a cluster for its particles: own q + hold (center - x), with positions relative to middle +
  /// carried. The fourth number of each row is 0.
  struct alignas(64) Pull {
    vec4 own[3]{};    ///< columns
    vec4 center{0};   ///< m
    vec4 middle{0};   ///< m
    vec4 carried{0};  ///< m
    real hold = 0;

    void set_own(const mat3& matrix) {
      for (int k = 0; k < 3; ++k) own[k] = vec4(matrix[k], real(0));
    }
  };
  /// Deformation F, rotation R and centre of mass (relative to middle + carried) of a cluster.
  struct Fit {
    mat3 f, r, r0;
    vec3 center, middle, carried;
  };
  Fit fit(World& world, std::size_t cluster) const;
  void pull(World& world, std::size_t cluster, real h);
  void bend(const World& world, std::size_t cluster, const Fit& now, real gamma);
  void move(World& world, std::size_t member, real share, real again);
  void flow_cluster(World& world, std::size_t cluster, real h) const;
  double stiffest(const World& world, std::size_t solid, double h) const;

  std::vector<Pull> pulls_;  ///< per cluster
  /// m kg^(1/2), quadratic_modes rows per cluster: gamma Q_a; empty if no solid has quadratic modes
  AlignedVector<vec4> bends_;
  AlignedVector<vec4> pushed_;     ///< m, per member: multiplier in this substep
  AlignedVector<vec4> last_;       ///< m, per member: its last Chebyshev step
  std::vector<double> stiffness_;  ///< per solid, h^2 k of its stiffest mode
  std::vector<int> steps_;         ///< per solid: number of Chebyshev steps
};

}}  // namespace limber::LIMBER_PRECISION
