// Islands of joints: construction of JointSolver's islands and trees from a topology.
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <tuple>

#include "engine/core/find_root.hpp"
#include "engine/parts/bodies/joints/joint_solver.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr std::size_t most_blocks = 100'000;  // of an island that is solved as a whole
constexpr std::size_t part_of_dense = 256;    // joints of a part of one that is not, at most
constexpr std::size_t least_part = 32, blocks_of_a_joint = 20;  // and where fewer leave fewer blocks
constexpr std::size_t blocks_of_a_net = 6;  // of a joint, beyond which sweeps are worth their error

/// The least number of those that joints connect with body i, through bodies that move.
std::vector<std::int32_t> connected(const World& world) {
  std::vector<std::int32_t> root(std::size_t(world.bodies.count()));
  std::iota(root.begin(), root.end(), 0);
  const auto parent = [&](std::int32_t i) -> std::int32_t& { return root[std::size_t(i)]; };
  const auto movable = [&](std::int32_t i) {
    return i >= 0 && world.bodies.position[std::size_t(i)].w > real(0);
  };
  for (const Joint& joint : world.topology->joints) {
    if (!movable(joint.a) || !movable(joint.b)) continue;
    const std::int32_t a = find_root(joint.a, parent), b = find_root(joint.b, parent);
    root[std::size_t(std::max(a, b))] = std::min(a, b);
  }
  for (std::int32_t i = 0; i < world.bodies.count(); ++i) parent(i) = find_root(i, parent);
  return root;
}

/// Rows of a joint with all limits and motors that it can have.
int most_rows(JointType type) {
  switch (type) {
    case JointType::distance:
      return 1;
    case JointType::ball:
    case JointType::universal:
      return 4;
    default:
      return most_joint_rows;
  }
}

bool is_stiff(JointType type) { return type == JointType::fixed || type == JointType::slider; }

/// Joints to be solved directly beside sweeps over the others: a tree that connects the bodies of a net with
/// each other and with whatever stiff joints hold them, and all other joints with what cannot move, which
/// fill in nothing. The tree prefers fixed joints, then sliders; breadth first, so that it is shallow.
/// Nothing if joints that do not lock turns would be left to the sweeps: they would converge as slowly as a
/// body is light beside the whole net.
std::vector<std::int32_t> brace_of(const World& world, std::span<const std::int32_t> joints) {
  const auto node = [&](std::int32_t body) {  // all that cannot move is one
    return body >= 0 && world.bodies.position[std::size_t(body)].w > real(0) ? body : no_body;
  };
  const auto joint_of = [&](std::int32_t j) -> const Joint& {
    return world.topology->joints[std::size_t(j)];
  };
  std::map<std::int32_t, std::vector<std::int32_t>> at;  // node -> joints
  std::set<std::int32_t> left;                           // nodes that are not connected
  std::vector<std::int32_t> brace;
  for (const std::int32_t j : joints) {
    const std::int32_t ends[] = {node(joint_of(j).a), node(joint_of(j).b)};
    const bool holds = ends[0] == no_body || ends[1] == no_body;
    if (holds && !is_stiff(joint_of(j).type)) brace.push_back(j);
    for (const std::int32_t body : ends) {
      if (body != no_body || is_stiff(joint_of(j).type)) left.insert(body);
      if (!holds || is_stiff(joint_of(j).type)) at[body].push_back(j);
    }
  }
  struct Next {
    int rank;
    std::size_t order;
    std::int32_t joint;
    bool operator>(const Next& o) const { return std::tie(rank, order) > std::tie(o.rank, o.order); }
  };
  std::priority_queue<Next, std::vector<Next>, std::greater<>> queue;
  std::size_t order = 0;
  const auto reach = [&](std::int32_t body) {
    left.erase(body);
    for (const std::int32_t j : at[body]) {
      const JointType type = joint_of(j).type;
      queue.push({type == JointType::fixed ? 0 : type == JointType::slider ? 1 : 2, order++, j});
    }
  };
  const Joint& middle = joint_of(joints[joints.size() / 2]);
  reach(left.contains(no_body) ? no_body : node(middle.a) != no_body ? node(middle.a) : node(middle.b));
  while (!queue.empty()) {
    const std::int32_t j = queue.top().joint;
    queue.pop();
    const bool a = left.contains(node(joint_of(j).a)), b = left.contains(node(joint_of(j).b));
    if (a || b) {
      brace.push_back(j);
      reach(a ? node(joint_of(j).a) : node(joint_of(j).b));
    } else if (!is_stiff(joint_of(j).type) && std::find(brace.begin(), brace.end(), j) == brace.end()) {
      return {};
    }
  }
  const bool any =
      std::any_of(brace.begin(), brace.end(), [&](std::int32_t j) { return is_stiff(joint_of(j).type); });
  return any ? brace : std::vector<std::int32_t>();
}

}  // namespace

void JointSolver::reserve_bodies(const World& world) {
  pushed_.assign(std::size_t(world.bodies.count()), RowVector(glm::dvec3(0.0)));
  turned_ = pushed_;
  mending_.assign(pushed_.size(), {});
}

void JointSolver::reserve(const World& world, int threads) {
  islands_.clear();
  groups_.clear(), trees_.clear(), loose_.clear(), nets_.clear(), spanning_.clear();
  reserve_bodies(world);
  const auto& joints = world.topology->joints;
  if (joints.empty()) return;
  const std::vector<std::int32_t> root = connected(world);
  std::map<std::int32_t, std::vector<std::int32_t>> members;  // in the order of their first bodies
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const bool a_moves = world.bodies.position[std::size_t(joints[j].a)].w > real(0);
    members[root[std::size_t(a_moves ? joints[j].a : joints[j].b)]].push_back(std::int32_t(j));
  }
  for (const auto& [first, list] : members) {
    const std::int32_t before = std::int32_t(islands_.size());
    if (!add_island(world, list, most_blocks))
      for (std::size_t k = 0; k < list.size(); k += part_of_dense)
        add_part(world, std::span(list).subspan(k, std::min(part_of_dense, list.size() - k)));
    groups_.push_back({before, std::int32_t(islands_.size()) - before});
    islands_.back().whole = groups_.back().count == 1;
    if (!fills_in(world, list)) continue;
    const std::vector<std::int32_t> tree = brace_of(world, list);
    const std::int32_t net = groups_.back().net = nets_.add(world, list, tree);
    if (net < 0 || tree.empty()) continue;
    add_island(world, tree, most_blocks);
    islands_.back().whole = true;
    spanning_.push_back(std::int32_t(groups_.size()));
    groups_.push_back({std::int32_t(islands_.size()) - 1, 1, net, true});
  }
  nets_.lay_out(world);
  group_trees(world, threads);
}

/// Equal trees, group by group in the order of their first ones.
void JointSolver::group_trees(const World& world, int threads) {
  std::map<std::vector<std::int32_t>, std::size_t> last_of;  // shape -> the last group of its trees
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const std::size_t i = std::size_t(groups_[g].first);
    const JointIsland& island = islands_[i];
    JointTree tree;
    tree.island = std::int32_t(i);
    std::vector<std::int32_t> number(island.bodies.size(), -1);
    for (std::size_t b = 0; b < island.bodies.size(); ++b) {
      if (!island.bodies[b].movable) continue;
      number[b] = std::int32_t(tree.bodies.size());
      tree.bodies.push_back(island.bodies[b].number);
    }
    bool solved = island.whole && !island.closed;
    for (const IslandLink& link : island.links) {
      tree.links.push_back({link.joint, number[std::size_t(link.a)], number[std::size_t(link.b)]});
      solved &= JointTreeGroup::can_solve(world.topology->joints[std::size_t(link.joint)].type);
    }
    if (!solved) {
      loose_.push_back(std::int32_t(g));
      continue;
    }
    for (const IslandCoupling& c : island.couplings)
      tree.couplings.push_back({c.i, c.j, c.a_of_i, c.a_of_j, number[std::size_t(c.body)], c.edge});
    const auto [last, is_new] = last_of.try_emplace(JointTreeGroup::shape_of(world, tree), trees_.size());
    if (!is_new && trees_[last->second].add(world, tree)) continue;
    last->second = trees_.size();
    trees_.emplace_back(world, tree, island.matrix);
  }
  std::int64_t numbers = 0;
  for (const JointTreeGroup& group : trees_) numbers = std::max(numbers, group.scratch());
  scratch_.assign(std::size_t(threads), AlignedVector<double>(std::size_t(numbers), 0.0));
}

/// Halved while elimination leaves many blocks: where each body is joined to each, the work of a part grows
/// with the cube of its joints.
void JointSolver::add_part(const World& world, std::span<const std::int32_t> joints) {
  const bool small = joints.size() <= least_part;
  if (add_island(world, joints, small ? std::size_t(-1) : blocks_of_a_joint * joints.size())) return;
  add_part(world, joints.first(joints.size() / 2));
  add_part(world, joints.subspan(joints.size() / 2));
}

/// An island without its matrix, and the pairs of links that share a body.
struct JointSolver::Graph {
  JointIsland island;
  std::vector<BlockCholesky::Edge> pairs;
};

JointSolver::Graph JointSolver::graph_of(const World& world, std::span<const std::int32_t> joints) {
  Graph graph;
  JointIsland& island = graph.island;
  std::map<std::int32_t, std::vector<std::pair<std::int32_t, bool>>>
      ends;  // body -> links, whether it is their a
  for (const std::int32_t j : joints) {
    const Joint& joint = world.topology->joints[std::size_t(j)];
    IslandLink link;
    link.joint = j;
    ends[joint.a].emplace_back(std::int32_t(island.links.size()), true);
    ends[joint.b].emplace_back(std::int32_t(island.links.size()), false);
    island.links.push_back(link);
  }
  const auto world_ends = ends.extract(no_body);
  std::map<BlockCholesky::Edge, std::int32_t> edges;
  const auto add = [&](std::int32_t number, const auto& list) {
    const std::int32_t body = std::int32_t(island.bodies.size());
    const bool movable = number >= 0 && world.bodies.position[std::size_t(number)].w > real(0);
    island.bodies.push_back({});
    island.bodies.back().number = number, island.bodies.back().movable = movable;
    for (std::size_t s = 0; s < list.size(); ++s) {
      (list[s].second ? island.links[std::size_t(list[s].first)].a
                      : island.links[std::size_t(list[s].first)].b) = body;
      for (std::size_t t = 0; t < s && movable; ++t) {
        const auto [edge, made] =
            edges.try_emplace({list[t].first, list[s].first}, std::int32_t(edges.size()));
        island.couplings.push_back(
            {list[s].first, list[t].first, list[s].second, list[t].second, body, edge->second});
      }
    }
  };
  for (const auto& [number, list] : ends) add(number, list);
  add(no_body, world_ends.empty() ? std::vector<std::pair<std::int32_t, bool>>() : world_ends.mapped());
  const auto moving = std::count_if(island.bodies.begin(), island.bodies.end(),
                                    [](const IslandBody& body) { return body.movable; });
  const bool held = std::any_of(ends.begin(), ends.end(), [&](const auto& end) {
    return !(world.bodies.position[std::size_t(end.first)].w > real(0));
  });
  island.closed = std::ptrdiff_t(joints.size()) >= moving + (held || !world_ends.empty() ? 1 : 0);
  graph.pairs.resize(edges.size());
  for (const auto& [pair, place] : edges) graph.pairs[std::size_t(place)] = pair;
  return graph;
}

/// Whether a direct solution has more blocks than blocks_of_a_net, as that of a net has.
bool JointSolver::fills_in(const World& world, std::span<const std::int32_t> joints) {
  const Graph graph = graph_of(world, joints);
  return graph.island.closed &&
         !BlockCholesky().analyze(std::int32_t(joints.size()), graph.pairs, blocks_of_a_net * joints.size());
}

/// False, with nothing added, if its matrix would have more blocks than that.
bool JointSolver::add_island(const World& world, std::span<const std::int32_t> joints, std::size_t most) {
  auto [island, pairs] = graph_of(world, joints);
  int rows = 0;
  for (const std::int32_t j : joints)
    rows = std::max(rows, most_rows(world.topology->joints[std::size_t(j)].type));
  if (!island.matrix.analyze(std::int32_t(island.links.size()), pairs, most, rows)) return false;
  island.sizes.assign(island.links.size(), 0);
  island.solution.assign(island.links.size() * BlockCholesky::most, 0.0);
  islands_.push_back(std::move(island));
  return true;
}

}}  // namespace limber::LIMBER_PRECISION
