#include "engine/verify/tet_heat.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <tuple>
#include <type_traits>
#include <vector>

#include "engine/constraints/constraint_types.hpp"
#include "engine/constraints/energy.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/geometry/symmetric3.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/elements.hpp"
#include "engine/state/local_material.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

template <class Type>
constexpr bool is_tet_element = std::is_base_of_v<TetStencil, Type>;
/// True for the types that make up the energy of an object of tetrahedra.
template <class Type>
constexpr bool is_of_tets = is_tet_element<Type> || std::is_same_v<Type, TetEdges>;

glm::dvec3 place_of(const World& world, std::int32_t particle) {
  return glm::dvec3(world.particles.position[std::size_t(particle)]);
}

/// Keeps the largest finite value at a vertex.
void raise_at(const World& world, std::int32_t particle, double value, std::span<float> out) {
  if (!std::isfinite(value)) return;
  const auto vertex = std::size_t(world.topology->internal_to_external[std::size_t(particle)]);
  if (vertex < out.size()) out[vertex] = std::max(out[vertex], float(value));
}

template <class Visit>
void for_each_tet(const World& world, const Visit& visit) {
  const Topology& topology = *world.topology;
  for (std::size_t t = 0; t < topology.tets.size(); ++t) {
    std::array<glm::dvec3, 4> x;
    for (std::size_t j = 0; j < 4; ++j) x[j] = place_of(world, topology.tets[t][j]);
    visit(topology.tets[t], TetStencil::volume_of(x), double(topology.tet_volumes[t]));
  }
}

/// The constraint in a slot with the compliance of its material, even if the method replaces it.
template <class Type>
Element<Type> element_of_material(const World& world, const StencilBatch<Type>& batch, std::size_t slot) {
  auto element = element_at(world, batch, slot, double(world.settings.solver.method->compliance_floor));
  const auto numbers = given_softness(world, batch, slot);
  std::copy(numbers.begin(), numbers.end(), element.softness.begin());
  return element;
}

double largest_stretch_error(const glm::dmat3& F) {
  const glm::dvec3 squares = eigen_symmetric(glm::transpose(F) * F).values;
  double worst = 0.0;
  for (int k = 0; k < 3; ++k) worst = std::max(worst, std::abs(std::sqrt(std::max(squares[k], 0.0)) - 1.0));
  return worst;
}

double von_mises(const glm::dmat3& stress) {
  const glm::dmat3 symmetric = 0.5 * (stress + glm::transpose(stress));
  const double mean = (symmetric[0][0] + symmetric[1][1] + symmetric[2][2]) / 3.0;
  double squares = 0.0;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) {
      const double s = symmetric[c][r] - (c == r ? mean : 0.0);
      squares += s * s;
    }
  return std::sqrt(1.5 * squares);
}

}  // namespace

void for_each_tet_strain(const World& world, const TetStrainVisitor& visit) {
  for_each_constraint(world, [&](auto type, const auto& batch, std::size_t slot) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    if constexpr (is_tet_element<Type>) {
      const auto& state = std::get<type>(*world.matter.constraints);
      glm::dvec3 x[4];
      for (std::size_t j = 0; j < 4; ++j) x[j] = place_of(world, batch.vertices[j][slot]);
      glm::dmat3 F(0.0);
      for (int i = 0; i < 3; ++i)
        for (int a = 0; a < 3; ++a)
          F[a] += double(rest_row(batch, state, std::size_t(3 * i + a))[slot]) * (x[i + 1] - x[0]);
      std::array<std::int32_t, 4> corners;
      for (std::size_t j = 0; j < 4; ++j) corners[j] = batch.vertices[j][slot];
      visit(corners, largest_stretch_error(F));
    } else if constexpr (std::is_same_v<Type, TetEdges>) {
      const Linearized<Type> at(element_at(world, batch, slot, 0.0));
      std::array<std::int32_t, 4> corners;
      for (std::size_t j = 0; j < 4; ++j) corners[j] = batch.vertices[j][slot];
      double worst = 0.0;
      for (const double stretch : at.C) worst = std::max(worst, std::abs(stretch));
      visit(corners, worst);
    }
  });
}

void write_tet_strain(const World& world, std::span<float> out) {
  for_each_tet_strain(world, [&](std::span<const std::int32_t> particles, double strain) {
    for (const std::int32_t i : particles) raise_at(world, i, strain, out);
  });
}

void write_volume_change(const World& world, std::span<float> out) {
  for_each_tet(world, [&](const auto& tet, double volume, double at_rest) {
    for (const std::int32_t i : tet) raise_at(world, i, std::abs(volume / at_rest - 1.0), out);
  });
}

void write_stress(const World& world, std::span<float> out) {
  struct Share {
    glm::dmat3 stress{0.0};  // J: stress times volume
    double volume = 0.0;     // m^3
  };
  std::vector<Share> shares(std::size_t(world.particles.count));
  for_each_tet(world, [&](const auto& tet, double volume, double at_rest) {
    // An element pressed flat has no volume to divide by.
    for (const std::int32_t i : tet) shares[std::size_t(i)].volume += 0.25 * std::max(volume, 0.05 * at_rest);
  });
  for_each_constraint(world, [&](auto type, const auto& batch, std::size_t slot) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    if constexpr (is_of_tets<Type>) {
      const auto element = element_of_material(world, batch, slot);
      const auto gradient = energy_gradient(element);
      glm::dmat3 stress(0.0);
      for (std::size_t j = 0; j < gradient.size(); ++j)
        stress += glm::outerProduct(gradient[j], element.x[j]);
      for (const std::int32_t i : element.particle)
        shares[std::size_t(i)].stress += stress / double(gradient.size());
    }
  });
  for (std::size_t i = 0; i < shares.size(); ++i)
    if (shares[i].volume > 0.0)
      raise_at(world, std::int32_t(i), von_mises(shares[i].stress / shares[i].volume), out);
}

}}  // namespace limber::LIMBER_PRECISION
