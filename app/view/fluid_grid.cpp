#include "app/view/fluid_grid.hpp"

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <map>

namespace limber {
namespace {

using Node = FluidGrid::Node;

Node block_of(const Node& node) { return {node.x >> 3, node.y >> 3, node.z >> 3}; }
int place_of(const Node& node) { return (node.x & 7) + 8 * (node.y & 7) + 64 * (node.z & 7); }

constexpr float no_ball = -1e3f, ball_reach = 2.0f;

std::uint64_t key_of(const Node& block) {
  const auto part = [](int c) { return std::uint64_t(std::uint32_t(c + (1 << 20))) & 0x1fffff; };
  return part(block.z) << 42 | part(block.y) << 21 | part(block.x);
}

}  // namespace

std::size_t FluidGrid::block_at(const Node& block) const {
  const auto found = numbers_.find(key_of(block));
  return found == numbers_.end() ? no_block : found->second;
}

std::size_t FluidGrid::make_block(const Node& block) {
  const auto [found, fresh] = numbers_.try_emplace(key_of(block), blocks_.size());
  if (fresh) {
    blocks_.push_back(block);
    densities_.resize(densities_.size() + fluids_ * std::size_t(nodes), 0.0f);
    if (!balls_.empty()) balls_.resize(balls_.size() + std::size_t(nodes), no_ball);
  }
  return found->second;
}

void FluidGrid::splat(std::size_t fluid, const glm::vec3& at, float reach, float peak, float volume) {
  const Node low(glm::ceil(at - reach)), high(glm::floor(at + reach));
  const Node first = block_of(low), last = block_of(high);
  const float scale = 1.0f / (reach * reach), height = peak * volume;
  for (int bz = first.z; bz <= last.z; ++bz)
    for (int by = first.y; by <= last.y; ++by)
      for (int bx = first.x; bx <= last.x; ++bx) {
        const Node block(bx, by, bz), corner = side * block;
        const std::size_t number = make_block(block);
        float* values = &densities_[(number * fluids_ + fluid) * std::size_t(nodes)];
        const Node from = glm::max(low - corner, 0), to = glm::min(high - corner, side - 1);
        for (int z = from.z; z <= to.z; ++z)
          for (int y = from.y; y <= to.y; ++y) {
            const glm::vec3 way = glm::vec3(corner + Node(0, y, z)) - at;
            const float across = 1.0f - scale * (way.y * way.y + way.z * way.z);
            float* row = values + side * y + side * side * z;
            for (int x = from.x; x <= to.x; ++x) {
              const float along = way.x + float(x), left = std::max(across - scale * along * along, 0.0f);
              row[x] += height * left * left * left;
            }
          }
      }
}

void FluidGrid::add_ball(const glm::vec3& at) {
  if (balls_.empty()) balls_.assign(std::max<std::size_t>(blocks_.size(), 1) * std::size_t(nodes), no_ball);
  const Node low(glm::ceil(at - ball_reach)), high(glm::floor(at + ball_reach));
  for (int z = low.z; z <= high.z; ++z)
    for (int y = low.y; y <= high.y; ++y)
      for (int x = low.x; x <= high.x; ++x) {
        const Node node(x, y, z);
        const std::size_t block = make_block(block_of(node));
        float& value = balls_[block * std::size_t(nodes) + std::size_t(place_of(node))];
        value = std::max(value, 1.0f - glm::distance(glm::vec3(node), at));
      }
}

float FluidGrid::density(std::size_t fluid, const glm::vec3& at) const {
  const glm::vec3 low = glm::floor(at), part = at - low;
  float sum = 0.0f;
  for (int c = 0; c < 8; ++c) {
    const Node corner(c & 1, c >> 1 & 1, c >> 2), node = Node(low) + corner;
    const std::size_t block = block_at(block_of(node));
    if (block == no_block) continue;
    const glm::vec3 share = glm::mix(1.0f - part, part, glm::vec3(corner));
    sum += share.x * share.y * share.z *
           densities_[(block * fluids_ + fluid) * std::size_t(nodes) + std::size_t(place_of(node))];
  }
  return sum;
}

void FluidGrid::clear_densities() { std::fill(densities_.begin(), densities_.end(), 0.0f); }

/// Positive inside the fluid.
float FluidGrid::level_of(std::size_t block, int node, std::span<const std::uint8_t> wanted,
                          float level) const {
  if (block == no_block) return -level;
  float all = 0.0f, other = 0.0f, own = 0.0f;
  for (std::size_t f = 0; f < fluids_; ++f) {
    const float value = densities_[(block * fluids_ + f) * std::size_t(nodes) + std::size_t(node)];
    all += value;
    if (wanted[f])
      own += value;
    else
      other = std::max(other, value);
  }
  const float value = other > 0.0f ? std::min(all - level, own - other) : all - level;
  return balls_.empty() ? value : std::max(value, balls_[block * std::size_t(nodes) + std::size_t(node)]);
}

/// Copies the level function of a block and of the next nodes after it.
void FluidGrid::levels(std::size_t block, std::span<const std::uint8_t> wanted, float level,
                       Cells& out) const {
  std::array<std::size_t, 8> around{};
  for (int c = 0; c < 8; ++c)
    around[std::size_t(c)] = c == 0 ? block : block_at(blocks_[block] + Node(c & 1, c >> 1 & 1, c >> 2));
  std::size_t at = 0;
  for (int z = 0; z < border; ++z)
    for (int y = 0; y < border; ++y)
      for (int x = 0; x < border; ++x)
        out[at++] = level_of(around[std::size_t((x >> 3) + 2 * (y >> 3) + 4 * (z >> 3))], place_of({x, y, z}),
                             wanted, level);
}

namespace {

/// Builds the surface of one grid: vertices of cubes and squares first, then polygons around crossed edges.
class SurfaceNets {
 public:
  SurfaceNets(std::size_t cubes, std::vector<glm::vec3>& positions, std::vector<std::uint32_t>& indices)
      : positions_(positions), indices_(indices), vertex_of_(cubes, none) {}

  /// Adds the vertices of a cube and of its three squares at the low corner, which lies at the node `low`.
  /// `values`: level function at the corners x + 2 y + 4 z, positive inside.
  void add_cube(std::size_t number, const Node& low, const std::array<float, 8>& values) {
    glm::vec3 sum(0.0f);
    float count = 0.0f;
    for (int a = 0; a < 8; ++a)
      for (int axis = 0; axis < 3; ++axis) {
        const int b = a | 1 << axis;
        if (a == b || inside(values[std::size_t(a)]) == inside(values[std::size_t(b)])) continue;
        sum += crossing(values, a, b), count += 1.0f;
        if (a == 0) edges_.push_back({low, axis, inside(values[0]), crossing(values, a, b)[axis]});
      }
    if (count == 0.0f) return;
    vertex_of_[number] = add(glm::vec3(low) + sum / count);
    for (int axis = 0; axis < 3; ++axis) add_square(low, values, 1 << (axis + 1) % 3, 1 << (axis + 2) % 3);
  }

  /// Adds the polygons. `number_of(node)`: number of the cube whose low corner is the node, or no_cube.
  template <class NumberOf>
  void add_polygons(NumberOf number_of) {
    for (const Edge& edge : edges_) add_polygon(edge, number_of);
  }

  static constexpr std::size_t no_cube = std::size_t(-1);

 private:
  static constexpr std::uint32_t none = std::uint32_t(-1);
  struct Edge {
    Node start;
    int axis;
    bool inside;  ///< the start is in the fluid
    float share;  ///< of the edge, before the crossing
  };
  using Sheet = std::array<int, 6>;  ///< a corner in the fluid, and the opposite corner of the square

  static bool inside(float value) { return value > 0.0f; }
  static Node corner(int c) { return {c & 1, c >> 1 & 1, c >> 2}; }
  static Sheet sheet(const Node& own, const Node& opposite) {
    return {own.x, own.y, own.z, opposite.x, opposite.y, opposite.z};
  }
  static glm::vec3 crossing(const std::array<float, 8>& values, int a, int b) {
    const float low = values[std::size_t(a)], high = values[std::size_t(b)];
    return glm::mix(glm::vec3(corner(a)), glm::vec3(corner(b)), low / (low - high));
  }
  std::uint32_t add(const glm::vec3& at) {
    positions_.push_back(at);
    return std::uint32_t(positions_.size() - 1);
  }

  /// Adds two vertices in the square of the corners 0, u, v and u + v if all its edges are crossed: each cuts
  /// off one corner in the fluid.
  void add_square(const Node& low, const std::array<float, 8>& values, int u, int v) {
    const bool own = inside(values[0]);
    if (inside(values[std::size_t(u | v)]) != own || inside(values[std::size_t(u)]) == own ||
        inside(values[std::size_t(v)]) == own)
      return;
    for (const int c : {0, u, v, u | v})
      if (inside(values[std::size_t(c)]))
        sheets_[sheet(low + corner(c), low + corner(c ^ u ^ v))] =
            add(glm::vec3(low) + 0.5f * (crossing(values, c, c ^ u) + crossing(values, c, c ^ v)));
  }

  template <class NumberOf>
  void add_polygon(const Edge& edge, NumberOf number_of) {
    Node u(0), v(0), along(0);
    along[edge.axis] = 1, u[(edge.axis + 1) % 3] = 1, v[(edge.axis + 2) % 3] = 1;
    const std::array<Node, 4> cubes{edge.start - u - v, edge.start - v, edge.start, edge.start - u};
    const std::array<Node, 4> to_square{-v, u, v, -u};  // from the edge into the square after each cube
    const Node own = edge.inside ? edge.start : edge.start + along,
               other = edge.inside ? edge.start + along : edge.start;
    polygon_.clear();
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t cube = number_of(cubes[k]);
      if (cube == no_cube || vertex_of_[cube] == none) return;  // a kernel ends before its blocks do
      polygon_.push_back(vertex_of_[cube]);
      if (sheets_.empty()) continue;
      const auto apart = sheets_.find(sheet(own, other + to_square[k]));
      if (apart != sheets_.end()) polygon_.push_back(apart->second);
    }
    if (!edge.inside) std::reverse(polygon_.begin(), polygon_.end());
    if (polygon_.size() == 4) return add_quad();
    glm::vec3 at(edge.start);
    at[edge.axis] += edge.share;
    const std::uint32_t middle = add(at);
    for (std::size_t k = 0; k < polygon_.size(); ++k)
      indices_.insert(indices_.end(), {middle, polygon_[k], polygon_[(k + 1) % polygon_.size()]});
  }

  void add_quad() {
    const auto length = [&](std::size_t a, std::size_t c) {
      const glm::vec3 way = positions_[polygon_[a]] - positions_[polygon_[c]];
      return glm::dot(way, way);
    };
    const std::size_t from = length(0, 2) <= length(1, 3) ? 0 : 1;  // split along the shorter diagonal
    for (const std::size_t k : {0, 1, 2, 0, 2, 3}) indices_.push_back(polygon_[(from + k) % 4]);
  }

  std::vector<glm::vec3>& positions_;
  std::vector<std::uint32_t>& indices_;
  std::vector<std::uint32_t> vertex_of_;  ///< per cube
  std::vector<Edge> edges_;               ///< crossed
  std::map<Sheet, std::uint32_t> sheets_;
  std::vector<std::uint32_t> polygon_;
};

}  // namespace

void FluidGrid::surface(std::span<const std::uint8_t> wanted, float level, std::vector<glm::vec3>& positions,
                        std::vector<std::uint32_t>& indices) const {
  SurfaceNets nets(blocks_.size() * std::size_t(nodes), positions, indices);
  Cells cells{};
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    levels(b, wanted, level, cells);
    for (int k = 0; k < nodes; ++k) {
      const Node local(k & 7, k >> 3 & 7, k >> 6);
      const float* own = &cells[std::size_t(local.x + border * (local.y + border * local.z))];
      std::array<float, 8> values;
      for (int c = 0; c < 8; ++c)
        values[std::size_t(c)] = own[(c & 1) + border * ((c >> 1 & 1) + border * (c >> 2))];
      nets.add_cube(b * std::size_t(nodes) + std::size_t(k), side * blocks_[b] + local, values);
    }
  }
  nets.add_polygons([&](const Node& node) {
    const std::size_t block = block_at(block_of(node));
    return block == no_block ? SurfaceNets::no_cube
                             : block * std::size_t(nodes) + std::size_t(place_of(node));
  });
}

}  // namespace limber
