// Islands of jointed bodies as data, and what the parts of JointSolver compute from an island alone.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/block_cholesky.hpp"
#include "engine/parts/bodies/joints/joint_rows.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The part that a row takes in the system: always; while it presses on a bound; as a motor; none.
enum class RowMode : std::uint8_t { held, at_low, at_high, driven, idle };
/// push solves for positions, settle for velocities.
enum class JointStage : std::uint8_t { push, settle };

/// A body of an island. The last body of an island is the world.
struct IslandBody {
  std::int32_t number = no_body;
  bool movable = false;
  JointPose pose, predicted;  ///< where the substep began; where shift and turn lead
  double w = 0.0;             ///< 1/kg
  glm::dmat3 inverse_inertia{0.0}, inertia{0.0};
  glm::dmat3 own_inertia{0.0};  ///< without the addition of stiffen()
  glm::dvec3 shift{0.0}, turn{0.0};
  glm::dvec3 kept_shift{0.0}, kept_turn{0.0};         ///< another motion, set aside
  glm::dvec3 pushed_before{0.0}, turned_before{0.0};  ///< its joints' sums when the sweep began
  JointPose before;                                   ///< where a Newton step of mend() began
};

/// A row of a joint while its island is solved.
struct IslandRow : JointRow {
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
  RowMode mode = RowMode::held;
  bool spent = false;  ///< cut off in this solve
};

/// A joint of an island.
struct IslandLink {
  std::int32_t joint = 0;
  std::int32_t a = 0, b = 0;  ///< of the island's bodies
  int count = 0;
  IslandRow rows[most_joint_rows];
};

/// Two links that share a body, and the block that says how much.
struct IslandCoupling {
  std::int32_t i, j;
  bool a_of_i, a_of_j;
  std::int32_t body, edge;
};

/// Bodies that joints connect, and the sparse system of all their rows.
struct JointIsland {
  std::vector<IslandBody> bodies;
  std::vector<IslandLink> links;
  std::vector<IslandCoupling> couplings;
  std::vector<std::uint8_t> sizes;
  std::vector<double> solution;
  BlockCholesky matrix;
  double damping = 0.0;  ///< of the matrix: by which share its diagonal is larger
  bool factored = false, bounded = false;
  bool asleep = false;
  bool swept = false;   ///< part of a net that sweeps solve in this frame
  bool whole = false;   ///< not a part of a group: all joints of its bodies
  bool closed = false;  ///< joints close a loop, through the world too
  bool rough = false;   ///< the joints' equations have no good solution in this substep
};

// Bodies (joint_bodies.cpp); `rows`: those of all bodies (BodyRow).

/// The pose after a displacement and a turn, which is bounded by most_turn.
JointPose displaced(const JointPose& pose, const glm::dvec3& shift, const glm::dvec3& turn);
/// Loads poses, masses and inertia, at the beginning of a stage.
void load_poses(const World& world, const vec4* rows, JointIsland& island);
/// Adds inertia to light bodies under tension.
void stiffen(const World& world, vec4* rows, JointIsland& island);
/// Writes a body's inverse inertia, so that contacts and the hand see the same body.
void set_inertia(vec4* rows, const IslandBody& body);
/// Computes turn_a and turn_b of all rows for the bodies' present inertia.
void turn_by_inertia(JointIsland& island);
/// Writes displacements and turns.
void store_motion(vec4* rows, const JointIsland& island);

// Rows (joint_newton.cpp).

/// Computes gradients at the bodies' present poses, and multipliers along them from the joints' last
/// impulses.
void make_rows(const World& world, JointIsland& island, double h);
/// J u of a row, m or rad.
double motion_along(const JointIsland& island, const IslandLink& link, const IslandRow& row);
/// Computes the rows' values at the bodies' present poses, without the part J u.
void evaluate(const World& world, JointIsland& island, JointStage stage);
/// Computes every row's error. Returns true if some row now takes part that did not.
bool find_missing(JointIsland& island, JointStage stage);
/// Computes and factors J M^-1 J^T.
void factor(JointIsland& island);
/// Keeps the multipliers as impulses in the world, for the next substep.
void remember(World& world, const JointIsland& island);

// Errors of positions (joint_mending.cpp).

/// Sets the goals of rows: joints found apart come together at a bounded rate, which leaves a part of the
/// error of the start.
void aim_at_start(JointIsland& island);
/// Sum of squares of the rows' errors at the poses to which dx and theta lead the bodies.
double predicted_error(const World& world, JointIsland& island);

}}  // namespace limber::LIMBER_PRECISION
