// Tearing of overstretched edges (Mueller et al. 2006, section 4.4).
#pragma once

#include <vector>

#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// After every other substep, but not after the last of a frame unless it has only one: edges longer than
/// (1 + tear_strain) of their rest length split one of their vertices, the most strained first, at most one
/// among neighbours, because a split relieves what is around it. The vertex with the larger tension splits,
/// then that with the lower id; one of inverse mass zero never does. Every object has its own number of tears
/// in a frame, whatever else there is. Edges are looked at in parallel by blocks and split in one order: the
/// same for any number of threads.
class Tearing {
 public:
  void reserve(const World& world);  ///< allocates; call between steps

  /// Whether anything can tear.
  static bool enabled(const World& world);

  /// Before the first substep of a frame, on one thread.
  void begin_frame(const World& world);

  /// Called by every thread of the team, ends at a barrier. Whether the mesh changed, the same on every rank.
  bool run(World& world, Team& team);

 private:
  struct Overstretched {
    real strain;
    std::int32_t type, slot;
  };
  static constexpr std::int32_t block_slots_ = 1024;

  void find(const World& world, const Team& team);
  template <class Type>
  void find_in(const World& world, std::int32_t type, std::int32_t block, std::vector<Overstretched>& out);
  bool tear(World& world);

  std::vector<real> limit_;  ///< per object: square of the largest length over rest; 0: never tears
  std::vector<std::vector<Overstretched>> found_;  ///< per block of slots, type after type
  std::vector<Overstretched> all_;                 ///< a heap, the most strained first
  std::vector<std::int32_t> relieved_;             ///< per particle: the last pass() that tore beside it
  std::int32_t pass_ = 0;
  std::vector<std::int32_t> left_;  ///< per object: tears that this frame still may have
  std::vector<std::int32_t> size_;  ///< per object: its particles at first
  bool changed_ = false;
};

}}  // namespace limber::LIMBER_PRECISION
