#include "engine/verify/fluid_measure.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>

#include "engine/constraints/density.hpp"
#include "engine/contact/colliders/collider_surface.hpp"
#include "engine/contact/solid_share.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/fluid.hpp"
#include "engine/geometry/convex/convex_shape.hpp"

namespace limber::inline LIMBER_PRECISION {
namespace {

struct Sample {
  std::int64_t x, y, z;  ///< cell
  std::int32_t particle;
  bool operator<(const Sample& other) const {
    return std::tie(x, y, z, particle) < std::tie(other.x, other.y, other.z, other.particle);
  }
};

/// Particles of fluids, grains and clusters by cells as wide as the support.
std::vector<Sample> sorted_samples(const World& world, double support) {
  std::vector<Sample> samples;
  const auto add = [&](std::int32_t i) {
    const glm::dvec3 cell =
        glm::clamp(glm::floor(glm::dvec3(world.particles.position[std::size_t(i)]) / support), -1e15, 1e15);
    samples.push_back({std::int64_t(cell.x), std::int64_t(cell.y), std::int64_t(cell.z), i});
  };
  for (const std::int32_t i : world.topology->fluid.members)
    if (world.matter.fluid.present[std::size_t(i)]) add(i);
  for (const std::int32_t i : world.topology->matter.members) add(i);
  std::sort(samples.begin(), samples.end());
  return samples;
}

/// The share of a particle's support that colliders and bodies leave free.
double free_share(const World& world, const vec3& x, double support) {
  double free = 1.0;
  for (const Collider& collider : world.colliders)
    free *= 1.0 - share_behind_plane(support, double(closest(collider, x).distance));
  for (const PlacedShape& shape : world.bodies.parts->shapes) {
    const vec3 center(world.bodies.position[std::size_t(shape.body)]);
    if (double(glm::distance(x, center)) > double(shape.reach) + support) continue;
    const Placed at = placed(shape, world.bodies);
    const glm::dvec3 local((x - at.position) * at.rotation), e(shape.shape.size);
    free *= 1.0 - share_behind_solid<double>(support, shape.shape.kind, {e.x, e.y, e.z},
                                             {local.x, local.y, local.z},
                                             double(surface_distance(shape.shape, at, x).d));
  }
  return free;
}

/// Calls act(particle, other, squared distance) for all pairs within the support, both ways.
template <class Act>
void for_near(const World& world, double support, const Act& act) {
  const std::vector<Sample> samples = sorted_samples(world, support);
  const auto at = [&](const Sample& s) {
    return glm::dvec3(world.particles.position[std::size_t(s.particle)]);
  };
  for (const Sample& own : samples)
    for (std::int64_t dx = -1; dx <= 1; ++dx)
      for (std::int64_t dy = -1; dy <= 1; ++dy) {
        const Sample first{own.x + dx, own.y + dy, own.z - 1, 0};
        for (auto s = std::lower_bound(samples.begin(), samples.end(), first);
             s != samples.end() && s->x == first.x && s->y == first.y && s->z <= own.z + 1; ++s) {
          const glm::dvec3 u = at(own) - at(*s);
          act(own.particle, s->particle, glm::dot(u, u));
        }
      }
}

using One = Lanes<double, 1>;

}  // namespace

std::vector<double> fluid_densities(const World& world, std::vector<double>* nearest) {
  std::vector<double> densities(std::size_t(world.particles.count), 0.0);
  if (nearest) nearest->assign(densities.size(), std::numeric_limits<double>::infinity());
  const auto kernel = FluidKernel<double>::of_radius(world.settings.solver.contact->particle_radius);
  for_near(world, kernel.support, [&](std::int32_t i, std::int32_t j, double r2) {
    densities[std::size_t(i)] += kernel.volume * poly6(kernel, One(r2)).v;
    if (nearest && i != j) (*nearest)[std::size_t(i)] = std::min((*nearest)[std::size_t(i)], std::sqrt(r2));
  });
  for (std::size_t i = 0; i < densities.size(); ++i) {
    const bool fluid = world.topology->fluid.takes_part(std::int32_t(i)) && densities[i] > 0.0;
    densities[i] =
        fluid ? densities[i] + 1.0 - free_share(world, vec3(world.particles.position[i]), kernel.support)
              : 0.0;
  }
  return densities;
}

std::vector<double> fluid_pressures(const World& world) {
  std::vector<double> pressures(std::size_t(world.particles.count), 0.0);
  const FluidState& state = world.matter.fluid;
  const FluidMatter& fluid = world.topology->fluid;
  const double h = double(state.step);
  if (!(h > 0.0) || fluid.empty()) return pressures;
  const auto kernel = FluidKernel<double>::of_radius(world.settings.solver.contact->particle_radius);
  const FluidSettings& settings = *world.settings.solver.fluid;
  const double spread =
      kernel.spread(settings.s_corr_k, double(lightest(fluid, world.particles.inverse_mass)));
  const auto pressed = [&](std::int32_t i) {
    return fluid.takes_part(i) ? double(state.pressure[std::size_t(i)]) : 0.0;
  };
  for_near(world, kernel.support, [&](std::int32_t i, std::int32_t j, double r2) {
    const double near =
        std::pow(poly6(kernel, One(r2)).v * kernel.inverse_spread(settings.s_corr_dq), settings.s_corr_n);
    pressures[std::size_t(i)] += (pressed(i) + pressed(j) + (i == j ? 0.0 : spread * near)) *
                                 slope_along(kernel, One(r2)).v * r2 / (6.0 * h * h);
  });
  for (std::size_t i = 0; i < pressures.size(); ++i)
    if (pressures[i] != 0.0)
      pressures[i] =
          fluid.takes_part(std::int32_t(i))
              ? pressures[i] /
                    std::max(free_share(world, vec3(world.particles.position[i]), kernel.support), 0.25)
              : 0.0;
  return pressures;
}

void add_fluids(const World& world, Measures& m) {
  for (const FluidCount& count : world.matter.fluid.counts)
    m.emitted += count.emitted, m.drained += count.drained, m.lost += count.lost;
  for (std::size_t e = 0; e < world.matter.fluid.emissions.size(); ++e)
    if (const FluidEmission& emission = world.matter.fluid.emissions[e]; emission.blocked)
      m.waiting_mouths.push_back(
          {world.topology->object_source[std::size_t(world.topology->fluid.emitters[e].object)],
           emission.waited});
  std::vector<double> nearest;
  const std::vector<double> densities = fluid_densities(world, &nearest);
  const double diameter = 2.0 * world.settings.solver.contact->particle_radius;
  m.spray = std::int64_t(world.matter.fluid.spray.size());
  for (const std::int32_t i : world.topology->fluid.members) {
    if (!world.matter.fluid.present[std::size_t(i)]) continue;
    const double error = std::max(densities[std::size_t(i)] - 1.0, 0.0);
    ++m.fluid_particles;
    m.fluid_gap += std::min(nearest[std::size_t(i)] / diameter, 2.0);
    m.density_error.mean += error;
    m.density_error.max = std::max(m.density_error.max, error);
  }
  if (m.fluid_particles == 0) return;
  m.measured.fluids = true;
  m.density_error.mean /= double(m.fluid_particles);
  m.fluid_gap /= double(m.fluid_particles);
}

}  // namespace limber::inline LIMBER_PRECISION
