// Splits rods at their points, for breaks and cuts.
#pragma once

#include <vector>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Compliance or stiffness of a retired bend constraint, which exerts practically no force.
constexpr real no_stiffness(bool compliant) { return compliant ? real(1e24) : real(0); }

/// Splits a rod at the point between two of its segments. The first segment keeps the point, the second one
/// gets a new particle there. The mass is divided in proportion to the rest lengths, and the bend constraint
/// between the segments is retired. Slots keep their colours and tasks. The run of segments becomes two; a
/// ring becomes one open run. The direct solve must prepare() again.
///
/// Changes `world` and its topology, of which it makes its own copy at the first split. Serial, between
/// frames. The world must have a TearRoom with spares for the object.
class RodSplitter {
 public:
  explicit RodSplitter(World& world);

  /// Whether the rod can be split at the end (or the beginning) of the segment with that turn: a segment must
  /// follow there, and the point must be movable.
  bool can_part(std::int32_t turn, bool at_end) const { return joint_at(turn, at_end).second >= 0; }
  /// Splits the rod there. Returns false if this is impossible, or if the reserve is empty.
  bool part(std::int32_t turn, bool at_end);

  /// Number of the run that has the turn.
  std::int32_t run_of(std::int32_t turn) const { return run_[std::size_t(turn)]; }
  /// The turn of the segment that follows at the end, or comes before the beginning; -1: none.
  std::int32_t beside(std::int32_t turn, bool at_end) const;
  /// Whether a split failed because the reserve is empty.
  bool full() const { return full_; }

 private:
  /// Junction: the segments on both sides of a point, in the order of the rod; -1: none.
  struct Joint {
    std::int32_t first = -1, second = -1;
  };
  Joint joint_at(std::int32_t turn, bool at_end) const;
  void number(std::int32_t run);
  void share_mass(std::int32_t kept, std::int32_t made, double first, double second);
  void retire_joint(std::int32_t a, std::int32_t b);
  void write_facets(std::int32_t run);
  void move_ties(std::int32_t from, std::int32_t to, std::int32_t beside);

  World& world_;
  Topology* own_ = nullptr;                  ///< the own copy of the topology, once it is made
  std::vector<std::int32_t> segment_, run_;  ///< per turn; -1: it has none
  bool full_ = false;
};

}}  // namespace limber::LIMBER_PRECISION
