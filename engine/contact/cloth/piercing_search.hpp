// Finds the edges of deformable surfaces that pierce triangles.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/contact/cloth/surface_tree.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Edge `side` of triangle `owner` (from vertex side to side + 1) passes through `triangle`, which has no
/// vertex in common with it.
struct Piercing {
  std::int32_t owner, side, triangle;
};

/// Whether the segment a-b pierces triangle t, by the signs of tetrahedra in double. A sign of zero counts as
/// plus, and each tetrahedron takes its vertices in ascending order, so that neighbours agree and a contour
/// does not break where an edge meets another.
bool pierces(const Particles& particles, std::int32_t a, std::int32_t b,
             const std::array<std::int32_t, 3>& t);

/// Finds all piercings at one instant, with a tree of its own. Costs memory and time only where it is run.
class PiercingSearch {
 public:
  /// Reads the triangles of `world`; must be called again after a tear has changed them. Allocates.
  void reserve(const World& world);

  /// Must be called by every thread of the team.
  void run(const World& world, Team& team);

  /// A list per block, in order; the same for any number of threads.
  std::span<const std::vector<Piercing>> found() const { return found_; }

 private:
  void place_block(const World& world, std::int32_t block);
  void search_block(const World& world, std::int32_t block);
  void meet_within(const World& world, std::int32_t node, std::vector<Piercing>& out);
  void meet_nodes(const World& world, std::int32_t a, std::int32_t b, std::vector<Piercing>& out);
  void meet_leaves(const World& world, std::int32_t a, std::int32_t b, std::vector<Piercing>& out);

  SurfaceTree tree_;
  AlignedVector<Box> boxes_;  ///< per triangle
  std::vector<std::vector<Piercing>> found_;
  std::atomic<std::int32_t> next_block_{0};
};

}}  // namespace limber::LIMBER_PRECISION
