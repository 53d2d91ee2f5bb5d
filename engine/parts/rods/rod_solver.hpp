// The direct solve along rods: which rods go together, and their share of an iteration.
#pragma once

#include <array>
#include <glm/mat3x3.hpp>
#include <optional>
#include <vector>

#include "engine/core/aligned.hpp"
#include "engine/kernels/kernels.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

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

  /// Whether rods have parted, or come together as a frame was undone, since prepare().
  bool parted(const World& world) const;

  /// A frame begins: nothing is known of what others meet at the points. By one thread.
  void begin_frame();
  /// From here to take_weights() points of rods count with what others have met there, in `position` and
  /// `moved`. `first`: in the first substep of a frame, of h s. By every thread of the team; ends at a
  /// barrier.
  void lend_weights(World& world, real h, bool first, Team& team);

  /// The answer of a tied point to an impulse in a substep, 1/kg; null: it is of no rod that is solved here.
  std::optional<glm::dmat3> answer_of(std::int32_t particle) const;
  /// A tie pulls at such a point, kg m; its position follows.
  void pull(Particles& particles, std::int32_t particle, const glm::dvec3& impulse);
  void take_weights(World& world, Team& team);

  enum class Pass {
    first,   ///< of a substep
    all,     ///< once more
    pushed,  ///< of rods alone that others have pushed since they were solved
  };
  /// A Newton step; `met`: something can push points. By every thread of the team; ends at a barrier.
  void solve(World& world, real h, Pass pass, bool met, Team& team);

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
  void set_weights(World& world, Team& team, const WeightOf& weight_of);
  RodGroupView<real> view(World& world, Group& group) const;

  RodSweep<real> sweep(World& world, real h, Pass pass, bool met, const Team& team);

  /// Where a tied point is in a group.
  struct Place {
    std::int32_t group = -1;
    std::size_t at = 0;  ///< group_size * block + lane
  };

  const KernelTable<real>& kernels_;
  std::vector<std::array<std::int32_t, 4>> runs_;  ///< that groups are made of: of each all that parts change
  std::vector<Group> groups_;
  std::vector<Place> place_;                    ///< per particle; empty without ties
  std::vector<AlignedVector<double>> scratch_;  ///< per thread
};

}}  // namespace limber::LIMBER_PRECISION
