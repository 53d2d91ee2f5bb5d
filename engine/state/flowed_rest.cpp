#include "engine/state/flowed_rest.hpp"

#include <algorithm>
#include <glm/geometric.hpp>

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/geometry/rods/rod_curve.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/turns.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// m, of the strip that a hinge stands for: half the heights of its triangles at rest. A cylinder of
/// curvature k bends it by k times that, however fine the mesh.
double hinge_width(const World& world, const StencilBatch<Bending>& batch, std::size_t slot) {
  glm::dvec3 x[4];
  for (std::size_t j = 0; j < 4; ++j)
    x[j] = glm::dvec3(world.topology->surface.rest[std::size_t(batch.vertices[j][slot])]);
  const glm::dvec3 edge = x[1] - x[0];
  const double length = glm::length(edge);
  if (!(length > 0.0)) return 0.0;
  return 0.5 * (glm::length(glm::cross(edge, x[2] - x[0])) + glm::length(glm::cross(edge, x[3] - x[0]))) /
         length;
}

/// Length of rod for which each bend constraint stands, m: half of the two segments that it connects.
void set_joint_lengths(const World& world, const StencilBatch<RodBend>& batch, AlignedVector<real>& out) {
  const RodMatter& rods = world.topology->rods;
  std::vector<real> half(std::size_t(rods.turns()), real(0));
  for (const RodSegment& segment : rods.segments)
    half[std::size_t(segment.turn)] = real(0.5) * segment.length;
  for (std::size_t s = 0; s < std::size_t(batch.slots()); ++s)
    for (std::size_t j = 0; j < 2 && batch.id[s] >= 0; ++j)
      out[s] += half[std::size_t(batch.vertices[j][s] - rods.first_row)];
}

/// Starts the friction of joints at their present rotations, and frees those whose friction is off.
void begin_friction(World& world) {
  const auto& batch = std::get<StencilBatch<RodBend>>(*world.topology->constraints);
  auto& flowed = std::get<StencilState<RodBend>>(*world.matter.constraints).flowed;
  const auto& materials = world.settings.materials;
  const bool begins = flowed.friction[0].empty();
  if (begins && std::none_of(materials.begin(), materials.end(), has_internal_friction)) return;
  for (auto& row : flowed.friction) row.resize(std::size_t(batch.slots()), real(0));
  for (std::size_t s = 0; s < std::size_t(batch.slots()); ++s) {
    if (batch.object[s] < 0) continue;
    const bool rubs = has_internal_friction(materials[std::size_t(batch.object[s])]);
    if (rubs && !begins) continue;
    if (!begins && flowed.friction[0][s] == real(0) && flowed.friction[1][s] == real(0)) continue;
    const auto turn = [&](std::size_t j) {
      return orientation_of(world.particles, std::size_t(batch.vertices[j][s]));
    };
    const glm::dvec3 now = rotation_between(turn(0), turn(1));
    for (std::size_t k = 0; k < 2; ++k) {
      flowed.friction[k][s] = 0, flowed.friction[2 + k][s] = real(now[int(k)]);
      if (!begins) flowed.rest[k][s] = batch.rest[k][s];
    }
    if (!begins) flowed.rest[3][s] = batch.rest[3][s];
  }
}

}  // namespace

bool has_internal_friction(const Material& material) { return material.friction_curvature > 0.0; }

bool yields(FlowTrait trait, const Material& material) {
  if (!(material.creep > 0.0)) return false;
  switch (trait) {
    case FlowTrait::volume:
      return material.yield > 0.0;
    case FlowTrait::sheet:
    case FlowTrait::length:
      return material.yield_strain > 0.0;
    case FlowTrait::fold:
      return material.yield_curvature > 0.0;
    case FlowTrait::bend:
      return material.yield_curvature > 0.0 && !has_internal_friction(material);
    case FlowTrait::none:
      break;
  }
  return false;
}

void begin_flow(World& world) {
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    if constexpr (flows_as<Type>() != FlowTrait::none) {
      const auto& batch = std::get<type>(*world.topology->constraints);
      auto& flowed = std::get<type>(*world.matter.constraints).flowed;
      const auto& materials = world.settings.materials;
      const auto changes = [](const Material& material) {
        return yields(flows_as<Type>(), material) ||
               (flows_as<Type>() == FlowTrait::bend && has_internal_friction(material));
      };
      if (batch.constraints == 0) return;
      if (!flowed.empty() || std::none_of(materials.begin(), materials.end(), changes)) {
        if constexpr (flows_as<Type>() == FlowTrait::bend)
          if (!flowed.empty()) begin_friction(world);
        return;
      }
      flowed.rest = batch.rest;
      flowed.strain.assign(std::size_t(batch.slots()), real(0));
      flowed.width.assign(std::size_t(batch.slots()), real(0));
      if constexpr (flows_as<Type>() == FlowTrait::fold)
        for (std::size_t s = 0; s < std::size_t(batch.slots()); ++s)
          if (batch.id[s] >= 0) flowed.width[s] = real(hinge_width(world, batch, s));
      if constexpr (flows_as<Type>() == FlowTrait::bend) {
        set_joint_lengths(world, batch, flowed.width);
        begin_friction(world);
      }
    }
  });
}

}}  // namespace limber::LIMBER_PRECISION
