// Tearing of overstretched edges (Mueller et al. 2006, section 4.4).
#pragma once

#include <vector>

#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Runs after every other substep, but not after the last of several substeps. An edge longer than (1 +
/// tear_strain) times its rest length splits one of its vertices. In sheets of springs the edges are the
/// springs; in elastic sheets they are the sides of the triangles, with their lengths in the mesh. The most
/// strained edges come first, and of neighbouring vertices at most one splits, because a split relieves its
/// surroundings. Of the two vertices of an edge the one with the larger tension splits, at equal tension the
/// one with the lower id; a vertex of inverse mass zero never splits. Every object has its own limit of tears
/// per frame. Edges are tested in parallel and split in a fixed order, so nothing depends on the number of
/// threads.
class Tearing {
 public:
  void reserve(const World& world);  ///< allocates; call between steps

  /// Whether anything can tear.
  static bool enabled(const World& world);

  /// Must be called before the first substep of a frame. Serial.
  void begin_frame(const World& world);

  /// Splits vertices. Returns whether the mesh changed, the same on every rank. Must be called by every
  /// thread of the team.
  bool run(World& world, Team& team);

 private:
  struct Overstretched {
    real strain;
    std::int32_t type, slot;
  };
  static constexpr std::int32_t block_slots_ = 1024;

  void find(const World& world, const Team& team);
  template <class Type>
  void find_sides_in(const World& world, std::int32_t type, std::int32_t block,
                     std::vector<Overstretched>& out);
  template <class Type>
  void find_in(const World& world, std::int32_t type, std::int32_t block, std::vector<Overstretched>& out);
  bool tear(World& world);

  /// Per object: square of the largest ratio of length and rest length; 0: never tears.
  std::vector<real> limit_;
  std::vector<std::vector<Overstretched>> found_;  ///< per block of slots, one type after the other
  std::vector<Overstretched> all_;                 ///< a heap, the most strained first
  std::vector<std::int32_t> relieved_;  ///< per particle: number of the last pass() that tore a neighbour
  std::int32_t pass_ = 0;
  std::vector<std::int32_t> left_;  ///< per object: tears left for this frame
  std::vector<std::int32_t> size_;  ///< per object: number of its particles as built
  bool changed_ = false;
};

}}  // namespace limber::LIMBER_PRECISION
