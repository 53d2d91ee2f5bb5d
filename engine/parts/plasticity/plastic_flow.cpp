#include "engine/parts/plasticity/plastic_flow.hpp"

#include "engine/constraints/constraint_types.hpp"
#include "engine/constraints/nodes.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/flowed_rest.hpp"
#include "engine/state/local_material.hpp"
#include "engine/state/plastic_laws.hpp"
#include "engine/state/turns.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Positions of a slot's corners relative to the first one's origin: exact at any distance from the World's
/// origin.
template <class Type>
std::array<glm::dvec3, Type::arity> corners(const Particles& particles, const StencilBatch<Type>& batch,
                                            std::size_t slot) {
  std::array<glm::dvec3, Type::arity> x;
  const glm::dvec3 first(particles.origin[std::size_t(batch.vertices[0][slot])]);
  for (std::size_t j = 0; j < x.size(); ++j)
    x[j] = place_of(particles, std::size_t(batch.vertices[j][slot])) - first;
  return x;
}

/// Plastic flow of a joint of a rod. Returns whether it flowed.
bool flow_joint(const Particles& particles, const StencilBatch<RodBend>& batch, const Material& material,
                double length, double share, std::size_t slot, std::array<double, 5>& rest, double& gone) {
  using L = Lanes<double, 1>;
  Quaternion<L> q[2];
  for (std::size_t j = 0; j < 2; ++j) {
    const glm::dvec4 turn = orientation_of(particles, std::size_t(batch.vertices[j][slot]));
    q[j] = {{L(turn.x), L(turn.y), L(turn.z)}, L(turn.w)};
  }
  L from[5];
  for (std::size_t r = 0; r < 5; ++r) from[r] = rest[r];
  const Vec3<L> nowhere[2] = {{L(0.0), L(0.0), L(0.0)}, {L(0.0), L(0.0), L(0.0)}};
  const auto at = RodBend::evaluate(nowhere, q, from);
  const BendYield law{material.yield_curvature, material.hardening / material.youngs_modulus,
                      material.max_plastic,     std::sqrt(3.0) / (2.0 * (1.0 + material.poisson_ratio)),
                      material.thickness,       share};
  glm::dvec3 now(rest[0], rest[1], rest[2]);
  const glm::dvec3 first(double(batch.rest[0][slot]), double(batch.rest[1][slot]),
                         double(batch.rest[2][slot]));
  if (!(length > 0.0) || !flow_bend({at.C[0].v, at.C[1].v, at.C[2].v}, first, length, law, now, gone))
    return false;
  for (int k = 0; k < 3; ++k) rest[std::size_t(k)] = now[k];
  return true;
}

template <class Type>
void flow_slot(const Particles& particles, const StencilBatch<Type>& batch, FlowedRest<Type>& flowed,
               const Material& material, double share, std::size_t slot) {
  constexpr FlowTrait trait = flows_as<Type>();
  std::array<double, Type::rest_count> rest;
  for (std::size_t r = 0; r < rest.size(); ++r) rest[r] = double(flowed.rest[r][slot]);
  double gone = double(flowed.strain[slot]);
  bool changed = false;
  std::array<glm::dvec3, Type::arity> x{};
  if constexpr (trait != FlowTrait::bend) x = corners(particles, batch, slot);
  if constexpr (trait == FlowTrait::bend) {
    changed = flow_joint(particles, batch, material, double(flowed.width[slot]), share, slot, rest, gone);
  } else if constexpr (trait == FlowTrait::volume) {
    std::array<double, Type::rest_count> first;
    for (std::size_t r = 0; r < first.size(); ++r) first[r] = double(batch.rest[r][slot]);
    const SolidYield law{lame(material.youngs_modulus, material.poisson_ratio), material.yield,
                         material.hardening, material.max_plastic, share};
    changed = flow_solid<Type>({x[0], x[1], x[2], x[3]}, first, law, rest, gone);
  } else if constexpr (trait == FlowTrait::sheet) {
    changed = flow_sheet({x[0], x[1], x[2]}, material.yield_strain, share, rest, gone);
  } else if constexpr (trait == FlowTrait::length) {
    const double length = glm::distance(x[0], x[1]);
    const double next = flowed_length(rest[0], length, material.yield_strain, share);
    changed = next != rest[0] && rest[0] > 0.0;
    if (changed) gone += std::abs(next - rest[0]) / rest[0];
    rest[0] = changed ? next : rest[0];
  } else {
    const double width = double(flowed.width[slot]);
    using L = Lanes<double, 1>;
    Vec3<L> p[4];
    for (std::size_t j = 0; j < 4; ++j) p[j] = {x[j].x, x[j].y, x[j].z};
    const L from[1] = {rest[0]};
    const double bent = Bending::evaluate(p, from).C.v;
    const double next = flowed_angle(rest[0], bent, material.yield_curvature * width, share);
    changed = next != rest[0] && width > 0.0;
    if (changed) gone += std::abs(next - rest[0]);
    rest[0] = changed ? next : rest[0];
  }
  if (!changed) return;
  for (std::size_t r = 0; r < rest.size(); ++r) flowed.rest[r][slot] = real(rest[r]);
  flowed.strain[slot] = real(gone);
}

}  // namespace

bool PlasticFlow::enabled(const World& world) {
  if (world.settings.solver.method->kind == SolverMethod::projective) return false;
  bool any = false;
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    if (std::get<type>(*world.matter.constraints).flowed.empty()) return;
    for (const Material& material : world.settings.materials) any |= yields(flows_as<Type>(), material);
  });
  return any;
}

void PlasticFlow::run(World& world, double h, const Team& team) {
  const auto& materials = world.settings.materials;
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    if constexpr (flows_as<Type>() != FlowTrait::none) {
      auto& flowed = std::get<type>(*world.matter.constraints).flowed;
      if (flowed.empty()) return;
      const auto& batch = std::get<type>(*world.topology->constraints);
      const Share slots = team.share(batch.slots(), lane_group);
      std::int32_t object = -1;
      double share = 0.0;
      bool flows = false;
      for (std::int64_t s = slots.begin; s < slots.end; ++s) {
        const std::int32_t owner = batch.object[std::size_t(s)];
        if (owner < 0) continue;
        if (owner != object) {
          object = owner;
          const Material& material = materials[std::size_t(object)];
          flows = yields(flows_as<Type>(), material);
          share = h * material.creep / (1.0 + h * material.creep);
        }
        if (!flows) continue;
        with_material(world, batch, std::size_t(s), [&](const Material& material) {
          flow_slot(world.particles, batch, flowed, material, share, std::size_t(s));
        });
      }
    }
  });
}

}}  // namespace limber::LIMBER_PRECISION
