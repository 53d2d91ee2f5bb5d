// Heat of a World: enthalpies, phases, and the chunks that frozen particles form.
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <memory>
#include <tuple>
#include <vector>

#include "engine/core/members.hpp"
#include "engine/core/real.hpp"
#include "engine/state/heat_mesh.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Frozen particles that form a rigid body: the particles [first, first + count) of HeatState::members.
struct FrozenChunk {
  std::int32_t first = 0, count = 0;
  double mass = 0.0;                        ///< kg
  glm::dvec4 rotation{0.0, 0.0, 0.0, 1.0};  ///< unit quaternion, from the rest orientation
  glm::dvec3 inverse_diagonal{0.0};  ///< 1/(kg m^2), inverse inertia about its centre at rest: xx, yy, zz
  glm::dvec3 inverse_beside{0.0};    ///< 1/(kg m^2): yz, xz, xy

  static constexpr auto all_members =
      std::tuple(&FrozenChunk::first, &FrozenChunk::count, &FrozenChunk::mass, &FrozenChunk::rotation,
                 &FrozenChunk::inverse_diagonal, &FrozenChunk::inverse_beside);
};

/// degrees C, below absolute zero: marks a body without a temperature.
inline constexpr double without_temperature = -300.0;

/// Temperatures of a World, empty if heat is off. In double for both precisions, because sums over long times
/// must balance.
struct HeatState {
  std::vector<double> enthalpy;     ///< J/kg, per particle (core/heat_law.hpp)
  std::vector<double> temperature;  ///< degrees C, per particle, computed from the enthalpy
  std::vector<char> frozen;  ///< per particle: 1 if it can melt and is below the middle of its melting range
  std::vector<std::int32_t> chunk;  ///< per particle; -1: none
  /// m, per particle of a chunk: position relative to the chunk's centre, in the rest orientation
  std::vector<glm::dvec3> rest;
  std::vector<FrozenChunk> chunks;
  std::vector<std::int32_t> members;  ///< particles, chunk after chunk, ascending
  std::vector<double> body;           ///< degrees C, per body of the scene; without_temperature: none
  double supplied = 0.0;              ///< J, heat from outside: air, colliders, held particles, brushes
  double reached = 1.0;               ///< share of the last frame that the heat substeps covered
  std::vector<char> melted;           ///< per HeatMesh::Melt: 1 if its particles have been released
  std::int64_t changes = 0;           ///< particles that have melted or frozen so far
  std::int32_t substeps = 0;          ///< heat substeps in the last frame
  bool grouped = false;               ///< the chunks agree with `frozen`

  std::shared_ptr<const HeatMesh> mesh;  ///< shared by a World and its copies

  bool empty() const { return enthalpy.empty() && body.empty(); }
  using Self = HeatState;
  static constexpr auto all_members =
      std::tuple(&Self::enthalpy, &Self::temperature, &Self::frozen, &Self::chunk, &Self::rest, &Self::chunks,
                 &Self::members, &Self::body, &Self::supplied, &Self::reached, &Self::changes,
                 &Self::substeps, &Self::grouped, &Self::melted, &Self::mesh);
};

/// Gives every particle the enthalpy of its object's initial temperature.
void start_heat(World& world);

/// Extends the arrays for particles that tears may add.
void make_room_for_heat(World& world);

/// Gives particle `to`, which was split from `from`, the heat of `from`.
void share_heat(World& world, std::size_t from, std::size_t to);

/// Warms everything within `radius` m of `place`, or cools it if `degrees` is negative: particles by
/// `degrees` in the middle, falling to zero at the rim; a body by `degrees` times the share of its volume
/// inside. The heat counts as supplied, and nothing becomes colder than absolute zero. Returns whether
/// anything was there.
bool brush_heat(World& world, const glm::dvec3& place, double radius, double degrees);

/// Whether body i has a temperature.
inline bool has_temperature(const HeatState& heat, std::size_t i) {
  return i < heat.body.size() && heat.body[i] > -273.15;
}

/// Whether particle i is held in a chunk.
inline bool is_held_frozen(const HeatState& heat, std::size_t i) {
  return i < heat.chunk.size() && heat.chunk[i] >= 0;
}

}}  // namespace limber::LIMBER_PRECISION
