#include "engine/verify/plastic_measure.hpp"

#include <algorithm>
#include <cmath>
#include <glm/matrix.hpp>

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/elements.hpp"
#include "engine/state/local_material.hpp"
#include "engine/state/material_fields.hpp"
#include "engine/state/plastic_laws.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

template <class Type>
std::array<std::int32_t, Type::arity> particles_of(const StencilBatch<Type>& batch, std::size_t slot) {
  std::array<std::int32_t, Type::arity> out;
  for (std::size_t j = 0; j < out.size(); ++j) out[j] = batch.vertices[j][slot];
  return out;
}

template <class Type>
std::array<double, Type::rest_count> numbers(const std::array<AlignedVector<real>, Type::rest_count>& rows,
                                             std::size_t slot) {
  std::array<double, Type::rest_count> out;
  for (std::size_t r = 0; r < out.size(); ++r) out[r] = double(rows[r][slot]);
  return out;
}

void raise_all(const World& world, std::span<const std::int32_t> particles, double value,
               std::span<float> out) {
  for (const std::int32_t i : particles) {
    const auto id = world.topology->internal_to_external[std::size_t(i)];
    if (id >= 0 && std::size_t(id) < out.size())
      out[std::size_t(id)] = std::max(out[std::size_t(id)], float(value));
  }
}

}  // namespace

void for_each_flow(const World& world, const FlowVisitor& visit) {
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    constexpr FlowTrait trait = flows_as<Type>();
    if constexpr (trait != FlowTrait::none && trait != FlowTrait::fold) {
      const auto& batch = std::get<type>(*world.topology->constraints);
      const auto& flowed = std::get<type>(*world.matter.constraints).flowed;
      for (std::size_t s = 0; s < flowed.strain.size(); ++s) {
        if (batch.id[s] < 0 || !(flowed.strain[s] > real(0))) continue;
        double strain = double(flowed.strain[s]);
        if constexpr (trait == FlowTrait::volume)
          strain = plastic_strain(numbers<Type>(batch.rest, s), numbers<Type>(flowed.rest, s));
        if constexpr (trait == FlowTrait::bend) {  // strain of a fibre at the rod's surface
          strain = 0.0;
          for (std::size_t r = 0; r < 3; ++r)
            strain = std::hypot(strain, double(flowed.rest[r][s]) - double(batch.rest[r][s]));
          strain *=
              world.settings.materials[std::size_t(batch.object[s])].thickness / double(flowed.width[s]);
        }
        if constexpr (trait == FlowTrait::length)
          strain = std::abs(double(flowed.rest[0][s]) / double(batch.rest[0][s]) - 1.0);
        auto places = particles_of(batch, s);
        if constexpr (trait == FlowTrait::bend)  // orientations: uses the points beside them
          for (std::int32_t& i : places) {
            const RodMatter& rods = world.topology->rods;
            i = std::int32_t(rods.home[std::size_t(i - rods.first_row)]);
          }
        visit(places, strain);
      }
    }
  });
}

void add_plastic(const World& world, Measures& m) {
  for_each_flow(world, [&](std::span<const std::int32_t>, double strain) {
    m.plastic_strain_max = std::max(m.plastic_strain_max, strain);
  });
}

void write_plastic_strain(const World& world, std::span<float> out) {
  for_each_flow(world, [&](std::span<const std::int32_t> particles, double strain) {
    raise_all(world, particles, strain, out);
  });
}

void write_yield_ratio(const World& world, std::span<float> out) {
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    if constexpr (flows_as<Type>() == FlowTrait::volume) {
      const auto& batch = std::get<type>(*world.topology->constraints);
      const auto& state = std::get<type>(*world.matter.constraints);
      for (std::size_t s = 0; s < batch.id.size(); ++s) {
        if (batch.id[s] < 0) continue;
        const Material& material = world.settings.materials[std::size_t(batch.object[s])];
        if (!(material.yield > 0.0)) continue;
        glm::dvec3 x[4];
        for (std::size_t j = 0; j < 4; ++j)
          x[j] = place_of(world.particles, std::size_t(batch.vertices[j][s]));
        const auto& rows = state.flowed.empty() ? batch.rest : state.flowed.rest;
        const glm::dmat3 F =
            glm::dmat3(x[1] - x[0], x[2] - x[0], x[3] - x[0]) * rest_matrix(numbers<Type>(rows, s));
        const double J = glm::determinant(F);
        if (!(J > 0.0)) continue;
        const double modulus =
            material.youngs_modulus * field_over(world, MaterialField::stiffness, nodes_of(batch, s));
        const glm::dvec3 stress = principal_stress(Type(), stretches(eigen_symmetric(glm::transpose(F) * F)),
                                                   lame(modulus, material.poisson_ratio));
        const double gone = state.flowed.empty() ? 0.0 : double(state.flowed.strain[s]);
        raise_all(world, particles_of(batch, s),
                  von_mises(stress) / J / (material.yield + material.hardening * gone), out);
      }
    }
  });
}

}}  // namespace limber::LIMBER_PRECISION
