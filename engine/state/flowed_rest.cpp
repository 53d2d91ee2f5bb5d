#include "engine/state/flowed_rest.hpp"

#include <algorithm>
#include <glm/geometric.hpp>

#include "engine/core/settings/material.hpp"

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

}  // namespace

bool yields(FlowTrait trait, const Material& material) {
  if (!(material.creep > 0.0)) return false;
  switch (trait) {
    case FlowTrait::volume:
      return material.yield > 0.0;
    case FlowTrait::sheet:
    case FlowTrait::length:
      return material.yield_strain > 0.0;
    case FlowTrait::fold:
    case FlowTrait::bend:
      return material.yield_curvature > 0.0;
    case FlowTrait::none:
      break;
  }
  return false;
}

void begin_flow(World& world) {
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    if constexpr (flows_as<Type>() != FlowTrait::none) {
      const auto& batch = std::get<type>(world.topology->constraints);
      auto& flowed = std::get<type>(world.matter.constraints).flowed;
      const auto& materials = world.settings.materials;
      if (!flowed.empty() || batch.constraints == 0 ||
          std::none_of(materials.begin(), materials.end(),
                       [](const Material& material) { return yields(flows_as<Type>(), material); }))
        return;
      flowed.rest = batch.rest;
      flowed.strain.assign(std::size_t(batch.slots()), real(0));
      flowed.width.assign(std::size_t(batch.slots()), real(0));
      if constexpr (flows_as<Type>() == FlowTrait::fold)
        for (std::size_t s = 0; s < std::size_t(batch.slots()); ++s)
          if (batch.id[s] >= 0) flowed.width[s] = real(hinge_width(world, batch, s));
      if constexpr (flows_as<Type>() == FlowTrait::bend) set_joint_lengths(world, batch, flowed.width);
    }
  });
}

}}  // namespace limber::LIMBER_PRECISION
