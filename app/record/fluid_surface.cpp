#include "app/record/fluid_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <unordered_map>
#include <vector>

namespace limber {
namespace {

constexpr int block_side = 8, block_nodes = block_side * block_side * block_side;
constexpr int reach = 3;  ///< support of the kernel in particle radii, which are the sides of cubes
constexpr double peak = 315.0 / (64.0 * 3.14159265358979323846 * reach * reach * reach) * 8.0;  ///< f at one
                                                                                                ///< particle
constexpr double ball_steepness = 1.0;  ///< slope of the balls' level function, per radius

using Node = glm::ivec3;

/// Values at each grid node near particles: the density f, and the level function of the nearest ball.
class Grid {
 public:
  struct Values {
    float density = 0.0f, ball = -1e3f;
  };

  void splat(const glm::dvec3& at) {  // position in radii
    const Node middle(glm::floor(at + 0.5));
    for (int z = -reach; z <= reach; ++z)
      for (int y = -reach; y <= reach; ++y)
        for (int x = -reach; x <= reach; ++x) {
          const Node node = middle + Node(x, y, z);
          const glm::dvec3 way = glm::dvec3(node) - at;
          const double square = glm::dot(way, way) / double(reach * reach);
          if (square >= 1.0) continue;
          Values& values = make(node);
          values.density += float(peak * (1.0 - square) * (1.0 - square) * (1.0 - square));
          values.ball =
              std::max(values.ball, float(ball_steepness * (1.0 - double(reach) * std::sqrt(square))));
        }
  }

  Values at(const Node& node) const {
    const auto found = numbers_.find(key_of(node));
    return found == numbers_.end() ? Values{} : blocks_[found->second].nodes[place(node)];
  }

  /// Calls `visit` for the nodes of all blocks, in the order in which particles created them.
  template <class Visit>
  void each(Visit visit) const {
    for (const Block& block : blocks_)
      for (int k = 0; k < block_nodes; ++k)
        visit(block.first + Node(k % block_side, k / block_side % block_side, k / (block_side * block_side)));
  }

 private:
  struct Block {
    Node first;
    std::array<Values, block_nodes> nodes;
  };
  static Node block_of(const Node& node) { return {node.x >> 3, node.y >> 3, node.z >> 3}; }
  static std::size_t place(const Node& node) {
    return std::size_t((node.x & 7) + block_side * ((node.y & 7) + block_side * (node.z & 7)));
  }
  static std::uint64_t key_of(const Node& node) {
    const auto part = [](int c) { return std::uint64_t(std::uint32_t(c + (1 << 20))) & 0x1fffff; };
    const Node block = block_of(node);
    return part(block.z) << 42 | part(block.y) << 21 | part(block.x);
  }
  Values& make(const Node& node) {
    const auto [found, fresh] = numbers_.try_emplace(key_of(node), blocks_.size());
    if (fresh) blocks_.push_back({block_of(node) * block_side, {}});
    return blocks_[found->second].nodes[place(node)];
  }

  std::unordered_map<std::uint64_t, std::size_t> numbers_;
  std::vector<Block> blocks_;
};

/// A cube that the surface may cross at some level.
struct Cube {
  Node corner;
  std::array<Grid::Values, 8> values;  ///< x + 2 y + 4 z
};

constexpr float lowest_level = 0.2f, highest_level = 0.8f;

float level_function(const Grid::Values& values, float level) {
  return std::max(values.density - level, values.ball);
}

std::vector<Cube> cubes_of(const Grid& grid) {
  std::vector<Cube> cubes;
  grid.each([&](const Node& node) {
    Cube cube{node, {}};
    bool inside = true, outside = true;
    for (int c = 0; c < 8; ++c) {
      cube.values[std::size_t(c)] = grid.at(node + Node(c & 1, c >> 1 & 1, c >> 2));
      inside = inside && level_function(cube.values[std::size_t(c)], highest_level) > 0.0f;
      outside = outside && level_function(cube.values[std::size_t(c)], lowest_level) <= 0.0f;
    }
    if (!inside && !outside) cubes.push_back(cube);
  });
  return cubes;
}

/// The dual of the grid ("surface nets", S. Gibson, 1998): each cube that the surface crosses has a vertex,
/// at the mean of the surface's crossings with the cube's edges. Each crossed edge has a square of four such
/// vertices. A square of the grid has no, two or four crossed edges, so every edge of the mesh has as many
/// triangles on its left as on its right: the mesh is closed.
class Mesher {
 public:
  Mesher(const std::vector<Cube>& cubes, float level) : level_(level) {
    for (const Cube& cube : cubes) add_vertex(cube);
    for (const Cube& cube : cubes)
      for (int axis = 0; axis < 3; ++axis) add_square(cube, axis);
  }
  TriMesh mesh;

 private:
  static std::uint64_t key_of(const Node& node) {
    const auto part = [](int c) { return std::uint64_t(std::uint32_t(c + (1 << 20))) & 0x1fffff; };
    return part(node.z) << 42 | part(node.y) << 21 | part(node.x);
  }
  float value(const Cube& cube, int corner) const {
    return level_function(cube.values[std::size_t(corner)], level_);
  }

  void add_vertex(const Cube& cube) {
    glm::dvec3 sum(0.0);
    int crossings = 0;
    for (int a = 0; a < 8; ++a)
      for (int axis = 0; axis < 3; ++axis) {
        if (a >> axis & 1) continue;
        const double low = double(value(cube, a)), high = double(value(cube, a | 1 << axis));
        if ((low > 0.0) == (high > 0.0)) continue;
        glm::dvec3 at(a & 1, a >> 1 & 1, a >> 2);
        at[axis] = low / (low - high);
        sum += at, ++crossings;
      }
    if (crossings == 0) return;
    vertices_[key_of(cube.corner)] = Index(mesh.positions.size());
    mesh.positions.push_back(glm::dvec3(cube.corner) + sum / double(crossings));
  }

  /// Adds the square around the edge along `axis` from corner 0, if the surface crosses the edge.
  void add_square(const Cube& cube, int axis) {
    const bool inside = value(cube, 0) > 0.0f;
    if (inside == (value(cube, 1 << axis) > 0.0f)) return;
    Node u(0), v(0);
    u[(axis + 1) % 3] = 1, v[(axis + 2) % 3] = 1;
    std::array<Index, 4> corner;  // counter-clockwise, seen from the end of the axis
    const std::array<Node, 4> around{cube.corner - u - v, cube.corner - v, cube.corner, cube.corner - u};
    for (std::size_t k = 0; k < 4; ++k) {
      const auto found = vertices_.find(key_of(around[k]));
      if (found == vertices_.end()) return;  // outside the grid, where the fluid has no interior
      corner[k] = found->second;
    }
    if (!inside) std::swap(corner[1], corner[3]);
    const auto length = [&](std::size_t a, std::size_t b) {
      const glm::dvec3 way = mesh.positions[std::size_t(corner[a])] - mesh.positions[std::size_t(corner[b])];
      return glm::dot(way, way);
    };
    const std::size_t from = length(0, 2) <= length(1, 3) ? 0 : 1;  // split along the shorter diagonal
    const auto at = [&](std::size_t k) { return corner[(from + k) % 4]; };
    mesh.triangles.push_back({at(0), at(1), at(2)});
    mesh.triangles.push_back({at(0), at(2), at(3)});
  }

  float level_;
  std::unordered_map<std::uint64_t, Index> vertices_;  ///< per cube
};

}  // namespace

double enclosed_volume(const TriMesh& mesh) {
  if (mesh.positions.empty()) return 0.0;
  const glm::dvec3 origin = mesh.positions.front();
  double sum = 0.0;
  for (const Triangle& t : mesh.triangles) {
    const auto corner = [&](std::size_t k) { return mesh.positions[std::size_t(t[k])] - origin; };
    sum += glm::dot(corner(0), glm::cross(corner(1), corner(2)));
  }
  return sum / 6.0;
}

TriMesh fluid_surface(std::span<const glm::dvec3> particles, double radius) {
  Grid grid;
  for (const glm::dvec3& x : particles) grid.splat(x / radius);
  const std::vector<Cube> cubes = cubes_of(grid);
  const double wanted = 8.0 * double(particles.size());
  float low = lowest_level, high = highest_level;
  for (int halving = 0; halving < 10; ++halving) {  // the volume decreases with the level
    const float level = 0.5f * (low + high);
    (enclosed_volume(Mesher(cubes, level).mesh) > wanted ? low : high) = level;
  }
  TriMesh mesh = std::move(Mesher(cubes, 0.5f * (low + high)).mesh);
  for (glm::dvec3& x : mesh.positions) x *= radius;
  return mesh;
}

}  // namespace limber
