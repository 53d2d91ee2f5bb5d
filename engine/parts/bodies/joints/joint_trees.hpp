// Groups of equal trees of jointed bodies, for the kernels that solve them over lanes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/aligned.hpp"
#include "engine/core/block_cholesky.hpp"
#include "engine/kernels/joint_system.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// An island of jointed bodies that form a tree.
struct JointTree {
  struct Link {
    std::int32_t joint, a, b;  ///< of `bodies`; -1: does not move
  };
  /// A BlockCholesky::Edge, in its order, and the body of `bodies` that both links share.
  struct Coupling {
    std::int32_t i, j;
    bool a_of_i, a_of_j;
    std::int32_t body, edge;
  };
  std::int32_t island = 0;
  std::vector<std::int32_t> bodies;  ///< movable bodies
  std::vector<Link> links;
  std::vector<Coupling> couplings;
};

/// Up to joint_group equal trees, one per lane. The parameters of joints may change from frame to frame, so
/// begin_frame() finds the trees that the kernels can solve.
class JointTreeGroup {
 public:
  JointTreeGroup(const World& world, const JointTree& tree, const BlockCholesky& matrix);

  static bool can_solve(JointType type);

  /// Numbers that equal trees have in common.
  static std::vector<std::int32_t> shape_of(const World& world, const JointTree& tree);

  /// Adds a tree of the same shape. Returns false if all lanes are taken.
  bool add(const World& world, const JointTree& tree);

  void begin_frame(const World& world);
  std::span<const std::int32_t> islands() const { return islands_; }  ///< by lane

  unsigned lanes() const { return lanes_; }  ///< lanes that the kernels can solve in this frame
  TreeGroupView<real> view(unsigned lanes) const;
  std::int64_t scratch() const {
    return tree_scratch(bodies_, std::int64_t(links_.size()), most_rows_, most_numbers_);
  }

  /// Keeps the rows of bodies in `lanes`, after a push that satisfies the joints.
  void note_held(const vec4* rows, unsigned lanes);
  bool is_held(const vec4* rows, int lane) const;

  /// Whether the bodies of a lane may have a mending of the last substep.
  bool mended(int lane) const { return (mended_lanes_ >> lane) & 1u; }
  void note_mended(int lane, bool mended) {
    mended_lanes_ = (mended_lanes_ & ~(1u << lane)) | (mended ? 1u << lane : 0u);
  }

 private:
  void lay_out();

  std::vector<std::int32_t> islands_;
  std::int32_t bodies_ = 0;
  std::int64_t most_numbers_ = 0, most_rows_ = 0;
  BlockCholesky::Plan plan_;
  std::vector<JointTree::Coupling> links_that_meet_;
  std::vector<TreeLink> links_;
  std::vector<TreeCoupling> couplings_;
  std::vector<TreeColumn> columns_;
  std::vector<TreeBlock> blocks_;
  std::vector<TreeUpdate> updates_;
  std::int32_t numbers_ = 0, rows_ = 0;
  std::vector<std::int32_t> body_, joint_;  ///< by joint_group
  AlignedVector<double> constant_;
  unsigned lanes_ = 0;
  std::vector<vec4> held_;  ///< rows of each body and lane
  unsigned held_lanes_ = 0, mended_lanes_ = 0;
};

}}  // namespace limber::LIMBER_PRECISION
