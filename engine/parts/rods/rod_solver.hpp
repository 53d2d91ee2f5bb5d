// The direct solve along rods: groups rods for the kernels and runs the kernels in an iteration.
#pragma once

#include <algorithm>
#include <array>
#include <glm/mat3x3.hpp>
#include <optional>
#include <vector>

#include "engine/core/aligned.hpp"
#include "engine/kernels/kernels.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Solves each rod as a whole (kernels/rod_system.hpp) if solver.rods is direct; sweeps then skip its
/// constraints. Rods of similar length share the lanes of a group. Groups follow from the scene alone, so the
/// bits do not depend on the number of threads.
class RodSolver {
 public:
  explicit RodSolver(const KernelTable<real>& kernels) : kernels_(kernels) {}

  /// Whether a World has rods that are solved directly.
  static bool enabled(const World& world);

  /// Sizes all arrays and forms the groups. Must be called after a change of the topology or of the number of
  /// threads.
  void prepare(const World& world, int threads);

  /// Whether rods have broken since prepare(), or are whole again because a frame was undone.
  bool parted(const World& world) const;

  /// Clears the stored responses of points, at the beginning of a frame. Serial.
  void begin_frame();
  /// Sets the inverse masses of points of rods, in `position` and `moved`, to the response of the whole rod,
  /// for contacts and ties, until take_weights(). `first`: this is the first substep of h s of a frame. Must
  /// be called by every thread of the team.
  void lend_weights(World& world, real h, bool first, Team& team);

  /// Response of a tied point to an impulse in a substep, 1/kg; empty if it belongs to no rod solved here.
  std::optional<glm::dmat3> answer_of(std::int32_t particle) const;
  /// Applies the impulse of a tie (kg m) to such a point, and moves the point accordingly.
  void pull(Particles& particles, std::int32_t particle, const glm::dvec3& impulse);
  void take_weights(World& world, const Team& team);

  enum class Pass {
    first,   ///< the first solve of a substep
    all,     ///< another solve of all rods
    pushed,  ///< only rods that contacts or ties have pushed since their last solve
  };
  /// Number of Newton steps before contacts: enough for a rope to find its taut segments, whatever the
  /// number of iterations, each of which adds a step afterwards.
  int first_steps(int iterations) const { return ropes_ ? std::max(rope_steps - iterations, 0) + 1 : 1; }
  /// Runs one Newton step. `met`: contacts or ties can push points. Must be called by every thread of the
  /// team.
  void solve(World& world, real h, Pass pass, bool met, const Team& team);

  /// Writes the forces of the last substep as multipliers, lambda = -h^2 A^-1 C, in the thread's own slots.
  void store(World& world, real h, const Team& team) const;

 private:
  /// Slots of the constraints at each turn (orientation of a segment): its stretch, and the bends that begin
  /// and end with it; -1: none.
  struct Slots {
    std::vector<std::int32_t> stretch, bend_from, bend_to;
    explicit Slots(const Topology& topology);
  };
  /// Arrays as in RodGroupView.
  struct Group {
    std::int32_t blocks, rods = 0;
    bool ring, ropes = false;
    std::vector<std::int32_t> point, turn, stretch, bend, held_turn, held_bend, last;
    std::vector<double> done, pushed;
    std::vector<real> left, weight;
    std::vector<std::int32_t> ties;
    std::vector<double> tension, answer, tied, way;

    explicit Group(const RodRun& longest);
    bool fits(const RodRun& run) const;
    void add(const Topology& topology, const RodRun& run, const Slots& slots);
  };
  void note_ties(const World& world);
  template <class WeightOf>
  void set_weights(World& world, const Team& team, const WeightOf& weight_of);
  RodGroupView<real> view(World& world, Group& group) const;

  RodSweep<real> sweep(World& world, real h, Pass pass, bool met, const Team& team);

  /// Index of a tied point in a group.
  struct Place {
    std::int32_t group = -1;
    std::size_t at = 0;  ///< group_size * block + lane
  };

  static constexpr int rope_steps = 4;

  const KernelTable<real>& kernels_;
  bool ropes_ = false;  ///< some rod only pulls
  /// Key of each run in the groups, with all numbers that a break changes.
  std::vector<std::array<std::int32_t, 4>> runs_;
  std::vector<Group> groups_;
  std::vector<Place> place_;                    ///< per particle; empty if there are no ties
  std::vector<AlignedVector<double>> scratch_;  ///< per thread
};

}}  // namespace limber::LIMBER_PRECISION
