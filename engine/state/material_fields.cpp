#include "engine/state/material_fields.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

#include "engine/core/settings/material.hpp"
#include "engine/geometry/field/material_share.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

bool any_of_field(const std::vector<std::vector<FieldSource>>& objects, MaterialField field) {
  for (const auto& sources : objects)
    for (const FieldSource& source : sources)
      if (source.quantity == field) return true;
  return false;
}

/// The values of one field where none was before.
std::vector<real>& values_of(World& world, MaterialField field) {
  std::vector<real>& values = world.fields->values[std::size_t(field)];
  if (values.empty()) values.assign(std::size_t(world.particles.padded()), real(info_of(field).standard));
  return values;
}

/// Computes a field of one object from its sources; copies of split particles get the value of their origin.
void fill(World& world, std::size_t object, MaterialField field, std::span<const FieldSource> sources) {
  std::vector<real>& values = values_of(world, field);
  const Topology& topology = *world.topology;
  const auto at = [&](std::size_t i) {
    if (topology.field_places.empty()) return real(info_of(field).standard);
    const glm::dvec3 color =
        topology.field_colors.empty() ? glm::dvec3(0.0) : glm::dvec3(topology.field_colors[i]);
    return real(factor_at(sources, field, glm::dvec3(topology.field_places[i]), color));
  };
  const ParticleRange& range = topology.objects[object];
  for (std::int32_t i = range.first; i < range.end(); ++i) values[std::size_t(i)] = at(std::size_t(i));
  if (topology.tears.empty()) return;
  const TearRoom::Object& room = topology.tears.objects[object];
  for (std::int32_t k = 0; k < room.used; ++k) {
    const std::size_t copy = std::size_t(room.first_spare + k);
    values[copy] = values[std::size_t(topology.tears.origin[copy])];
  }
}

}  // namespace

double field_over(const World& world, MaterialField field, std::span<const std::int32_t> nodes) {
  const std::vector<real>& values = world.fields->values[std::size_t(field)];
  if (values.empty() || nodes.empty()) return info_of(field).standard;
  const RodMatter& rods = world.topology->rods;
  double sum = 0.0;
  for (const std::int32_t i : nodes) {
    const bool turn = !rods.empty() && i >= rods.first_row;
    const auto node = turn ? std::size_t(rods.home[std::size_t(i - rods.first_row)]) : std::size_t(i);
    sum += double(values[node]);
  }
  return sum / double(nodes.size());
}

real thickness_at(const World& world, std::size_t i) {
  const double own = world.settings.materials[std::size_t(world.particles.object[i])].thickness;
  return real(own * double(field_at(world, MaterialField::thickness, i)));
}

real thickness_over(const World& world, std::span<const std::int32_t> corners) {
  const double own =
      world.settings.materials[std::size_t(world.particles.object[std::size_t(corners.front())])].thickness;
  return real(own * field_over(world, MaterialField::thickness, corners));
}

void set_field_sources(World& world, std::vector<std::vector<FieldSource>> sources) {
  const std::vector<std::vector<FieldSource>> before =
      std::exchange(world.settings.fields, std::move(sources));
  const auto& now = world.settings.fields;
  if (before == now) return;
  for (const MaterialFieldInfo& info : material_fields_table) {
    if (!any_of_field(before, info.field) && !any_of_field(now, info.field)) continue;
    for (std::size_t o = 0; o < now.size(); ++o)
      if (o >= before.size() || before[o] != now[o]) fill(world, o, info.field, now[o]);
  }
}

void make_room_for_fields(World& world) {
  for (std::size_t f = 0; f < material_field_count; ++f)
    if (std::vector<real>& values = world.fields->values[f]; !values.empty())
      values.resize(std::size_t(world.particles.padded()), real(material_fields_table[f].standard));
}

void split_fields(World& world, std::size_t from, std::size_t to) {
  for (const MaterialFieldInfo& info : material_fields_table) {
    std::vector<real>& values = world.fields->values[std::size_t(info.field)];
    if (!values.empty() && info.split == FieldRule::copied) values[to] = values[from];
  }
}

std::vector<std::int32_t> paint_field(World& world, MaterialField field, const glm::dvec3& place,
                                      double radius, double factor) {
  std::vector<std::int32_t> met;
  const std::vector<Index>& outside = world.topology->internal_to_external;  // -1: in reserve
  for (std::size_t i = 0; i < std::size_t(world.particles.count); ++i) {
    const double away = glm::distance(place_of(world.particles, i), place) / radius;
    if (!(away < 1.0) || outside[i] < 0) continue;
    real& value = values_of(world, field)[i];
    value = real(std::clamp(double(value) * std::pow(factor, 1.0 - away * away), least_factor, most_factor));
    met.push_back(world.particles.object[i]);
  }
  std::sort(met.begin(), met.end());
  met.erase(std::unique(met.begin(), met.end()), met.end());
  return met;
}

}}  // namespace limber::LIMBER_PRECISION
