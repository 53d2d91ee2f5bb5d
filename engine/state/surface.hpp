// The triangles of all deformable objects as one surface that can touch itself.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "engine/core/members.hpp"
#include "engine/core/real.hpp"

namespace limber::inline LIMBER_PRECISION {

/// The copies of a vertex that a tear splits start this far apart, as a share of its room: enough to tell
/// their sides apart in float, far less than anybody sees. What a tear parted keeps that distance.
inline constexpr real tear_gap = real(1e-2);

/// So many consecutive triangles are a leaf of the trees over them; the builder numbers them accordingly.
inline constexpr std::int32_t surface_leaf = 8;

/// What contact between surfaces needs to know beside Topology::triangles.
struct Surface {
  /// Per triangle: bit j: it owns its vertex j; bit 3 + j: its edge from vertex j to j + 1. Every vertex and
  /// every edge has one owner, so that a pair of features is met once.
  std::vector<std::uint8_t> owned;
  /// Per triangle: one of its vertices lies where the mesh's border turns inward, or near a tear, so that a
  /// piece of the surface may meet itself across the gap.
  std::vector<std::uint8_t> at_gap;
  /// Per triangle: the one beyond its edge from vertex j to j + 1, -1: none.
  std::vector<std::array<std::int32_t, 3>> neighbors;
  std::vector<vec3> rest;  ///< m, per particle, as the mesh was made
  /// m, per particle: half the shortest edge at rest there; no contact distance is larger (a global minimum
  /// is useless on real meshes).
  std::vector<real> room;

  static constexpr auto all_members =
      std::tuple(&Surface::owned, &Surface::at_gap, &Surface::neighbors, &Surface::rest, &Surface::room);
};

/// `rest` per particle; triangles name particles. O(T log T).
Surface make_surface(std::span<const std::array<std::int32_t, 3>> triangles, std::span<const vec3> rest);

}  // namespace limber::inline LIMBER_PRECISION
