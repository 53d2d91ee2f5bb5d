// The methods that solve constraints, and what each of them honours: one table for all who ask.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace limber {

/// How constraints are solved: engine/method/method.hpp has what each of them does.
enum class SolverMethod : int { pbd, xpbd, jacobi, chebyshev, hybrid, hierarchical };

/// How a constraint's softness acts in a method.
enum class Softness {
  stiffness,   ///< a share k in [0, 1] of the error goes in an iteration
  compliance,  ///< alpha, in the inverse unit of stiffness; 0 is rigid
};

struct MethodTraits {
  std::string_view name;   ///< in scene files
  std::string_view label;  ///< as people write it
  Softness softness;
  bool ordered;  ///< visits constraints one after the other, so that solver.order acts
  bool relaxed;  ///< solver.relaxation acts
};

/// By SolverMethod.
inline constexpr std::array method_table{
    MethodTraits{"pbd", "PBD", Softness::stiffness, true, false},
    MethodTraits{"xpbd", "XPBD", Softness::compliance, true, false},
    MethodTraits{"jacobi", "Jacobi", Softness::compliance, false, true},
    MethodTraits{"chebyshev", "Chebyshev", Softness::compliance, false, true},
    MethodTraits{"hybrid", "Hybrid", Softness::compliance, false, true},
    MethodTraits{"hierarchical", "Hierarchical PBD", Softness::stiffness, true, false},
};

constexpr const MethodTraits& traits(SolverMethod method) { return method_table[std::size_t(method)]; }

/// Whether compliances act, not stiffnesses.
constexpr bool is_compliant(SolverMethod method) { return traits(method).softness != Softness::stiffness; }

inline constexpr auto method_names = [] {
  std::array<std::string_view, method_table.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = method_table[i].name;
  return names;
}();

}  // namespace limber
