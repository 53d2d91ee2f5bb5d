#include "engine/verify/fastest_swing.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <type_traits>
#include <vector>

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/state/elements.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr int rounds = 60;

/// The Hessians of all constraints on points, one after the other, with their particles.
struct Stiffness {
  struct Block {
    std::size_t first_particle, first_number;  ///< indices in the lists below
    std::size_t corners;
  };
  std::vector<Block> blocks;
  std::vector<std::int32_t> particles;
  std::vector<double> numbers;

  /// out += K v
  void add_product(const std::vector<glm::dvec3>& v, std::vector<glm::dvec3>& out) const {
    for (const Block& block : blocks) {
      const std::int32_t* p = &particles[block.first_particle];
      const double* row = &numbers[block.first_number];
      for (std::size_t i = 0; i < block.corners; ++i)
        for (int a = 0; a < 3; ++a, row += 3 * block.corners)
          for (std::size_t j = 0; j < block.corners; ++j)
            out[std::size_t(p[i])][a] +=
                glm::dot(glm::dvec3(row[3 * j], row[3 * j + 1], row[3 * j + 2]), v[std::size_t(p[j])]);
    }
  }
};

/// Hessian of an element. A rope or strut at its length swings as soon as it is strained, so it counts as a
/// spring of that length; at that length its own Hessian is zero.
template <class Type>
ElementMatrix<Type> hessian_once_strained(const Element<Type>& element) {
  if constexpr (std::is_same_v<Type, Rope> || std::is_same_v<Type, Strut>) {
    const Element<Distance> spring{element.particle, element.x,        {},
                                   element.rest,     element.softness, element.floor};
    if (!Linearized<Type>(element).acts()) return energy_hessian(spring, HessianKind::positive);
  }
  return energy_hessian(element, HessianKind::exact);
}

Stiffness stiffness_of(const World& world) {
  Stiffness out;
  const double floor = world.settings.solver.method->compliance_floor;
  for_each_constraint(world, [&](auto type, const auto& batch, std::size_t slot) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    if constexpr (!has_turns<Type>()) {
      const Element<Type> element = element_at(world, batch, slot, floor);
      out.blocks.push_back({out.particles.size(), out.numbers.size(), element.particle.size()});
      out.particles.insert(out.particles.end(), element.particle.begin(), element.particle.end());
      for (const auto& row : hessian_once_strained(element))
        out.numbers.insert(out.numbers.end(), row.begin(), row.end());
    }
  });
  return out;
}

}  // namespace

double fastest_swing(const World& world) {
  const Stiffness stiffness = stiffness_of(world);
  const std::size_t count = std::size_t(world.particles.padded());
  std::vector<glm::dvec3> v(count), next(count);
  for (std::size_t i = 0; i < count; ++i)  // without a pattern, so that every mode is excited
    if (world.particles.position[i].w > real(0))
      v[i] = {std::sin(1.7 * double(i * i % 1009)), std::cos(2.3 * double(i * i % 1013)),
              std::sin(3.1 * double(i % 997))};
  double squared = 0.0;  // rad^2/s^2
  for (int round = 0; round < rounds; ++round) {
    std::fill(next.begin(), next.end(), glm::dvec3(0.0));
    stiffness.add_product(v, next);
    double along = 0.0, mass = 0.0, length = 0.0;  // v.K v, v.M v and |M^-1 K v| in the norm of M
    for (std::size_t i = 0; i < count; ++i) {
      const double w = double(world.particles.position[i].w);
      if (w == 0.0) {
        next[i] = glm::dvec3(0.0);
        continue;
      }
      along += glm::dot(v[i], next[i]), mass += glm::dot(v[i], v[i]) / w;
      next[i] *= w;
      length += glm::dot(next[i], next[i]) / w;
    }
    if (!(length > 0.0) || !(mass > 0.0)) return 0.0;
    squared = std::abs(along) / mass;
    for (std::size_t i = 0; i < count; ++i) v[i] = next[i] / std::sqrt(length);
  }
  return std::sqrt(squared);
}

}}  // namespace limber::LIMBER_PRECISION
