#include "engine/parts/bodies/joints/joint_trees.hpp"

#include <algorithm>
#include <cmath>

#include "engine/parts/bodies/joints/joint_rows.hpp"
#include "engine/state/sleep.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr std::size_t lanes_of_group = std::size_t(joint_group);

TreeJoint tree_joint(JointType type) {
  return type == JointType::ball    ? TreeJoint::ball
         : type == JointType::hinge ? TreeJoint::hinge
                                    : TreeJoint::universal;
}

bool is_common(const JointMaterial& m) {
  return m.compliance == 0.0 && m.angular_compliance == 0.0 && m.drive == 0.0 && !m.pulls_only &&
         !std::isfinite(m.break_force);
}

}  // namespace

bool JointTreeGroup::can_solve(JointType type) {
  return type == JointType::ball || type == JointType::hinge || type == JointType::universal;
}

std::vector<std::int32_t> JointTreeGroup::shape_of(const World& world, const JointTree& tree) {
  std::vector<std::int32_t> shape{std::int32_t(tree.bodies.size())};
  for (const JointTree::Link& link : tree.links) {
    const Joint& joint = world.topology->joints[std::size_t(link.joint)];
    shape.insert(shape.end(), {std::int32_t(joint.type), link.a, link.b});
  }
  return shape;
}

JointTreeGroup::JointTreeGroup(const World& world, const JointTree& tree, const BlockCholesky& matrix)
    : bodies_(std::int32_t(tree.bodies.size())), plan_(matrix.plan()), links_that_meet_(tree.couplings) {
  for (const JointTree::Link& link : tree.links) {
    const Joint& joint = world.topology->joints[std::size_t(link.joint)];
    TreeLink out{};
    out.type = tree_joint(joint.type), out.a = link.a, out.b = link.b;
    out.limited = true;
    links_.push_back(out);
  }
  body_.assign(lanes_of_group * tree.bodies.size(), -1);
  joint_.assign(lanes_of_group * tree.links.size(), -1);
  constant_.assign(lanes_of_group * tree_constants * tree.links.size(), 0.0);
  held_.assign(2 * lanes_of_group * tree.bodies.size(), vec4(0));
  lay_out();
  most_numbers_ = numbers_, most_rows_ = rows_;
  add(world, tree);
}

bool JointTreeGroup::add(const World& world, const JointTree& tree) {
  if (islands_.size() == lanes_of_group) return false;
  const std::size_t lane = islands_.size(), end = lane == 0 ? lanes_of_group : lane + 1;
  islands_.push_back(tree.island);
  for (std::size_t l = lane; l < end; ++l) {  // lanes without a tree look at the first one's
    for (std::size_t i = 0; i < tree.bodies.size(); ++i) body_[lanes_of_group * i + l] = tree.bodies[i];
    for (std::size_t k = 0; k < tree.links.size(); ++k) {
      joint_[lanes_of_group * k + l] = tree.links[k].joint;
      const Joint& joint = world.topology->joints[std::size_t(tree.links[k].joint)];
      const auto put = [&](int which, const glm::dvec3& v) {
        for (int n = 0; n < 3; ++n)
          constant_[lanes_of_group * (tree_constants * k + std::size_t(which + n)) + l] = v[n];
      };
      const auto put_end = [&](std::int32_t body, bool moves, int at, int axes, const glm::dvec3& own,
                               const glm::dmat3& own_axes) {
        const bool fixed = !moves && body >= 0;  // a body that stands still is a place in the world
        const std::size_t i = std::size_t(fixed ? body : 0);
        const glm::dmat3 turn = fixed ? matrix_of(glm::dvec4(world.bodies.orientation[i])) : glm::dmat3(1.0);
        put(at, fixed ? glm::dvec3(world.bodies.position[i]) + turn * own : own);
        for (int n = 0; n < 3; ++n) put(axes + 3 * n, turn * own_axes[n]);
      };
      put_end(joint.a, tree.links[k].a >= 0, tree_at_a, tree_axes_a, joint.at_a, joint.axes_a);
      put_end(joint.b, tree.links[k].b >= 0, tree_at_b, tree_axes_b, joint.at_b, joint.axes_b);
    }
  }
  return true;
}

/// Places the blocks of the matrix, for the rows that the links have in this frame.
void JointTreeGroup::lay_out() {
  numbers_ = rows_ = 0;
  for (TreeLink& link : links_) {
    link.rows = held_rows(link.type) + (link.limited ? 1 : 0);
    link.first = rows_, rows_ += link.rows;
    link.diagonal = numbers_;
    numbers_ += link.rows * link.rows;
  }
  const auto rows = [&](std::int32_t link) { return links_[std::size_t(link)].rows; };
  std::vector<std::int32_t> place(plan_.blocks, -1);
  for (std::size_t k = 0; k < links_.size(); ++k) place[k] = links_[k].diagonal;
  columns_.clear(), blocks_.clear(), updates_.clear(), couplings_.clear();
  for (const BlockCholesky::Column& column : plan_.columns)
    for (std::int32_t e = column.first; e < column.end; ++e) {
      const BlockCholesky::Entry& entry = plan_.entries[std::size_t(e)];
      place[std::size_t(entry.block)] = numbers_;
      numbers_ += rows(entry.row) * rows(column.node);
    }
  for (const BlockCholesky::Entry& entry : plan_.entries)
    blocks_.push_back({entry.row, place[std::size_t(entry.block)]});
  for (const BlockCholesky::Update& update : plan_.updates)
    updates_.push_back({place[std::size_t(update.block)], place[std::size_t(update.left)],
                        place[std::size_t(update.right)], rows(update.rows), rows(update.columns),
                        update.rows == update.columns});
  for (const BlockCholesky::Column& column : plan_.columns)
    columns_.push_back({column.node, column.first, column.end, column.first_update, column.end_update});
  for (const JointTree::Coupling& c : links_that_meet_) {
    const BlockCholesky::EdgePlace& edge = plan_.edges[std::size_t(c.edge)];
    const bool i_is_row = edge.row == c.i;
    couplings_.push_back({i_is_row ? c.i : c.j, i_is_row ? c.j : c.i, c.body, i_is_row ? c.a_of_i : c.a_of_j,
                          i_is_row ? c.a_of_j : c.a_of_i, place[std::size_t(edge.block)]});
  }
}

void JointTreeGroup::begin_frame(const World& world) {
  lanes_ = 0;
  bool changed = false;
  for (std::size_t l = 0; l < islands_.size(); ++l) {
    bool common = true;
    for (std::size_t i = 0; i < std::size_t(bodies_); ++i)
      common &= !is_asleep(world, std::size_t(body_[lanes_of_group * i + l]));
    for (std::size_t k = 0; k < links_.size(); ++k) {
      const std::size_t j = std::size_t(joint_[lanes_of_group * k + l]);
      const Joint& joint = world.topology->joints[j];
      common &= !world.bodies.joints[j].broken &&
                is_common(world.settings.joint_materials[std::size_t(joint.source)]);
    }
    if (common) lanes_ |= 1u << l;
  }
  for (std::size_t k = 0; k < links_.size(); ++k) {
    bool limited = false;
    for (std::size_t l = 0; l < lanes_of_group; ++l) {
      const Joint& joint = world.topology->joints[std::size_t(joint_[lanes_of_group * k + l])];
      const JointMaterial& material = world.settings.joint_materials[std::size_t(joint.source)];
      const bool here =
          joint.type != JointType::universal && joint_rows(joint, material) > held_rows(links_[k].type);
      limited |= here;
      double* const limits = &constant_[lanes_of_group * (tree_constants * k + tree_low) + l];
      limits[0] = here ? material.low : -JointMaterial::none;
      limits[lanes_of_group] = here ? material.high : JointMaterial::none;
    }
    changed |= links_[k].limited != limited;
    links_[k].limited = limited;
  }
  if (changed) lay_out();
}

TreeGroupView<real> JointTreeGroup::view(unsigned lanes) const {
  return {bodies_,
          std::int32_t(links_.size()),
          rows_,
          std::int32_t(couplings_.size()),
          std::int32_t(columns_.size()),
          numbers_,
          links_.data(),
          couplings_.data(),
          columns_.data(),
          blocks_.data(),
          updates_.data(),
          body_.data(),
          joint_.data(),
          constant_.data(),
          lanes};
}

void JointTreeGroup::note_held(const vec4* rows, unsigned lanes) {
  held_lanes_ = lanes;
  for (std::size_t n = 0; n < body_.size(); ++n) {
    const vec4* const row = rows + body_rows * body_[n];
    held_[2 * n] = row[row_shift], held_[2 * n + 1] = row[row_turn];
  }
}

bool JointTreeGroup::is_held(const vec4* rows, int lane) const {
  if (!((held_lanes_ >> lane) & 1u)) return false;
  for (std::size_t n = std::size_t(lane); n < body_.size(); n += lanes_of_group) {
    const vec4* const row = rows + body_rows * body_[n];
    if (held_[2 * n] != row[row_shift] || held_[2 * n + 1] != row[row_turn]) return false;
  }
  return true;
}

}}  // namespace limber::LIMBER_PRECISION
