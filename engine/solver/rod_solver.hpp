// The direct solve along rods: which rods go together, and their share of an iteration.
#pragma once

#include <vector>

#include "engine/core/aligned.hpp"
#include "engine/kernels/kernels.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber::inline LIMBER_PRECISION {

/// Solves each rod as a whole (kernels/rod_system.hpp) where solver.rods is direct: sweeps then leave its
/// constraints alone. Rods of about one length go through the lanes together, so the order of groups follows
/// from the scene alone and with it the bits.
class RodSolver {
 public:
  explicit RodSolver(const KernelTable<real>& kernels) : kernels_(kernels) {}

  /// Whether a World has rods that are solved directly.
  static bool enabled(const World& world);

  /// Sizes and lists everything; call where the topology or the number of threads may be another.
  void prepare(const World& world, int threads);

  /// One iteration. By every thread of the team; ends at a barrier.
  void solve(World& world, real h, bool first, Team& team);

  /// Writes the forces of the last substep as multipliers, lambda = -h^2 A^-1 C. Own slots.
  void store(World& world, real h, const Team& team) const;

 private:
  /// Slots by the number of a turn; -1: none. A turn begins one joint and ends one.
  struct Slots {
    std::vector<std::int32_t> stretch, bend_from, bend_to;
    explicit Slots(const Topology& topology);
  };
  /// Arrays as in RodGroupView.
  struct Group {
    std::int32_t blocks, rods = 0;
    bool ring;
    std::vector<std::int32_t> point, turn, stretch, bend, held_turn, held_bend, last;
    std::vector<double> done;

    explicit Group(const RodRun& longest);
    bool fits(const RodRun& run) const;
    void add(const Topology& topology, const RodRun& run, const Slots& slots);
  };
  RodGroupView<real> view(World& world, Group& group) const;

  const KernelTable<real>& kernels_;
  std::vector<Group> groups_;
  std::vector<AlignedVector<double>> scratch_;  ///< per thread
};

}  // namespace limber::inline LIMBER_PRECISION
