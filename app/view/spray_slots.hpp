// Keeps the place of each drop of spray in the list of points, and tells drops from foam.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <utility>
#include <vector>

namespace limber {

/// The engine lists diffuse particles in the order of their birth and closes the gaps of those that vanish.
/// The size of a drawn drop follows from its place in the list, so without a lasting place all drops would
/// change their sizes whenever one vanishes. Drops are recognised by the order and by their motion.
class SpraySlots {
 public:
  /// Assigns a slot to each of `points` (m). `reach`: m, about the size of a fluid particle. A drop keeps its
  /// slot from call to call; a new drop gets the lowest free one. Allocates only if there are more drops than
  /// ever before.
  void update(std::span<const glm::vec3> points, float reach);

  std::uint32_t slot_of(std::size_t point) const { return slots_[point]; }
  std::size_t slot_count() const { return used_.size(); }  ///< one more than the last slot in use

  /// Sum of the neighbours' weights, (1 - d^2 / reach^2)^2 for a neighbour at the distance d: 0 for a lone
  /// drop, about 5 in foam.
  float crowd_of(std::size_t point) const { return crowds_[point]; }

 private:
  void match(std::span<const glm::vec3> points, float reach);
  void find_crowds(std::span<const glm::vec3> points, float reach);

  static constexpr std::uint32_t no_slot = std::uint32_t(-1);
  std::vector<glm::vec3> positions_,
      steps_;  ///< m, in the last call: places, and motions since the call before
  std::vector<std::uint32_t> slots_;
  std::vector<glm::vec3> next_steps_;
  std::vector<std::uint32_t> next_slots_;
  std::vector<char> used_;  ///< per slot
  std::vector<float> crowds_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> cells_;  ///< cell and drop, sorted
};

}  // namespace limber
