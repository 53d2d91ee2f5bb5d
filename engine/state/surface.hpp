// Facets: the triangles of all deformable objects and the segments of rods, for contact between them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "engine/core/members.hpp"
#include "engine/core/real.hpp"
#include "engine/state/rods.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Distance at which the copies of a torn vertex start, as a share of its `room`: enough to distinguish their
/// sides in float, too small to be seen. Contacts between torn features keep that distance.
inline constexpr real tear_gap = real(1e-2);

/// Triangles per leaf of the BVH: consecutive numbers, as the builder assigns them.
inline constexpr std::int32_t surface_leaf = 8;

/// Properties of the facets (Topology::facet()) and their particles that contact between surfaces needs.
struct Surface {
  /// Per facet: bit j is set if it owns its vertex j, bit 3 + j if it owns its edge from vertex j to j + 1.
  /// Every vertex and every edge has one owner, so that a pair of features is found once.
  std::vector<std::uint8_t> owned;
  /// Per facet: 1 if one of its vertices is at a concave place of the mesh's border or near a tear, so that
  /// the surface may touch itself across the gap.
  std::vector<std::uint8_t> at_gap;
  /// Per facet: the facet beyond its edge from vertex j to j + 1, -1: none.
  std::vector<std::array<std::int32_t, 3>> neighbors;
  std::vector<vec3> rest;  ///< m, per particle, as the mesh was made; of rods see add_segments()
  /// m, per particle: half of the shortest rest edge at the vertex; for rods at least their thickness.
  /// Contact distances are never larger. (One bound for a whole mesh would be useless: real meshes have a few
  /// very short edges.)
  std::vector<real> room;
  /// Per particle, empty without rods: the facets of the segments at it; -1: none.
  std::vector<std::array<std::int32_t, 2>> segments_at;

  bool is_rod(std::size_t particle) const {
    return particle < segments_at.size() && segments_at[particle][0] >= 0;
  }

  static constexpr auto all_members = std::tuple(&Surface::owned, &Surface::at_gap, &Surface::neighbors,
                                                 &Surface::rest, &Surface::room, &Surface::segments_at);
};

/// `rest` per particle; triangles name particles. O(T log T).
Surface make_surface(std::span<const std::array<std::int32_t, 3>> triangles, std::span<const vec3> rest);

/// Adds the segments of a rod of `radius` m behind all others. Their rest positions are those of a straight
/// rod, or of a round ring, whatever the natural shape of the rod: then the contact distance of neighbours
/// along the rod is smaller than that of distant parts, so that a bend is no contact.
void add_segments(Surface& surface, std::span<const RodSegment> segments, bool closed, real radius);

}}  // namespace limber::LIMBER_PRECISION
