// Joints of rigid bodies in a substep, solved directly.
#pragma once

#include <span>
#include <vector>

#include "engine/contact/touched_parts.hpp"
#include "engine/core/aligned.hpp"
#include "engine/core/block_cholesky.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/parts/bodies/joints/joint_rows.hpp"
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
class JointSolver {
 public:
  explicit JointSolver(const TreeKernels<real>& kernels) : kernels_(kernels) {}

  void reserve(const World& world, int threads);
  void reserve_bodies(const World& world);  ///< sizes all arrays by body
  bool empty() const { return islands_.empty(); }

  /// Finds the islands. Serial, at the beginning of a frame.
  void begin_frame(World& world, real h);

  // Must be called by every thread of the team; `rows` are those of the bodies (BodyRow). The caller must put
  // a barrier behind each call.

  /// Applies the impulses of the last substep along the joints' present directions.
  void warm(World& world, vec4* rows, real h, const Team& team);
  void push(World& world, vec4* rows, const Team& team);
  void mend(World& world, vec4* rows, const Team& team);
  void settle(World& world, vec4* rows, real h, const Team& team);

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
  enum class Mode : std::uint8_t { held, at_low, at_high, driven, idle };
  enum class Stage : std::uint8_t { push, settle };

  /// A body of an island. The last body of an island is the world.
  struct Body {
    std::int32_t number = no_body;
    bool movable = false;
    JointPose pose, moved;  ///< where the substep began, and with shift and turn
    double w = 0.0;
    glm::dmat3 inverse_inertia{0.0}, inertia{0.0};
    glm::dmat3 own_inertia{0.0};  ///< without the addition of stiffen()
    glm::dvec3 shift{0.0}, turn{0.0};
    glm::dvec3 kept_shift{0.0}, kept_turn{0.0};         ///< another motion, set aside
    glm::dvec3 pushed_before{0.0}, turned_before{0.0};  ///< its joints' sums when the sweep began
    JointPose before;                                   ///< where a Newton step of mend() began
  };
  struct Row : JointRow {
    glm::dvec3 turn_a{0.0}, turn_b{0.0};  ///< I^-1 arm
    double lambda = 0.0;
    double before = 0.0;             ///< lambda before a Newton step of push
    double start = 0.0;              ///< its value where the gradients are those
    double fastest = 0.0;            ///< most of an error that is mended at once
    double softness = 0.0;           ///< alpha / h^2 / (1 + gamma)
    double damped = 0.0;             ///< gamma / (1 + gamma)
    double low = 0.0, high = 0.0;    ///< of the value
    double drive = 0.0;              ///< most of lambda that the motor makes
    double aim = 0.0;                ///< J u that the motor aims at
    double least = 0.0, most = 0.0;  ///< of lambda, in this mode
    double beyond = 0.0;             ///< part of its value beyond J u
    double missing = 0.0;            ///< error of the row
    double goal = 0.0;               ///< error that mend() leaves
    double free = 0.0;               ///< J u without joints
    Mode mode = Mode::held;
    bool spent = false;  ///< cut off in this solve
  };
  struct Link {
    std::int32_t joint = 0;
    std::int32_t a = 0, b = 0;  ///< of the island's bodies
    int count = 0;
    Row rows[most_joint_rows];
  };
  /// Two links that share a body, and the block that says how much.
  struct Coupling {
    std::int32_t i, j;
    bool a_of_i, a_of_j;
    std::int32_t body, edge;
  };
  struct Island {
    std::vector<Body> bodies;
    std::vector<Link> links;
    std::vector<Coupling> couplings;
    std::vector<std::uint8_t> sizes;
    std::vector<double> solution;
    BlockCholesky matrix;
    double damping = 0.0;  ///< of the matrix: by which share its diagonal is larger
    double energy = 0.0;   ///< twice that of the motion without joints, and the work of motors, kg m^2
    bool factored = false, bounded = false;
    bool asleep = false;
    bool whole = false;   ///< not a part of a group: all joints of its bodies
    bool closed = false;  ///< joints close a loop, through the world too
    bool rough = false;   ///< the joints' equations have no good solution in this substep
  };
  /// Islands that share bodies: parts of one that is too dense to be solved as a whole, one after the other.
  struct Group {
    std::int32_t first, count;
  };

  void add_part(const World& world, std::span<const std::int32_t> joints);
  bool add_island(const World& world, std::span<const std::int32_t> joints, std::size_t most_blocks);
  void group_trees(const World& world, int threads);
  TreeSweep<real> tree_sweep(World& world, vec4* rows, const Team& team);
  void load_poses(const World& world, const vec4* rows, Island& island) const;
  /// The rod of a distance joint whose ends are apart: the direction of its pull at one end. Length 0: none.
  struct Rod {
    glm::dvec3 n{0.0};
    double length = 0.0;  ///< m
  };
  static Rod rod_of(const Joint& joint, const Body& a, const Body& b);
  static void stiffen(Body& body, const glm::dvec3& own, const glm::dvec3& push, const Rod& rod,
                      const vec4* rows);
  void stiffen(const World& world, vec4* rows, Island& island) const;
  void load_motion(const vec4* rows, Island& island) const;
  static void store(vec4* rows, const Island& island);
  static void set_inertia(vec4* rows, const Body& body);
  static JointPose displaced(const JointPose& pose, const glm::dvec3& shift, const glm::dvec3& turn);
  void take_inertia_at(const World& world, vec4* rows, Body& body, const glm::dmat3& rotation);
  bool follow_turns(const World& world, vec4* rows, Island& island);
  void forget(Island& island);
  void drop_nonsense(const World& world, const vec4* rows, Island& island);
  void make_rows(const World& world, Island& island, double h) const;
  void make_row(const World& world, const JointMaterial& material, Row& row, double h) const;
  void apply(Island& island, const Link& link, const Row& row, double lambda);
  static double moved(const Island& island, const Link& link, const Row& row);
  static void choose(Row& row, double value, double moved, Stage stage);
  static void evaluate(const World& world, Island& island, Stage stage);
  static bool find_missing(Island& island, Stage stage);
  static void factor(Island& island);
  void solve(const World& world, Island& island, Stage stage, double damping = 0.0);
  static double next_lambda(const Island& island, std::size_t link, int r);
  bool cut_off(Island& island);
  void correct(Island& island);

  void take_out(Island& island);
  static double energy(const Island& island);
  double free_energy(Island& island);
  static double motor_work(const Island& island);
  static double largest_turn(const Island& island);
  void step_back(Island& island);
  bool push_until_held(const World& world, Island& island);
  void push_within(const World& world, vec4* rows, Island& island);
  void settle_within(const World& world, Island& island, vec4* rows);
  void share_motion(const World& world, Island& island, double most);

  static void aim_at_start(Island& island);
  static double error_of(const Row& row, double value);
  template <class Visit>
  static void visit_errors(const World& world, Island& island, const Visit& visit);
  double predicted_error(const World& world, Island& island);
  static double measure_error(const World& world, Island& island);
  void displace(const World& world, Island& island, double share) const;
  static void newton_step(const World& world, Island& island, double damping);
  static double mend(const World& world, Island& island);
  void mend_island(World& world, Island& island);
  void note_mending(Island& island);

  void remember(World& world, const Island& island) const;

  template <class Visit>
  void visit(const Team& team, const Visit& visit) {
    const Share mine = team.share(std::int64_t(groups_.size()));
    for (std::int64_t g = mine.begin; g < mine.end; ++g) visit_group(groups_[std::size_t(g)], visit);
  }
  template <class Visit>
  void visit_group(const Group& group, const Visit& visit) {
    for (std::int32_t i = group.first; i < group.first + group.count; ++i)
      if (!islands_[std::size_t(i)].asleep) visit(islands_[std::size_t(i)]);
  }
  /// Calls solve(group) for groups of trees, which returns the lanes that it left, then visit(island) for the
  /// islands in them and for those in no group.
  template <class Solve, class Visit>
  void visit_trees(const Team& team, const Solve& solve, const Visit& visit) {
    const Share mine = team.share(std::int64_t(trees_.size()));
    for (std::int64_t g = mine.begin; g < mine.end; ++g) {
      JointTreeGroup& group = trees_[std::size_t(g)];
      const unsigned left = solve(group);
      for (std::size_t l = 0; l < group.islands().size(); ++l) {
        Island& island = islands_[std::size_t(group.islands()[l])];
        if (((left >> l) & 1u) && !island.asleep) visit(island);
      }
    }
    const Share loose = team.share(std::int64_t(loose_.size()));
    for (std::int64_t g = loose.begin; g < loose.end; ++g)
      visit_group(groups_[std::size_t(loose_[std::size_t(g)])], visit);
  }
  unsigned smooth_lanes(const JointTreeGroup& group) const;
  void load(const World& world, const vec4* rows, double h, Island& island) const;

  std::vector<Group> groups_;
  const TreeKernels<real>& kernels_;
  std::vector<JointTreeGroup> trees_;
  std::vector<std::int32_t> loose_;             ///< groups that no tree of `trees_` is
  std::vector<AlignedVector<double>> scratch_;  ///< per thread
  std::vector<Island> islands_;
  /// A vector with room for a fourth number, so that lanes load it as a row.
  struct alignas(4 * sizeof(double)) RowVector : glm::dvec3 {
    RowVector(const glm::dvec3& v) : glm::dvec3(v) {}
    double unused = 0.0;
  };
  std::vector<RowVector> pushed_, turned_;
  std::vector<Mending> mending_;
};

}}  // namespace limber::LIMBER_PRECISION
