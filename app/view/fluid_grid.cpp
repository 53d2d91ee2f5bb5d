#include "app/view/fluid_grid.hpp"

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace limber {
namespace {

using Node = FluidGrid::Node;

Node block_of(const Node& node) { return {node.x >> 3, node.y >> 3, node.z >> 3}; }
int place_of(const Node& node) { return (node.x & 7) + 8 * (node.y & 7) + 64 * (node.z & 7); }

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
  return other > 0.0f ? std::min(all - level, own - other) : all - level;
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

void FluidGrid::surface(std::span<const std::uint8_t> wanted, float level, std::vector<glm::vec3>& positions,
                        std::vector<std::uint32_t>& indices) const {
  constexpr std::uint32_t none = std::uint32_t(-1);
  constexpr int step[3] = {1, border, border * border};
  struct Crossing {
    Node node;  ///< start of the crossed edge
    int axis;
    bool inside;  ///< the start is in the fluid
  };
  std::vector<std::uint32_t> vertex_of(blocks_.size() * std::size_t(nodes), none);
  std::vector<Crossing> crossings;
  Cells cells{};
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    levels(b, wanted, level, cells);
    for (int k = 0; k < nodes; ++k) {
      const Node local(k & 7, k >> 3 & 7, k >> 6);
      const float* own = &cells[std::size_t(local.x + border * (local.y + border * local.z))];
      glm::vec3 sum(0.0f);
      float count = 0.0f;
      for (int a = 0; a < 8; ++a)
        for (int axis = 0; axis < 3; ++axis) {
          if (a >> axis & 1) continue;
          const float* at = own + (a & 1) * step[0] + (a >> 1 & 1) * step[1] + (a >> 2) * step[2];
          const float low = at[0], high = at[step[axis]];
          if ((low > 0.0f) == (high > 0.0f)) continue;
          glm::vec3 place(a & 1, a >> 1 & 1, a >> 2);
          place[axis] = low / (low - high);
          sum += place, count += 1.0f;
          if (a == 0) crossings.push_back({side * blocks_[b] + local, axis, low > 0.0f});
        }
      if (count == 0.0f) continue;
      vertex_of[b * std::size_t(nodes) + std::size_t(k)] = std::uint32_t(positions.size());
      positions.push_back(glm::vec3(side * blocks_[b] + local) + sum / count);
    }
  }
  const auto vertex = [&](const Node& cell) {
    const std::size_t block = block_at(block_of(cell));
    return block == no_block ? none : vertex_of[block * std::size_t(nodes) + std::size_t(place_of(cell))];
  };
  for (const Crossing& edge : crossings) {
    Node u(0), v(0);
    u[(edge.axis + 1) % 3] = 1, v[(edge.axis + 2) % 3] = 1;
    std::array<std::uint32_t, 4> corner{vertex(edge.node - u - v), vertex(edge.node - v), vertex(edge.node),
                                        vertex(edge.node - u)};
    if (std::ranges::find(corner, none) != corner.end()) continue;  // a kernel ends before its blocks do
    if (!edge.inside) std::swap(corner[1], corner[3]);
    const auto length = [&](std::size_t a, std::size_t c) {
      const glm::vec3 way = positions[corner[a]] - positions[corner[c]];
      return glm::dot(way, way);
    };
    const std::size_t from = length(0, 2) <= length(1, 3) ? 0 : 1;  // split along the shorter diagonal
    for (const std::size_t k : {0, 1, 2, 0, 2, 3}) indices.push_back(corner[(from + k) % 4]);
  }
}

}  // namespace limber
