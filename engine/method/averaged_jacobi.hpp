// Averaged Jacobi iterations with over-relaxation (Macklin et al. 2014, section 4; erratum 19).
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "engine/kernels/kernels.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber::inline LIMBER_PRECISION {

/// Solves all constraints at the same positions and moves every particle once by what its constraints ask of
/// it:
///   dlambda_c = omega / max_i n_i (-C - a~ lambda) / (sum_i w_i |grad_i C|^2 + a~)
///   dp_i      = w_i sum_c grad_i C_c dlambda_c
/// where n_i is the number of constraints at particle i and the maximum goes over the particles of c. One
/// factor for the whole constraint keeps both momenta, which dividing by each particle's own n_i (as the
/// paper prints it) does not. Converges for omega in the open interval (0, 2).
///
/// Needs no colours and two barriers an iteration. A gather: each particle adds its terms in the order of
/// types and slots, so results do not depend on the number of threads.
class AveragedJacobi {
 public:
  explicit AveragedJacobi(const KernelTable<real>& kernels) : kernels_(kernels) {}

  void prepare(const World& world);
  void load(const World& world, Team& team);
  void iterate(World& world, const Sweep<real>& sweep, Team& team);

 private:
  /// Where one constraint leaves what it asks of one particle: x at `first` of moments_, y and z `stride`
  /// behind it each.
  struct Term {
    std::int32_t first, stride;
  };
  void list_terms(const World& world);

  const KernelTable<real>& kernels_;
  std::vector<std::int32_t> first_term_;  ///< per particle and an end, in terms_
  std::vector<std::int32_t> next_term_;   ///< scratch of list_terms()
  std::vector<Term> terms_;
  AlignedVector<real> moments_;                                     ///< kg m: grad_i C dlambda
  std::array<std::int32_t, constraint_type_count> first_moment_{};  ///< in moments_
  std::array<AlignedVector<real>, constraint_type_count> share_;    ///< per slot: omega / max n
};

}  // namespace limber::inline LIMBER_PRECISION
