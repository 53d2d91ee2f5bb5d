// Groups of equal trees of joints as the kernels over lanes see them (joint_system.hpp), a tree in each lane.
#pragma once

#include <cstdint>

namespace limber {

/// Trees per group; each is solved in a lane of its own.
inline constexpr int joint_group = 8;

enum class TreeJoint : std::int32_t { ball, hinge, universal };
constexpr int held_rows(TreeJoint type) {
  return type == TreeJoint::ball ? 3 : type == TreeJoint::hinge ? 5 : 4;
}

/// A joint of every tree of a group.
struct TreeLink {
  TreeJoint type;
  std::int32_t a, b;   ///< of the bodies that move; -1: none
  std::int32_t rows;   ///< that with limits, if there is one, is the last
  std::int32_t first;  ///< of its rows
  bool limited;
  std::int32_t diagonal;  ///< offset of its block, rows x rows numbers a lane
};
/// Two links that share a body.
struct TreeCoupling {
  std::int32_t row, column, body;  ///< the block's rows are those of link `row`
  bool a_of_row, a_of_column;
  std::int32_t block;
};
/// Elimination of a link: blocks below it, and block -= left right^T.
struct TreeColumn {
  std::int32_t link, first, end, first_update, end_update;
};
struct TreeBlock {
  std::int32_t link, block;
};
struct TreeUpdate {
  std::int32_t block, left, right, rows, columns;
  bool own;  ///< a diagonal block: its lower half
};

/// Numbers of a link in each lane: its ends and axes in its bodies, and limits.
enum TreeConstant : int {
  tree_at_a,
  tree_at_b = 3,
  tree_axes_a = 6,
  tree_axes_b = 15,
  tree_low = 24,
  tree_high,
  tree_constants
};

template <class T>
struct TreeGroupView {
  std::int32_t bodies, links, rows, couplings, columns, block_numbers;
  const TreeLink* link;
  const TreeCoupling* coupling;
  const TreeColumn* column;
  const TreeBlock* block;
  const TreeUpdate* update;
  const std::int32_t* body;   ///< joint_group * body + lane
  const std::int32_t* joint;  ///< joint_group * link + lane
  const double* constant;     ///< joint_group * (tree_constants * link + constant) + lane
  unsigned lanes;             ///< bits of those to be solved
};

template <class T>
struct TreeSweep {
  const T *position, *orientation, *inverse_inertia;  ///< rows of four numbers
  T* rows;                                            ///< body_rows rows a body
  double *pushed, *turned;                            ///< four numbers a body, the last one unused
  double* state;  ///< per joint: push and twist, six of state_stride numbers
  int state_stride;
  double h, most_speed;          ///< s; m/s, the most that a body moves at
  double fastest, fastest_turn;  ///< m and rad, most of an error that is mended at once
  double followed;               ///< rad^2, JointSolver::follow_turns
  double* scratch;
};

/// Numbers that a body, a link and a row keep in a lane while their tree is solved (joint_lanes.hpp).
inline constexpr std::int64_t tree_body_numbers = 53, tree_link_numbers = 19, tree_row_numbers = 13;

/// Numbers of scratch that a group needs.
constexpr std::int64_t tree_scratch(std::int64_t bodies, std::int64_t links, std::int64_t rows,
                                    std::int64_t blocks) {
  return joint_group *
         (bodies * tree_body_numbers + links * tree_link_numbers + rows * tree_row_numbers + blocks);
}

template <class T>
struct TreeKernels {
  /// Lanes that were left as they are; of push, also those whose joints are held, times 2^held_shift.
  static constexpr int held_shift = joint_group;
  unsigned (*warm)(const TreeGroupView<T>& group, const TreeSweep<T>& sweep);
  unsigned (*push)(const TreeGroupView<T>& group, const TreeSweep<T>& sweep);
  unsigned (*settle)(const TreeGroupView<T>& group, const TreeSweep<T>& sweep);
};

}  // namespace limber
