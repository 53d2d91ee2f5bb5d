// Gauss-Seidel sweeps over the stencil constraints: PBD and XPBD.
#pragma once

#include <memory>

#include "engine/coloring/schedule_builder.hpp"
#include "engine/constraints/constraint_types.hpp"
#include "engine/kernels/kernels.hpp"
#include "engine/parallel/color_visits.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Visits the slots of `constraints` in the phases of `schedule` once, forward or backward. Must be called by
/// every thread of the team.
void sweep_schedule(const KernelTable<real>& kernels, const Schedule& schedule,
                    const ConstraintSet& constraints, ConstraintState& state, real* points,
                    const Sweep<real>& sweep, ColorTurns& turns);

/// Visits the constraints one after the other, each at the positions that its predecessors left. In the World
/// they are in coloured slots; all threads visit a colour at once. The orders `sequential` and `alternating`
/// have their own slots, in which a constraint comes after all earlier ones with a common vertex. Constraints
/// are copied there at a frame's start, and their multipliers are copied back at its end. With `symmetric`,
/// an iteration consists of a sweep over the coloured slots and one in reverse order.
///
/// Skins whose goal volume differs from their rest volume always get the reverse sweep too. A sweep in one
/// direction leaves asymmetric errors. If edges and volume contradict each other, such errors do work on the
/// skin in every substep, and it starts to rock and roll by itself.
class GaussSeidel {
 public:
  explicit GaussSeidel(const KernelTable<real>& kernels) : kernels_(kernels) {}

  void prepare(const World& world);
  void load(const World& world, Team& team);
  void iterate(World& world, const Sweep<real>& sweep, Team& team);
  void store(World& world, const Team& team) const;

  const ConstraintSet& constraints(const World& world) const;
  const Schedule& schedule(const World& world) const;

 private:
  void add_loose(const Topology& untorn);
  bool load_flowed(const World& world, const Team& team);

  const KernelTable<real>& kernels_;
  std::shared_ptr<const Topology> source_;  ///< topology without tears from which own_ was made
  ConstraintLayout own_;
  ConstraintState state_;  ///< of own_
  /// Per type and slot of own_: the slot in the World; -1: padding.
  std::array<std::vector<std::int32_t>, constraint_type_count> slot_;
  /// Per type: segment of TearRoom::loose in own_.schedule.
  std::array<std::int32_t, constraint_type_count> loose_segment_{};
};

}}  // namespace limber::LIMBER_PRECISION
