// The methods that solve constraints, and the settings that each of them honours: one table for all callers.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "engine/core/acts_with.hpp"

namespace limber {

/// Methods that solve the constraints; engine/method/method.hpp describes them.
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

/// Meaning of a constraint's softness in a method.
enum class Softness {
  stiffness,   ///< a share k in [0, 1] of the error goes in an iteration
  compliance,  ///< alpha, in the inverse unit of stiffness; 0 is rigid
  energy,      ///< 1/alpha, with solver.compliance_floor in place of a smaller alpha
};

struct MethodTraits {
  SolverMethod method;
  std::string_view name;   ///< in scene files
  std::string_view label;  ///< as people write it
  Softness softness;
  bool ordered = false;    ///< visits constraints one after the other, so that solver.order acts
  bool relaxed = false;    ///< solver.relaxation and solver.averaging act
  bool chebyshev = false;  ///< solver.chebyshev_radius acts
  bool bdf2 = false;       ///< solver.integrator may be bdf2
  /// F, the function of implicit Euler, tells how far it has come: it minimises F, or ends where XPBD does,
  /// which is near; PBD, which knows no compliances, lowers F of nearly rigid materials
  bool objective = false;
  bool damps = false;     ///< Material::damping_time acts
  bool iterates = false;  ///< more iterations do more
  /// Why the method cannot hold the volume of a skin under pressure; empty: it can
  std::string_view no_pressure = {};
  bool turns = false;  ///< moves orientations too, so that it can have rods
};

/// A row per SolverMethod, in its order. Contacts, tears, held particles and shape matching belong to the
/// step and are alike for all methods; so is pressure for methods that allow it.
inline constexpr std::array method_table{
    MethodTraits{.method = SolverMethod::pbd,
                 .name = "pbd",
                 .label = "PBD",
                 .softness = Softness::stiffness,
                 .ordered = true,
                 .bdf2 = true,
                 .objective = true,
                 .iterates = true,
                 .turns = true},
    MethodTraits{.method = SolverMethod::xpbd,
                 .name = "xpbd",
                 .label = "XPBD",
                 .softness = Softness::compliance,
                 .ordered = true,
                 .bdf2 = true,
                 .objective = true,
                 .damps = true,
                 .iterates = true,
                 .turns = true},
    MethodTraits{.method = SolverMethod::jacobi,
                 .name = "jacobi",
                 .label = "Jacobi",
                 .softness = Softness::compliance,
                 .relaxed = true,
                 .bdf2 = true,
                 .objective = true,
                 .damps = true,
                 .iterates = true,
                 .turns = true},
    MethodTraits{.method = SolverMethod::chebyshev,
                 .name = "chebyshev",
                 .label = "Chebyshev",
                 .softness = Softness::compliance,
                 .relaxed = true,
                 .chebyshev = true,
                 .objective = true,
                 .damps = true,
                 .iterates = true},
    MethodTraits{.method = SolverMethod::hybrid,
                 .name = "hybrid",
                 .label = "Hybrid",
                 .softness = Softness::compliance,
                 .relaxed = true,
                 .bdf2 = true,
                 .objective = true,
                 .damps = true,
                 .iterates = true},
    MethodTraits{.method = SolverMethod::hierarchical,
                 .name = "hierarchical",
                 .label = "Hierarchical PBD",
                 .softness = Softness::stiffness,
                 .ordered = true,
                 .objective = true,
                 .iterates = true},
    MethodTraits{.method = SolverMethod::projective,
                 .name = "projective",
                 .label = "Projective Dynamics",
                 .softness = Softness::energy,
                 .objective = true,
                 .iterates = true,
                 .no_pressure = "local step"},
    MethodTraits{.method = SolverMethod::newton,
                 .name = "newton",
                 .label = "Newton",
                 .softness = Softness::energy,
                 .bdf2 = true,
                 .objective = true,
                 .iterates = true,
                 .no_pressure = "term"},
    MethodTraits{.method = SolverMethod::descent,
                 .name = "descent",
                 .label = "Gradient descent",
                 .softness = Softness::energy,
                 .bdf2 = true,
                 .objective = true,
                 .iterates = true},
    MethodTraits{.method = SolverMethod::fast_projection,
                 .name = "fast_projection",
                 .label = "Fast projection",
                 .softness = Softness::compliance,
                 .iterates = true,
                 .no_pressure = "row"},
    MethodTraits{.method = SolverMethod::forces,
                 .name = "forces",
                 .label = "Forces",
                 .softness = Softness::energy,
                 .no_pressure = "force"},
};

static_assert(
    [] {
      for (std::size_t i = 0; i < method_table.size(); ++i)
        if (method_table[i].method != SolverMethod(i)) return false;
      return method_table.size() == std::size_t(SolverMethod::forces) + 1;
    }(),
    "one row per method, in the order of SolverMethod");

constexpr const MethodTraits& traits(SolverMethod method) { return method_table[std::size_t(method)]; }

/// Whether compliances act, not stiffnesses.
constexpr bool is_compliant(SolverMethod method) { return traits(method).softness != Softness::stiffness; }

/// Whether each constraint has a multiplier that adds up over the iterations of a substep.
constexpr bool keeps_multipliers(SolverMethod method) {
  return traits(method).softness == Softness::compliance && traits(method).damps;
}

/// Whether displacements by contacts with colliders in an iteration stay as impulses in the y of F, so that
/// any excess must be taken back. Sweeps over constraints start from where contacts left the particles, and
/// Newton's method and descent have those contacts in F.
constexpr bool keeps_contacts(SolverMethod method) { return method == SolverMethod::projective; }

/// The methods that `honour` something, as rows of settings name them (Field::with).
template <class Honour>
constexpr ActsWith methods_that(std::string_view name, Honour honour) {
  ActsWith methods{0, name};
  for (std::size_t i = 0; i < method_table.size(); ++i)
    if (honour(SolverMethod(i))) methods.values |= 1u << i;
  return methods;
}
inline constexpr ActsWith compliant_methods = methods_that("XPBD and Jacobi", is_compliant);
inline constexpr ActsWith stiff_methods =
    methods_that("PBD", [](SolverMethod method) { return !is_compliant(method); });

inline constexpr auto method_names = [] {
  std::array<std::string_view, method_table.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = method_table[i].name;
  return names;
}();

}  // namespace limber
