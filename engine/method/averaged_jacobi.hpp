// Averaged Jacobi iterations with over-relaxation (Macklin et al. 2014, section 4), with one averaging factor
// per constraint.
#pragma once

#include <array>

#include "engine/constraints/constraint_types.hpp"
#include "engine/kernels/kernels.hpp"
#include "engine/method/incidence.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Solves all constraints at the same positions and moves every particle once by the sum of its constraints'
/// Solves all constraints at the same positions, then moves every particle by the sum of its constraints'
/// corrections:
///   dlambda_c = omega / max_i n_i (-C - a~ lambda) / (sum_i w_i |grad_i C|^2 + a~)
///   dp_i      = w_i sum_c grad_i C_c dlambda_c
/// where n_i is the number of constraints at particle i and the maximum goes over the particles of c. One
/// factor for the whole constraint keeps both momenta; division by each particle's own n_i (as Macklin et al.
/// print it) does not. Converges for omega in the open interval (0, 2). Without `averaging`, n_i counts as 1:
/// this is plain Jacobi, which diverges if several constraints correct the same error.
///
/// Needs no colours and two barriers an iteration.
class AveragedJacobi {
 public:
  explicit AveragedJacobi(const KernelTable<real>& kernels) : kernels_(kernels) {}

  void prepare(const World& world);
  void load(const World& world, Team& team);
  void iterate(World& world, const Sweep<real>& sweep, Team& team);
  void store(World&, const Team&) const {}

  /// Like load(), for the constraints of `runs` alone; `runs` must be equal on every thread.
  void load_some(const World& world, const SlotRuns& runs, Team& team);

 private:
  const KernelTable<real>& kernels_;
  SlotRuns runs_;
  Incidence moments_;  ///< kg m, impulses grad_i C dlambda, summed per particle
  std::array<AlignedVector<real>, constraint_type_count> share_;  ///< per slot: omega / max n
};

}}  // namespace limber::LIMBER_PRECISION
