#include "engine/method/method.hpp"

#include "engine/core/settings/method.hpp"

#include "engine/state/constraint_set.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

void Method::choose(const World& world) {
  switch (world.settings.solver.method->kind) {
    case SolverMethod::pbd:
    case SolverMethod::xpbd:
      return use<GaussSeidel>();
    case SolverMethod::jacobi:
      return use<AveragedJacobi>();
    case SolverMethod::chebyshev:
      return use<Chebyshev>();
    case SolverMethod::hybrid:
      return use<Hybrid>();
    case SolverMethod::hierarchical:
      return use<Hierarchical>();
    case SolverMethod::projective:
      return use<Projective>();
    case SolverMethod::newton:
      return use<Newton>();
    case SolverMethod::descent:
      return use<Descent>();
    case SolverMethod::fast_projection:
      return use<FastProjection>();
    case SolverMethod::forces:
      return use<ExplicitForces>();
  }
}

void Method::prepare(const World& world) {
  choose(world);
  std::visit([&](auto& method) { method.prepare(world); }, current_);
}

const ConstraintSet& Method::constraints(const World& world) const {
  return std::visit(
      [&](const auto& method) -> const ConstraintSet& {
        if constexpr (requires { method.constraints(world); })
          return method.constraints(world);
        else
          return *world.topology->constraints;
      },
      current_);
}

const Schedule& Method::schedule(const World& world) const {
  return std::visit(
      [&](const auto& method) -> const Schedule& {
        if constexpr (requires { method.schedule(world); })
          return method.schedule(world);
        else
          return world.topology->schedule;
      },
      current_);
}

}}  // namespace limber::LIMBER_PRECISION
