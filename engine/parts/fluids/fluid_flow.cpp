#include "engine/parts/fluids/fluid_flow.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include "engine/constraints/density.hpp"
#include "engine/contact/colliders/collider_surface.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/geometry/convex/convex_shape.hpp"
#include "engine/parallel/random.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Largest number of layers emitted per frame; further layers would overlap.
constexpr int most_layers = 64;

/// Two unit vectors across `axis`.
std::array<glm::dvec3, 2> across(const glm::dvec3& axis) {
  const glm::dvec3 other = std::abs(axis.y) < 0.9 ? glm::dvec3(0, 1, 0) : glm::dvec3(1, 0, 0);
  const glm::dvec3 u = glm::normalize(glm::cross(other, axis));
  return {u, glm::cross(axis, u)};
}

void bring_in(World& world, std::int32_t particle, const glm::dvec3& x, const glm::dvec3& v) {
  const std::size_t i = std::size_t(particle);
  put_particle(world.particles, i, vec4(vec3(x), world.particles.inverse_mass[i]));
  world.particles.velocity[i] = vec4(vec3(v), real(0));
  world.matter.fluid.pressure[i] = 0;
  world.matter.fluid.present[i] = 1;
}

/// Emits layer number `layer` of an emitter, or the part of it for which particles are left.
void emit_layer(World& world, std::size_t emitter, std::int64_t layer, const glm::dvec3& middle) {
  const FluidEmitter& from = world.topology->fluid.emitters[emitter];
  std::int64_t& next = world.matter.fluid.emissions[emitter].particles;
  const auto [u, v] = across(glm::normalize(from.velocity));
  for (std::size_t k = 0; k < from.places.size() && next < from.count; ++k) {
    const std::uint64_t number = std::uint64_t(layer) * 1000003u + std::uint64_t(k);
    if (from.share < 1.0 && 0.5 + 0.5 * random_signed(from.seed, number) > from.share) continue;
    bring_in(world, from.first + std::int32_t(next++), middle + from.places[k].x * u + from.places[k].y * v,
             from.velocity);
    ++world.matter.fluid.counts[std::size_t(from.object)].emitted;
  }
}

/// m, distance between layers: volume of a layer's particles divided by the area of the opening.
double layer_distance(const FluidEmitter& from, double spacing) {
  return double(from.places.size()) * spacing * spacing * spacing /
         (glm::pi<double>() * from.radius * from.radius);
}

/// Mean ratio of density and rest density of at most a hundred fluid particles within a support of the
/// opening; 0 if there are none.
double density_about(const World& world, const FluidEmitter& from, std::vector<std::int32_t>& near) {
  constexpr std::size_t most_samples = 100;
  const auto kernel = FluidKernel<double>::of_radius(world.settings.solver.contact->particle_radius);
  const glm::dvec3 axis = glm::normalize(from.velocity);
  const auto is_near = [&](const glm::dvec3& x, double within) {
    const double along = glm::dot(x - from.place, axis);
    return std::abs(along) < within && glm::length(x - from.place - along * axis) < from.radius + within;
  };
  const auto at = [&](std::int32_t i) { return glm::dvec3(world.particles.position[std::size_t(i)]); };
  near.clear();
  const auto add = [&](std::int32_t i) {
    if (is_near(at(i), 2.0 * kernel.support)) near.push_back(i);
  };
  for (const std::int32_t i : world.topology->fluid.members)
    if (world.matter.fluid.present[std::size_t(i)]) add(i);
  const std::size_t fluids = near.size(), stride = fluids / most_samples + 1;
  for (const std::int32_t i : world.topology->matter.members) add(i);
  double sum = 0.0;
  int count = 0;
  for (std::size_t k = 0; k < fluids; k += stride) {
    const glm::dvec3 x = at(near[k]);
    if (!is_near(x, kernel.support)) continue;
    double density = 0.0, free = 1.0;
    for (const std::int32_t j : near) {
      const glm::dvec3 way = x - at(j);
      density += kernel.volume * poly6(kernel, Lanes<double, 1>(glm::dot(way, way))).v;
    }
    for (const Collider& collider : world.colliders)
      free *= 1.0 - share_behind_plane(kernel.support, double(closest(collider, vec3(x)).distance));
    sum += density + 1.0 - free;
    ++count;
  }
  return count > 0 ? sum / count : 0.0;
}

}  // namespace

void park_fluid(World& world, std::int32_t particle) {
  const std::size_t i = std::size_t(particle);
  const vec3 place = world.topology->fluid.waiting[std::size_t(world.particles.object[i])];
  put_particle(world.particles, i, vec4(place, real(0)));
  world.particles.velocity[i] = vec4(0);
  world.matter.fluid.pressure[i] = 0;
  world.matter.fluid.present[i] = 0;
}

void emit_fluids(World& world, double time, double dt, std::vector<std::int32_t>& near) {
  const FluidMatter& fluid = world.topology->fluid;
  const double spacing = 2.0 * world.settings.solver.contact->particle_radius;
  for (std::size_t e = 0; e < fluid.emitters.size(); ++e) {
    const FluidEmitter& from = fluid.emitters[e];
    FluidEmission& emission = world.matter.fluid.emissions[e];
    emission.blocked = false;
    const double speed = glm::length(from.velocity), period = layer_distance(from, spacing) / speed;
    const double since = time - from.start - emission.waited,
                 until = std::min(since + dt, from.seconds - emission.waited);
    if (!(until > 0.0) || !(since < until) || !(speed > 0.0) || emission.particles >= from.count) continue;
    if (density_about(world, from, near) > blocked_density) {
      emission.blocked = true;
      emission.waited += dt;
      continue;
    }
    // Layer k passes the opening k periods after the start. Layers are counted, so that rounding emits none
    // twice.
    for (int n = 0; n < most_layers && double(emission.layers) * period < until; ++n, ++emission.layers)
      emit_layer(world, e, emission.layers,
                 from.place + (since - double(emission.layers) * period) * from.velocity);
  }
}

void drain_fluids(World& world) {
  const FluidMatter& fluid = world.topology->fluid;
  const real radius = real(world.settings.solver.contact->particle_radius), size = real(fluid_world_size);
  for (const std::int32_t i : fluid.members) {
    if (!world.matter.fluid.present[std::size_t(i)]) {
      park_fluid(world, i);  // a step also moves particles without mass
      continue;
    }
    const vec3 x(world.particles.position[std::size_t(i)]);
    FluidCount& count = world.matter.fluid.counts[std::size_t(world.particles.object[std::size_t(i)])];
    const bool inside = std::abs(x.x) < size && std::abs(x.z) < size && x.y < size && x.y > real(fluid_depth);
    bool drained = false;
    for (std::size_t c = 0; c < world.colliders.size(); ++c)
      drained |= world.colliders[c].drains && particle_touches_collider(world, i, c) &&
                 closest(world.colliders[c], x).distance < real(1.1) * radius;
    if (inside && !drained) continue;
    if (is_in_hand(world, i)) continue;
    ++(drained ? count.drained : count.lost);
    park_fluid(world, i);
  }
}

void clear_fluids(World& world) {
  const real radius = real(world.settings.solver.contact->particle_radius), inside = real(0.5) * radius;
  const auto displaced = [&](std::int32_t i) {
    const vec3 x(world.particles.position[std::size_t(i)]);
    for (std::size_t c = 0; c < world.colliders.size(); ++c)
      if (particle_touches_collider(world, i, c) && closest(world.colliders[c], x).distance < inside)
        return true;
    for (const PlacedShape& shape : world.bodies.parts->shapes) {
      if (!particle_touches_body(world, i, shape.body)) continue;
      const vec3 center(world.bodies.position[std::size_t(shape.body)]);
      if (glm::distance(x, center) > shape.reach + radius) continue;
      if (surface_distance(shape.shape, placed(shape, world.bodies), x).d < inside) return true;
    }
    return false;
  };
  for (const std::int32_t i : world.topology->fluid.members)
    if (world.matter.fluid.present[std::size_t(i)] && displaced(i)) park_fluid(world, i);
}

}}  // namespace limber::LIMBER_PRECISION
