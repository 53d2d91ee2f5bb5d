// State of tearing and cutting beside the mesh: particles and slots in reserve, and where each slot is.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/members.hpp"
#include "engine/core/real.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Springs that tears added: the last segment of the schedule. Each lane_group of them shares no particle, so
/// one thread visits them in order at any vector width.
struct LooseSlots {
  std::int32_t begin = 0, end = 0, capacity = 0;  ///< slots of the batch; end <= capacity
  std::int32_t segment = -1;                      ///< its number in the schedule, -1: no springs of this type

  static constexpr auto all_members =
      std::tuple(&LooseSlots::begin, &LooseSlots::end, &LooseSlots::capacity, &LooseSlots::segment);
};

/// The part of the Topology that only objects that can tear have; empty otherwise (see with_tear_room).
struct TearRoom {
  struct Object {
    std::int32_t first_spare = 0, spares = 0;  ///< particles in reserve, inverse mass zero until used
    std::int32_t used = 0;                     ///< of them, the first so many
    /// Indices into ConstraintTypes of the constraints along, across and within its triangles (TearTrait);
    /// -1: none.
    std::int32_t spring_type = -1, hinge_type = -1, triangle_type = -1;
    std::string_view refusal;  ///< why it cannot be torn or cut; empty: it can
    bool tethered = false;     ///< tethers hold it; its first tear lets go of all
  };
  std::vector<Object> objects;

  /// Per triangle: the slot of the spring, and of the hinge, on its side from corner j to j + 1; -1: none.
  std::vector<std::array<std::int32_t, 3>> spring, hinge;
  std::vector<std::int32_t> within;  ///< per triangle: the slot of the constraint on it; -1: none

  std::vector<std::int32_t> origin;     ///< per particle: the one of the untorn mesh that it came from
  std::vector<std::int32_t> next_copy;  ///< per particle: round and round the copies of one origin
  std::vector<double> share;            ///< per particle: its share of the origin's mass
  std::array<LooseSlots, constraint_type_count> loose;  ///< of the types that tear as edges
  Index untorn_vertices = 0;  ///< external ids from here on are new vertices, in the order of the tears

  bool empty() const { return objects.empty(); }
  bool is_torn(std::size_t object) const { return !empty() && objects[object].used > 0; }

  static constexpr auto all_members = std::tuple(
      &TearRoom::objects, &TearRoom::spring, &TearRoom::hinge, &TearRoom::within, &TearRoom::origin,
      &TearRoom::next_copy, &TearRoom::share, &TearRoom::loose, &TearRoom::untorn_vertices);
};

/// A cut under way, from one command to the next.
struct CutPath {
  /// An end of the cut within a triangle that the cut entered beside `corner`.
  struct End {
    std::int32_t triangle, corner;
    bool leads;          ///< it may go on from here, else this is where it began
    glm::dvec3 weights;  ///< of the corners: the point it leads from, on the surface wherever that moves

    static constexpr auto all_members = std::tuple(&End::triangle, &End::corner, &End::leads, &End::weights);
  };
  std::vector<End> ends;
  std::vector<std::int32_t> sides;  ///< 3 * triangle + side of the edges it runs along, ascending
  std::vector<std::array<std::int32_t, 2>> faces;  ///< pairs of tetrahedra that it parts, ascending

  static constexpr auto all_members = std::tuple(&CutPath::ends, &CutPath::sides, &CutPath::faces);
};

}}  // namespace limber::LIMBER_PRECISION
