// State of tearing and cutting: particles and slots in reserve, tables from triangles to slots, cuts under
// way.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/core/members.hpp"
#include "engine/core/real.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Springs that tears added: the last segment of the schedule. No two springs in a lane_group share a
/// particle, so that one thread can visit them in order with any vector width.
struct LooseSlots {
  /// Range in the batch; slots from `end` to `capacity` are free
  std::int32_t begin = 0, end = 0, capacity = 0;
  std::int32_t segment = -1;  ///< number of this segment in the schedule; -1: no springs of this type

  static constexpr auto all_members =
      std::tuple(&LooseSlots::begin, &LooseSlots::end, &LooseSlots::capacity, &LooseSlots::segment);
};

/// Part of a Topology whose objects can tear; otherwise empty (with_tear_room()).
struct TearRoom {
  struct Object {
    std::int32_t first_spare = 0, spares = 0;  ///< particles in reserve, inverse mass zero until used
    std::int32_t used = 0;                     ///< number of spares in use: the first ones
    /// Indices into ConstraintTypes of the constraints along, across and within its triangles (TearTrait);
    /// -1: none.
    std::int32_t spring_type = -1, hinge_type = -1, triangle_type = -1;
    std::string_view refusal;  ///< why it cannot be torn or cut; empty: it can
    bool tethered = false;     ///< it has tethers; its first tear retires all of them
  };
  std::vector<Object> objects;

  /// Per triangle and side, from corner j to j + 1: the slot of the spring along it, and of the hinge across
  /// it; -1: none.
  std::vector<std::array<std::int32_t, 3>> spring, hinge;
  std::vector<std::int32_t> within;  ///< per triangle: slot of the constraint on its corners; -1: none

  std::vector<std::int32_t> origin;  ///< per particle: the particle of the untorn mesh of which it is a copy
  std::vector<std::int32_t> next_copy;  ///< per particle: the next copy of the same origin, in a cycle
  std::vector<double> share;            ///< per particle: its share of the origin's mass
  std::vector<LooseSlots> loose;  ///< per constraint type, if anything tears; of types that lie along edges
  /// External ids from this number on are new vertices, in the order of the tears
  Index untorn_vertices = 0;

  bool empty() const { return objects.empty(); }
  bool is_torn(std::size_t object) const { return !empty() && objects[object].used > 0; }

  static constexpr auto all_members = std::tuple(
      &TearRoom::objects, &TearRoom::spring, &TearRoom::hinge, &TearRoom::within, &TearRoom::origin,
      &TearRoom::next_copy, &TearRoom::share, &TearRoom::loose, &TearRoom::untorn_vertices);
};

/// A cut by hand that may go on with the next command.
struct CutPath {
  /// An end of the cut within a triangle that the cut entered beside `corner`.
  struct End {
    std::int32_t triangle, corner;
    bool leads;  ///< true: the cut can go on from here; false: it began here
    /// Barycentric coordinates of the end in the triangle, so that it moves with the surface
    glm::dvec3 weights;

    static constexpr auto all_members = std::tuple(&End::triangle, &End::corner, &End::leads, &End::weights);
  };
  std::vector<End> ends;
  std::vector<std::int32_t> sides;  ///< edges along which the cut runs, as 3 * triangle + side, ascending
  std::vector<std::array<std::int32_t, 2>> faces;  ///< pairs of tetrahedra that the cut separates, ascending

  static constexpr auto all_members = std::tuple(&CutPath::ends, &CutPath::sides, &CutPath::faces);
};

}}  // namespace limber::LIMBER_PRECISION
