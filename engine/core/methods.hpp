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

/// The number with which a method expresses how soft a constraint is.
enum class Softness {
  stiffness,   ///< share k in [0, 1] of the error that an iteration removes
  compliance,  ///< alpha, the inverse of a stiffness; 0 is rigid
  energy,      ///< 1/alpha; an alpha below solver.compliance_floor is replaced by the floor
};

struct MethodTraits {
  SolverMethod method;
  std::string_view name;   ///< in scene files
  std::string_view label;  ///< as people write it
  Softness softness;
  bool ordered = false;    ///< visits constraints one after the other; solver.order acts
  bool relaxed = false;    ///< solver.relaxation and solver.averaging act
  bool chebyshev = false;  ///< solver.chebyshev_radius acts
  bool bdf2 = false;       ///< solver.integrator may be bdf2
  /// The objective F of implicit Euler (core/iteration_trace.hpp) measures the method's progress: it
  /// minimises F, or converges as XPBD does, near that minimum. PBD knows no compliances, but lowers F of
  /// nearly rigid materials
  bool objective = false;
  bool damps = false;     ///< Material::damping_time acts
  bool iterates = false;  ///< further iterations improve the result
  /// Noun for the message "the method has no ... for the pressure": "row", "force". Empty: the method can
  /// hold the volume of a skin under pressure
  std::string_view no_pressure = {};
  bool turns = false;  ///< projects orientations too, so that scenes may have rods
};

/// A row per SolverMethod, in its order. Contacts, tears, held particles and shape matching are part of the
/// step, not of a method, and are the same for all methods; so is pressure for methods that allow it.
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

/// Whether the method uses compliances; PBD and hierarchical PBD use stiffnesses.
constexpr bool is_compliant(SolverMethod method) { return traits(method).softness != Softness::stiffness; }

/// Whether constraints keep multipliers that accumulate over the iterations of a substep.
constexpr bool keeps_multipliers(SolverMethod method) {
  return traits(method).softness == Softness::compliance && traits(method).damps;
}

/// Whether corrections by contacts with colliders accumulate over the iterations, as impulses in the y of F,
/// so that a contact must be able to take an excess back (StaticContacts::project_kept). In sweeps the next
/// projection starts from the places where contacts left the particles; Newton's method and descent have
/// these contacts in F itself.
constexpr bool keeps_contacts(SolverMethod method) { return method == SolverMethod::projective; }

/// The set of methods for which honour(method) is true, with its `name` for the user; rows of settings take
/// it (Field::with).
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
