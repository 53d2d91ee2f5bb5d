// The interface between the step and the methods that solve its constraints.
#pragma once

#include <variant>

#include "engine/method/chebyshev.hpp"
#include "engine/method/explicit_forces.hpp"
#include "engine/method/fast_projection.hpp"
#include "engine/method/gauss_seidel.hpp"
#include "engine/method/hierarchical.hpp"
#include "engine/method/hybrid.hpp"
#include "engine/method/minimizers.hpp"
#include "engine/method/projective.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Lines (9)-(11) of the loop without contacts: one iteration over all stencil constraints by the method that
/// `solver.method` names. Prediction, contacts and velocities belong to the step and are the same for every
/// method. engine/core/methods.hpp says how softness acts in each method and which settings it uses.
///
/// A method is a class with the functions below, none of them virtual. It keeps data derived from the
/// constraints (schedules, lists of incident constraints, factors): prepare() allocates and load() fills
/// them. Multipliers are in the World. Only the method in use exists.
class Method {
 public:
  explicit Method(const KernelTable<real>& kernels)
      : kernels_(kernels), current_(std::in_place_type<GaussSeidel>, kernels) {}

  /// Allocates. Must be called after a World of another topology was built or restored, and after a change of
  /// a solver setting.
  void prepare(const World& world);
  /// Reads softness, vertices and inverse masses. Must be called by every thread of the team at a frame's
  /// start and after a tear.
  void load(const World& world, Team& team) {
    std::visit([&](auto& method) { method.load(world, team); }, current_);
  }
  /// Gives the contacts with colliders to methods that solve them with their constraints; null: there are
  /// none. Must be called before a frame. Serial.
  void meet(StaticContacts* contacts) {
    std::visit(
        [&](auto& method) {
          if constexpr (requires { method.meet(contacts); }) method.meet(contacts);
        },
        current_);
  }
  /// Runs an iteration. Must be called by every thread of the team.
  void iterate(World& world, const Sweep<real>& sweep, Team& team) {
    std::visit([&](auto& method) { method.iterate(world, sweep, team); }, current_);
  }
  /// Writes the multipliers of the last substep into the World. Must be called by every thread of the team.
  void store(World& world, const Team& team) const {
    std::visit([&](auto& method) { method.store(world, team); }, current_);
  }

  /// The constraints in the slots that iterations visit, and the order of the visits.
  const ConstraintSet& constraints(const World& world) const;
  const Schedule& schedule(const World& world) const;

  /// The method in use as a One; null if another method is in use.
  template <class One>
  const One* get() const {
    return std::get_if<One>(&current_);
  }

 private:
  template <class One>
  void use() {
    if (!std::holds_alternative<One>(current_)) current_.template emplace<One>(kernels_);
  }
  void choose(const World& world);

  const KernelTable<real>& kernels_;
  std::variant<GaussSeidel, AveragedJacobi, Chebyshev, Hybrid, Hierarchical, Projective, Newton, Descent,
               FastProjection, ExplicitForces>
      current_;
};

}}  // namespace limber::LIMBER_PRECISION
