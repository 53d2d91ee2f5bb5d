// Joints of rigid bodies in a substep, solved directly.
#pragma once

#include <span>
#include <vector>

#include "engine/contact/touched_parts.hpp"
#include "engine/core/aligned.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/parallel/visits.hpp"
#include "engine/parts/bodies/joints/joint_island.hpp"
#include "engine/parts/bodies/joints/joint_nets.hpp"
#include "engine/parts/bodies/joints/joint_trees.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Bodies that joints connect form an island. The multipliers of its joints are the solution of one sparse
/// system (J M^-1 J^T + alpha/h^2) dlambda = -(v + alpha/h^2 lambda), so that a chain has the right stiffness
/// for any masses. One thread solves an island, in double; islands share no movable body.
///
/// push: Newton steps bring v at the substep's end to 0 within 1e-5 m, by impulses along J of its start.
/// settle: J u = 0 at the end; velocities are taken from its result. Together they are RATTLE (Andersen
/// 1983), which keeps energy on average; the corrections of push add no speed. settle skips a row with
/// compliance: its velocity is that of backward Euler (XPBD). An active set handles bounds of multipliers
/// (limits, motors, ropes).
///
/// Joints that close a loop have change points (links in line), at which J M^-1 J^T is singular. Near such a
/// pose an error of second order would ask for an unbounded impulse in the weak direction. Therefore push is
/// damped there (joint_energy.cpp), mend brings the joints together without velocity (joint_mending.cpp), and
/// settle bounds the energy by that which the substep can have.
///
/// Nets, in whose matrix elimination fills in by more than six blocks a joint, are solved by sweeps instead
/// (JointNets), unless solver.joints is direct.
class JointSolver {
 public:
  JointSolver(const TreeKernels<real>& trees, const NetKernels<real>& nets) : kernels_(trees), nets_(nets) {}

  void reserve(const World& world, int threads);
  void reserve_bodies(const World& world);  ///< sizes all arrays by body
  bool empty() const { return islands_.empty(); }

  /// Finds the islands. Serial, at the beginning of a frame.
  void begin_frame(World& world, real h);

  // Must be called by every thread of the team; `rows` are those of the bodies (BodyRow). The caller must put
  // a barrier behind each call.

  /// Applies the impulses of the last substep along the joints' present directions.
  void warm(World& world, vec4* rows, real h, Team& team);
  void push(World& world, vec4* rows, Team& team);
  void mend(World& world, vec4* rows, const Team& team);
  void settle(World& world, vec4* rows, real h, Team& team);

  /// Writes the multipliers of nets into the World. Each thread has a share.
  void end_frame(World& world, Team& team);

  /// Tells `touched`, at the end of a substep, which parts joints have pushed. The bound on the energy of a
  /// rough substep has precedence over momenta: if all momentum were given back, a linkage that turns by a
  /// quarter per substep would have a sixth more energy than it may.
  void tell_touched(TouchedParts& touched, const Team& team);

  /// Sums of the impulses of all bodies' joints in this substep, kg m, and of the turns that they gave them,
  /// rad: four numbers a body, of which the last is not used. Null without joints.
  const double* pushed() const { return empty() ? nullptr : &pushed_.data()->x; }
  const double* turned() const { return empty() ? nullptr : &turned_.data()->x; }

  /// Correction that mend() adds to a body's pose; it gives no velocity.
  struct Mending {
    glm::dvec3 shift{0.0};                ///< m
    glm::dvec4 turn{0.0, 0.0, 0.0, 1.0};  ///< quaternion
    bool any = false;
  };
  const Mending& mending(std::size_t body) const { return mending_[body]; }

 private:
  /// Islands that share bodies: parts of one that is too dense to be solved as a whole, one after the other.
  struct Group {
    std::int32_t first, count;
    std::int32_t net = -1;  ///< in nets_; -1: none
    bool spans = false;     ///< the tree of `net`, not all of its joints
  };

  void add_part(const World& world, std::span<const std::int32_t> joints);
  struct Graph;
  static Graph graph_of(const World& world, std::span<const std::int32_t> joints);
  static bool fills_in(const World& world, std::span<const std::int32_t> joints);
  void choose_nets(World& world, real h);
  void close_loops(World& world, vec4* rows, JointStage stage, Team& team);
  bool add_island(const World& world, std::span<const std::int32_t> joints, std::size_t most_blocks);
  void group_trees(const World& world, int threads);
  TreeSweep<real> tree_sweep(World& world, vec4* rows, const Team& team);
  void load_motion(const vec4* rows, JointIsland& island) const;
  void take_inertia_at(const World& world, vec4* rows, IslandBody& body, const glm::dmat3& rotation);
  bool follow_turns(const World& world, vec4* rows, JointIsland& island);
  void forget(JointIsland& island);
  void drop_nonsense(const World& world, const vec4* rows, JointIsland& island);
  void apply(JointIsland& island, const IslandLink& link, const IslandRow& row, double lambda);
  void solve(const World& world, JointIsland& island, JointStage stage, double damping = 0.0);
  bool cut_off(JointIsland& island);
  void correct(JointIsland& island);

  void take_out(JointIsland& island);
  double free_energy(JointIsland& island);
  void step_back(JointIsland& island);
  bool push_until_held(const World& world, JointIsland& island);
  void push_within(const World& world, vec4* rows, JointIsland& island);
  void settle_within(const World& world, JointIsland& island, vec4* rows);
  void share_motion(const World& world, JointIsland& island, double most);

  void mend_island(World& world, JointIsland& island);
  void note_mending(JointIsland& island);

  template <class Visit>
  void visit(const Team& team, const Visit& visit) {
    const Share mine = team.share(std::int64_t(groups_.size()));
    for (std::int64_t g = mine.begin; g < mine.end; ++g) visit_group(groups_[std::size_t(g)], visit);
  }
  template <class Visit>
  void visit_group(const Group& group, const Visit& visit) {
    for (std::int32_t i = group.first; i < group.first + group.count; ++i)
      if (JointIsland& island = islands_[std::size_t(i)]; !island.asleep && !island.swept) visit(island);
  }
  /// Calls solve(group) for groups of trees, which returns the lanes that it left, then visit(island) for the
  /// islands in them and for those in no group.
  template <class Solve, class Visit>
  void visit_trees(const Team& team, const Solve& solve, const Visit& visit) {
    const Share mine = team.share(std::int64_t(trees_.size()));
    for (std::int64_t g = mine.begin; g < mine.end; ++g) {
      JointTreeGroup& group = trees_[std::size_t(g)];
      for (const std::int32_t i : group.islands()) tell(islands_[std::size_t(i)]);
      const unsigned left = solve(group);
      for (std::size_t l = 0; l < group.islands().size(); ++l) {
        JointIsland& island = islands_[std::size_t(group.islands()[l])];
        if (((left >> l) & 1u) && !island.asleep) visit(island);
      }
    }
    const Share loose = team.share(std::int64_t(loose_.size()));
    for (std::int64_t g = loose.begin; g < loose.end; ++g)
      visit_group(groups_[std::size_t(loose_[std::size_t(g)])], [&](JointIsland& island) {
        tell(island);
        visit(island);
      });
  }
  /// Tells observers of the joints of an island that is about to be solved.
  static void tell(const JointIsland& island) {
    if (visit_observer == nullptr || island.asleep) return;
    for (const IslandLink& link : island.links)
      tell_visit(Visited::joints, 0, -1, link.joint, link.joint + 1);
  }
  unsigned smooth_lanes(const JointTreeGroup& group) const;
  void load(const World& world, const vec4* rows, double h, JointIsland& island) const;

  const TreeKernels<real>& kernels_;
  JointNets nets_;
  std::vector<Group> groups_;
  std::vector<std::int32_t> spanning_;  ///< groups that are the trees of nets
  std::vector<JointTreeGroup> trees_;
  std::vector<std::int32_t> loose_;             ///< groups that no tree of `trees_` is
  std::vector<AlignedVector<double>> scratch_;  ///< per thread
  std::vector<JointIsland> islands_;
  /// A vector with room for a fourth number, so that lanes load it as a row.
  struct alignas(4 * sizeof(double)) RowVector : glm::dvec3 {
    RowVector(const glm::dvec3& v) : glm::dvec3(v) {}
    double unused = 0.0;
  };
  std::vector<RowVector> pushed_, turned_;
  std::vector<Mending> mending_;
};

}}  // namespace limber::LIMBER_PRECISION
