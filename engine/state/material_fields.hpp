// Fields of a World: factors of material quantities, one per particle.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "engine/core/material_field.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Values of all fields (core/material_field.hpp has their table).
struct MaterialFields {
  /// Per field and row of a particle, up to Particles::padded(). Empty until a source or a brush sets a
  /// value: every factor is the standard one.
  std::array<std::vector<real>, material_field_count> values;

  bool has(MaterialField field) const { return !values[std::size_t(field)].empty(); }
  bool empty() const {
    for (const std::vector<real>& list : values)
      if (!list.empty()) return false;
    return true;
  }
  static constexpr auto all_members = std::tuple(&MaterialFields::values);
};

/// Factor of a field at particle i.
inline real field_at(const World& world, MaterialField field, std::size_t i) {
  const std::vector<real>& values = world.fields->values[std::size_t(field)];
  return values.empty() ? real(info_of(field).standard) : values[i];
}

/// Mean of a field over the nodes of a constraint: rows of particles, or of turns, each of which has the
/// value of the point where its segment is scheduled (RodMatter::home).
double field_over(const World& world, MaterialField field, std::span<const std::int32_t> nodes);

/// m, distance that particle i keeps from what it touches: the thickness of its material times the field.
real thickness_at(const World& world, std::size_t i);
/// m, mean of thickness_at() over the corners of a facet or feature; a corner may be listed twice.
real thickness_over(const World& world, std::span<const std::int32_t> corners);

/// Takes over the sources of all objects (one list per object of the World) and computes the fields of those
/// objects whose sources differ from Settings::fields anew. Other objects keep what brushes have painted.
void set_field_sources(World& world, std::vector<std::vector<FieldSource>> sources);

/// Extends the fields for particles that tears may add.
void make_room_for_fields(World& world);
/// Gives particle `to`, which was split from `from`, the values that each field's rule says.
void split_fields(World& world, std::size_t from, std::size_t to);

/// Multiplies a field by `factor` at `place`, and by a factor nearer to 1 with growing distance, up to
/// `radius` m. Returns the objects that were painted, ascending. Softness must be refreshed afterwards.
std::vector<std::int32_t> paint_field(World& world, MaterialField field, const glm::dvec3& place,
                                      double radius, double factor);

}}  // namespace limber::LIMBER_PRECISION
