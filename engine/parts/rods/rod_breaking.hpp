// Breaking of rods: a rod breaks if its tension, bending or twist exceeds its limits.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/parallel/pool.hpp"
#include "engine/state/rod_split.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Compares, in every substep, the tension of each segment, and the bending and twist of each joint relative
/// to the shape as built, with the limits of the rod. The loads of the first substep in which a rod exceeds a
/// limit count, and the rod breaks at the end of that frame: under too much tension once, because a break
/// relieves the whole rod; bent or twisted too much at the largest excess of each stretch of the rod in which
/// loads stay above `near` of the limit. An overloaded segment breaks at the end towards the neighbour with
/// the larger tension; an overloaded joint breaks at its point, the joint at a clamp one segment farther.
/// Fixed points never break.
class RodBreaking {
 public:
  static bool enabled(const World& world);
  void reserve(const World& world);  ///< allocates; call between steps

  /// Notes the loads at the end of a substep, `in_frame` substeps after the frame's start. Must be called by
  /// every thread of the team.
  void note(const World& world, int in_frame, Team& team);

  /// Breaks rods after a frame. Returns whether any broke. Serial.
  bool part(World& world);

 private:
  /// Share of a limit below which two overloads of a rod are two breaks.
  static constexpr float near = 0.8f;

  struct Site {
    double over;  ///< the load over its limit, > 1
    std::int32_t turn;
    bool at_end;  ///< at the end (not the start) of the segment with that turn
  };
  void note_pulls(const World& world, std::int32_t now, Share slots);
  void note_bends(const World& world, std::int32_t now, Share slots);
  bool counts(std::int32_t run, std::int32_t now, bool over);
  Site pulled_most(const World& world, const RodSplitter& splitter, const RodRun& run) const;
  void list_bent(const World& world, const RodRun& run, std::vector<Site>& out) const;

  std::vector<double> length_;       ///< m, per turn: length of its segment; 0: it has none
  std::vector<std::int32_t> run_;    ///< per turn; -1: it has none
  std::vector<std::int32_t> since_;  ///< per run: substep of its first overload in the frame; -1: none
  // Loads over their limits, in that substep:
  std::vector<float> pulled_;  ///< per turn of a segment: tension
  std::vector<float> bent_;    ///< per turn: bending or twist of the joint at the end of its segment
  std::vector<float> held_;    ///< per turn: of the joint between its segment and a clamp before it
};

}}  // namespace limber::LIMBER_PRECISION
