// A sparse grid of the densities of several fluids, and the surface nets of their level sets.
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <unordered_map>
#include <vector>

namespace limber {

/// Densities at the integer points near particles, in blocks of 8 x 8 x 8. Lengths are in sides of a cube.
class FluidGrid {
 public:
  static constexpr int side = 8, nodes = side * side * side;
  using Node = glm::ivec3;

  explicit FluidGrid(std::size_t fluids) : fluids_(fluids) {}

  /// Adds `volume` times the kernel of radius `reach` about `at`, with the value `peak` in its middle.
  void splat(std::size_t fluid, const glm::vec3& at, float reach, float peak, float volume);

  /// Unites the surface with a ball of radius 1 about `at`, so that a drop smaller than the grid's cubes
  /// remains. For all fluids together.
  void add_ball(const glm::vec3& at);

  /// Density of one fluid between the nodes, trilinear.
  float density(std::size_t fluid, const glm::vec3& at) const;

  void clear_densities();  ///< keeps the blocks

  /// Appends the surface around the fluids of which `wanted` is not 0: where the sum of all densities is
  /// `level`, or another fluid is as dense as they are together. Uses the dual of the grid ("surface nets",
  /// S. Gibson, "Constrained Elastic Surface Nets", 1998): each cube that the surface crosses has a vertex at
  /// the mean of the crossings of its edges, and each crossed edge has a polygon of the vertices around it.
  /// Two sheets would share the line between the vertices of two cubes if all four edges of the square
  /// between these are crossed; a vertex in the square for each sheet keeps them apart. So every edge of the
  /// mesh has exactly two triangles, and the mesh is closed and wound outwards.
  void surface(std::span<const std::uint8_t> wanted, float level, std::vector<glm::vec3>& positions,
               std::vector<std::uint32_t>& indices) const;

 private:
  static constexpr int border = side + 1;
  using Cells = std::array<float, border * border * border>;
  std::size_t block_at(const Node& block) const;  ///< of blocks_; no_block if there is none
  std::size_t make_block(const Node& block);
  void levels(std::size_t block, std::span<const std::uint8_t> wanted, float level, Cells& out) const;
  float level_of(std::size_t block, int node, std::span<const std::uint8_t> wanted, float level) const;

  static constexpr std::size_t no_block = std::size_t(-1);
  std::size_t fluids_;
  std::unordered_map<std::uint64_t, std::size_t> numbers_;
  std::vector<Node> blocks_;      ///< in blocks
  std::vector<float> densities_;  ///< per block, per fluid, per node: x + 8 y + 64 z
  std::vector<float> balls_;      ///< per block and node: 1 - distance to the nearest ball; or empty
};

}  // namespace limber
