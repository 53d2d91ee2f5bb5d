// Gauss-Seidel sweeps over the stencil constraints: PBD and XPBD.
#pragma once

#include <memory>

#include "engine/coloring/schedule_builder.hpp"
#include "engine/kernels/kernels.hpp"
#include "engine/parallel/pool.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Visits the slots of `constraints` in the phases of `schedule` once, forward or backward. Must be called by
/// every thread of the team. Ends at a barrier.
void sweep_schedule(const KernelTable<real>& kernels, const Schedule& schedule,
                    const ConstraintSet& constraints, ConstraintState& state, real* points,
                    const Sweep<real>& sweep, Team& team);

/// Visits the constraints one after the other, each at the positions that its predecessors left. The World
/// has them in coloured slots; all threads visit a colour at once. The orders `sequential` and `alternating`
/// have their own slots, in which a constraint comes after all earlier ones with a common vertex. Constraints
/// are copied there at a frame's start, and their multipliers back at its end. With `symmetric`, an iteration
/// is a sweep over the coloured slots followed by one in reverse order.
///
/// Skins whose goal volume differs from their rest volume always get the reverse sweep too. A sweep in one
/// direction leaves asymmetric errors. If edges and volume contradict each other, such errors do work on the
/// skin without end, and it rocks and rolls by itself.
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
  void load_flowed(const World& world, Team& team);

  const KernelTable<real>& kernels_;
  std::shared_ptr<const Topology> source_;  ///< untorn, the source of own_'s layout
  ConstraintLayout own_;
  ConstraintState state_;  ///< of own_
  std::array<std::vector<std::int32_t>, constraint_type_count>
      slot_;  ///< per own slot: the World's; -1: padding
  std::array<std::int32_t, constraint_type_count> loose_segment_{};  ///< in own_.schedule, of TearRoom::loose
};

}}  // namespace limber::LIMBER_PRECISION
