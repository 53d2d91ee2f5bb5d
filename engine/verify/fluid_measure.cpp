#include "engine/verify/fluid_measure.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>

#include "engine/constraints/density.hpp"
#include "engine/contact/colliders/collider_surface.hpp"
#include "engine/contact/sheet_share.hpp"
#include "engine/contact/solid_share.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/fluid.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/surface_tension.hpp"
#include "engine/geometry/convex/convex_shape.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

struct Sample {
  std::int64_t x, y, z;  ///< cell
  std::int32_t particle;
  bool operator<(const Sample& other) const {
    return std::tie(x, y, z, particle) < std::tie(other.x, other.y, other.z, other.particle);
  }
};

/// Particles of fluids, grains and clusters, sorted by cells as wide as the support.
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

/// Share of a particle's support that colliders and bodies leave free.
double free_share(const World& world, std::int32_t i, double support) {
  const vec3 x(world.particles.position[std::size_t(i)]);
  double free = 1.0;
  for (std::size_t c = 0; c < world.colliders.size(); ++c)
    if (particle_touches_collider(world, i, c))
      free *= 1.0 - share_behind_plane(support, double(closest(world.colliders[c], x).distance));
  for (const PlacedShape& shape : world.bodies.parts->shapes) {
    if (!particle_touches_body(world, i, shape.body)) continue;
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

/// Calls act(particle, other, squared distance) for all pairs within the support, in both orders.
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
          if (!particles_touch(world, own.particle, s->particle)) continue;
          const glm::dvec3 u = at(own) - at(*s);
          act(own.particle, s->particle, glm::dot(u, u));
        }
      }
}

using One = Lanes<double, 1>;

/// Sheets of triangles near fluid particles, and the share of the half spaces behind them that fluid fills.
class NearSheets {
 public:
  NearSheets(const World& world, double support) : world_(world), support_(support) {
    const std::size_t count = std::size_t(world.particles.count);
    walls_.resize(count);
    if (world.topology->triangles.empty()) return;
    std::vector<std::vector<SheetView>> seen(count);
    const std::vector<Sample> samples = sorted_samples(world, support);
    for (std::size_t t = 0; t < world.topology->triangles.size(); ++t) see(t, samples, seen);
    for (std::size_t i = 0; i < count; ++i) {
      const SheetWalls walls(seen[i]);
      for (const SheetView& view : walls.all()) {
        const double t = thickness(std::size_t(view.triangle));
        const vec3 at(world.particles.position[i]);
        walls_[i].push_back({view.normal, at - (view.distance - real(t)) * view.normal,
                             share_behind_plane(support, double(view.distance) - t), 0.0});
      }
    }
  }

  /// Counts particle j, which has that share in the density of i, if it is behind a sheet of i.
  void add(std::int32_t i, std::int32_t j, double share) {
    const vec3 x(world_.particles.position[std::size_t(j)]);
    for (Wall& wall : walls_[std::size_t(i)])
      if (glm::dot(wall.normal, x - wall.foot) < real(0)) wall.behind += share;
  }

  /// Share of the support of i that its sheets leave free; fluid on their other side counts as fluid.
  double free(std::size_t i) const {
    double free = 1.0;
    for (const Wall& wall : walls_[i]) free *= 1.0 - std::max(wall.share - wall.behind, 0.0);
    return free;
  }

 private:
  struct Wall {
    vec3 normal, foot;
    double share, behind;
  };

  double thickness(std::size_t triangle) const {
    return material_of(world_, world_.topology->triangles[triangle][0]).thickness;
  }

  void see(std::size_t t, const std::vector<Sample>& samples, std::vector<std::vector<SheetView>>& seen) {
    const double reach = support_ + thickness(t);
    vec3 x[3];
    for (std::size_t j = 0; j < 3; ++j)
      x[j] = vec3(world_.particles.position[std::size_t(world_.topology->triangles[t][j])]);
    const glm::dvec3 low(glm::min(x[0], glm::min(x[1], x[2]))), high(glm::max(x[0], glm::max(x[1], x[2])));
    const glm::dvec3 from = glm::floor((low - reach) / support_), to = glm::floor((high + reach) / support_);
    const auto look = [&](const Sample& sample) {
      if (!world_.topology->fluid.takes_part(sample.particle)) return;
      const vec3 at(world_.particles.position[std::size_t(sample.particle)]);
      const SheetView view = view_of_triangle(std::int32_t(t), at, x);
      if (double(view.distance) < reach) seen[std::size_t(sample.particle)].push_back(view);
    };
    const double cells = (to.x - from.x + 1.0) * (to.y - from.y + 1.0);
    if (!(cells <= double(samples.size()))) {  // far away, or not a number
      std::for_each(samples.begin(), samples.end(), look);
      return;
    }
    for (double cx = from.x; cx <= to.x; ++cx)
      for (double cy = from.y; cy <= to.y; ++cy) {
        const Sample first{std::int64_t(cx), std::int64_t(cy), std::int64_t(from.z), 0};
        for (auto s = std::lower_bound(samples.begin(), samples.end(), first);
             s != samples.end() && s->x == first.x && s->y == first.y && s->z <= std::int64_t(to.z); ++s)
          look(*s);
      }
  }

  const World& world_;
  double support_;
  std::vector<std::vector<Wall>> walls_;  ///< per particle
};

/// Adds the virial of cohesion and curvature forces (pull_together()), which is negative inside a drop.
void add_cohesion(const World& world, const FluidKernel<double>& kernel, std::vector<double>& pressures) {
  const std::vector<double> density = fluid_densities(world);
  std::vector<glm::dvec3> slope(pressures.size(), glm::dvec3(0.0));
  const auto way = [&](std::int32_t i, std::int32_t j) {
    return glm::dvec3(world.particles.position[std::size_t(i)]) -
           glm::dvec3(world.particles.position[std::size_t(j)]);
  };
  for_near(world, kernel.support, [&](std::int32_t i, std::int32_t j, double r2) {
    if (i == j || !(r2 < kernel.support * kernel.support)) return;
    slope[std::size_t(i)] -= (kernel.support * kernel.volume * slope_along(kernel, One(r2)).v) * way(i, j);
  });
  const auto mass = [&](std::int32_t i) {
    const double w = double(world.particles.position[std::size_t(i)].w);
    return w > 0.0 ? 1.0 / w : 0.0;
  };
  const double flatten = curvature_share / (kernel.support * kernel.support);
  for_near(world, kernel.support, [&](std::int32_t i, std::int32_t j, double r2) {
    const double sigma = forces_per_tension * std::min(material_of(world, i).surface_tension,
                                                       material_of(world, j).surface_tension);
    if (i == j || !(r2 < kernel.support * kernel.support) || !(sigma > 0.0)) return;
    const double own = mass(i), other = mass(j), r = std::sqrt(r2),
                 weight = std::max(density[std::size_t(i)], 0.1) * own +
                          std::max(density[std::size_t(j)], 0.1) * other,
                 thin = std::min(2.0 * (own + other) / std::max(weight, 1e-20), 4.0),
                 attract = kernel.support * cohesion_share * cohesion(kernel, One(r)).v * r,
                 turn = flatten * glm::dot(slope[std::size_t(i)] - slope[std::size_t(j)], way(i, j));
    pressures[std::size_t(i)] -= sigma * thin * (attract + turn) / 6.0;
  });
}

}  // namespace

std::vector<double> fluid_densities(const World& world, std::vector<double>* nearest) {
  std::vector<double> densities(std::size_t(world.particles.count), 0.0);
  if (nearest) nearest->assign(densities.size(), std::numeric_limits<double>::infinity());
  const auto kernel = FluidKernel<double>::of_radius(world.settings.solver.contact->particle_radius);
  NearSheets sheets(world, kernel.support);
  for_near(world, kernel.support, [&](std::int32_t i, std::int32_t j, double r2) {
    const double share = kernel.volume * poly6(kernel, One(r2)).v;
    densities[std::size_t(i)] += share;
    if (i != j && share > 0.0) sheets.add(i, j, share);
    if (nearest && i != j) (*nearest)[std::size_t(i)] = std::min((*nearest)[std::size_t(i)], std::sqrt(r2));
  });
  for (std::size_t i = 0; i < densities.size(); ++i) {
    const bool fluid = world.topology->fluid.takes_part(std::int32_t(i)) && densities[i] > 0.0;
    densities[i] =
        fluid ? densities[i] + 1.0 - free_share(world, std::int32_t(i), kernel.support) * sheets.free(i)
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
  NearSheets sheets(world, kernel.support);
  for_near(world, kernel.support, [&](std::int32_t i, std::int32_t j, double r2) {
    if (i != j) sheets.add(i, j, kernel.volume * poly6(kernel, One(r2)).v);
    const double near =
        std::pow(poly6(kernel, One(r2)).v * kernel.inverse_spread(settings.s_corr_dq), settings.s_corr_n);
    pressures[std::size_t(i)] += (pressed(i) + pressed(j) + (i == j ? 0.0 : spread * near)) *
                                 slope_along(kernel, One(r2)).v * r2 / (6.0 * h * h);
  });
  if (std::any_of(world.settings.materials.begin(), world.settings.materials.end(),
                  [](const Material& material) { return material.surface_tension > 0.0; }))
    add_cohesion(world, kernel, pressures);
  for (std::size_t i = 0; i < pressures.size(); ++i)
    if (pressures[i] != 0.0)
      pressures[i] =
          fluid.takes_part(std::int32_t(i))
              ? pressures[i] /
                    std::max(free_share(world, std::int32_t(i), kernel.support) * sheets.free(i), 0.25)
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

}}  // namespace limber::LIMBER_PRECISION
