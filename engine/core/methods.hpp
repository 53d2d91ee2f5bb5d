// The methods that solve constraints, and what each of them honours: one table for all who ask.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace limber {

/// How constraints are solved: engine/method/method.hpp has what each of them does.
enum class SolverMethod : int {
  pbd,
  xpbd,
  jacobi,
  chebyshev,
  hybrid,
  hierarchical,
  projective,
  newton,
  descent,
  fast_projection,
  forces
};

/// How a constraint's softness acts in a method.
enum class Softness {
  stiffness,   ///< a share k in [0, 1] of the error goes in an iteration
  compliance,  ///< alpha, in the inverse unit of stiffness; 0 is rigid
  energy,      ///< 1/alpha, with solver.compliance_floor in place of a smaller alpha
};

struct MethodTraits {
  std::string_view name;   ///< in scene files
  std::string_view label;  ///< as people write it
  Softness softness;
  bool ordered;    ///< visits constraints one after the other, so that solver.order acts
  bool relaxed;    ///< solver.relaxation and solver.averaging act
  bool chebyshev;  ///< solver.chebyshev_radius acts
  bool bdf2;       ///< solver.integrator may be bdf2
  /// F, the function of implicit Euler, tells how far it has come: it minimises F, or ends where XPBD does,
  /// which is near; PBD, which knows no compliances, lowers F of nearly rigid materials
  bool objective;
  bool damps;     ///< Material::damping_time acts
  bool iterates;  ///< more iterations do more
  /// Why the method cannot hold the volume of a skin under pressure; empty: it can
  std::string_view no_pressure = {};
  bool turns = false;  ///< moves orientations too, so that it can have rods
};

/// One row per SolverMethod, in its order. Contacts, tears, held particles and shape matching are the step's,
/// and alike for all methods; pressure is so for those that hold it.
inline constexpr std::array method_table{
    MethodTraits{"pbd", "PBD", Softness::stiffness, true, false, false, true, true, false, true, {}, true},
    MethodTraits{"xpbd", "XPBD", Softness::compliance, true, false, false, true, true, true, true, {}, true},
    MethodTraits{
        "jacobi", "Jacobi", Softness::compliance, false, true, false, true, true, true, true, {}, true},
    MethodTraits{"chebyshev", "Chebyshev", Softness::compliance, false, true, true, false, true, true, true},
    MethodTraits{"hybrid", "Hybrid", Softness::compliance, false, true, false, true, true, true, true},
    MethodTraits{"hierarchical", "Hierarchical PBD", Softness::stiffness, true, false, false, false, true,
                 false, true},
    MethodTraits{"projective", "Projective Dynamics", Softness::energy, false, false, false, false, true,
                 false, true, "local step"},
    MethodTraits{"newton", "Newton", Softness::energy, false, false, false, true, true, false, true, "term"},
    MethodTraits{"descent", "Gradient descent", Softness::energy, false, false, false, true, true, false,
                 true},
    MethodTraits{"fast_projection", "Fast projection", Softness::compliance, false, false, false, false,
                 false, false, true, "row"},
    MethodTraits{"forces", "Forces", Softness::energy, false, false, false, false, false, false, false,
                 "force"},
};

constexpr const MethodTraits& traits(SolverMethod method) { return method_table[std::size_t(method)]; }

/// Whether compliances act, not stiffnesses.
constexpr bool is_compliant(SolverMethod method) { return traits(method).softness != Softness::stiffness; }

/// Whether each constraint has a multiplier that adds up over the iterations of a substep.
constexpr bool keeps_multipliers(SolverMethod method) {
  return traits(method).softness == Softness::compliance && traits(method).damps;
}

/// Whether what contacts with colliders did in an iteration stays as an impulse in the y of F, and so has to
/// be taken back where it was too much. Sweeps over constraints start from where contacts left the particles,
/// and Newton's method and descent have those contacts in F.
constexpr bool keeps_contacts(SolverMethod method) { return method == SolverMethod::projective; }

inline constexpr auto method_names = [] {
  std::array<std::string_view, method_table.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = method_table[i].name;
  return names;
}();

}  // namespace limber
