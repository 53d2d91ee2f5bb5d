#include "engine/parts/fluids/spray.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "engine/contact/colliders/collider_surface.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/parallel/random.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Phi rises from 0 to 1 between these values: m/s of trapped air, and m^2/s^2 of kinetic energy per mass.
constexpr real least_air = real(4), most_air = real(20);
constexpr real least_energy = real(0.3), most_energy = real(3);
/// With fewer neighbours than the first number a particle is spray, with more than the second it is a bubble.
constexpr int foam_neighbours = 6, bubble_neighbours = 20;
/// Acceleration of a rising bubble in units of gravity, and share of the difference to the fluid's velocity
/// that a bubble loses in a frame.
constexpr real buoyancy = real(2), drag = real(0.5);
constexpr real least_life = real(0.5), most_life = real(2.5);  ///< s

real phi(real value, real least, real most) {
  return (std::clamp(value, least, most) - least) / (most - least);
}

/// sum |v_ij| (1 - cos) (1 - r / H) over the neighbours of sorted particle k.
real trapped_air(const World& world, const NeighbourLists& lists, std::int64_t k, real support) {
  const NeighbourSlices near = lists.view();
  const std::int64_t slice = k / lane_group;
  const std::size_t own = std::size_t(lists.particle(k));
  const vec3 x(world.particles.position[own]), v(world.particles.velocity[own]);
  real sum = 0;
  for (std::int32_t c = 0; c < near.columns[slice]; ++c) {
    const std::int32_t j = near.column(slice, c)[k % lane_group];
    if (j == lists.nobody()) break;
    if (j == k) continue;
    const std::size_t other = std::size_t(lists.particle(j));
    const vec3 u = x - vec3(world.particles.position[other]), w = v - vec3(world.particles.velocity[other]);
    const real r2 = glm::dot(u, u), speed2 = glm::dot(w, w);
    if (!(r2 > real(0)) || !(r2 < support * support) || !(speed2 > real(0))) continue;
    const real r = std::sqrt(r2), speed = std::sqrt(speed2);
    sum += (speed - glm::dot(w, u) / r) * (1 - r / support);
  }
  return sum;
}

vec3 random_offset(std::uint64_t seed, std::uint64_t number) {
  return vec3(real(random_signed(seed, 3 * number)), real(random_signed(seed, 3 * number + 1)),
              real(random_signed(seed, 3 * number + 2)));
}

}  // namespace

bool Spray::enabled(const World& world) {
  const auto& materials = world.settings.materials;
  return !world.topology->fluid.empty() &&
         (!world.matter.fluid.spray.empty() ||
          std::any_of(materials.begin(), materials.end(), [](const Material& m) { return m.spray > 0.0; }));
}

/// Sorts the bodies' shapes along x, so that a point is tested only against shapes within the largest reach.
void Spray::place_bodies(const World& world) {
  const Bodies& bodies = world.bodies;
  obstacles_.clear();
  most_reach_ = 0;
  for (const PlacedShape& part : bodies.parts->shapes) {
    const std::size_t i = std::size_t(part.body);
    most_reach_ = std::max(most_reach_, part.reach);
    obstacles_.push_back({&part.shape, placed(part, bodies), vec3(bodies.position[i]),
                          vec3(bodies.velocity[i]), angular_velocity(bodies, i), part.reach});
  }
  // At equal x they are sorted by address of the shape; a stable sort would allocate.
  std::sort(obstacles_.begin(), obstacles_.end(), [](const Obstacle& a, const Obstacle& b) {
    return a.center.x != b.center.x ? a.center.x < b.center.x : a.shape < b.shape;
  });
}

/// Moves a point out of the bodies; a point that was inside one gets at least the body's normal velocity
/// there.
void Spray::keep_out(SprayPoint& point) const {
  auto next = std::lower_bound(obstacles_.begin(), obstacles_.end(), point.position.x - most_reach_,
                               [](const Obstacle& a, real x) { return a.center.x < x; });
  for (; next != obstacles_.end() && next->center.x <= point.position.x + most_reach_; ++next) {
    const vec3 away = point.position - next->center;
    if (!(glm::dot(away, away) < next->reach * next->reach)) continue;
    const SurfaceDistance<real> surface = surface_distance(*next->shape, next->place, point.position);
    if (!(surface.d < real(0))) continue;
    point.position -= surface.d * surface.n;
    const vec3 carried = next->velocity + glm::cross(next->spin, point.position - next->center);
    const real closing = glm::dot(point.velocity - carried, surface.n);
    point.velocity -= std::min(closing, real(0)) * surface.n;
  }
}

void Spray::count_born(const World& world, const NeighbourLists& lists, real dt, Team& team) {
  const real support = real(fluid_support_radii * world.settings.solver.contact->particle_radius);
  const Share mine = team.share(lists.count());
  for (std::int64_t k = mine.begin; k < mine.end; ++k) {
    std::int32_t& born = born_[std::size_t(k)] = 0;
    const std::int32_t i = lists.particle(k);
    const real rate = real(material_of(world, i).spray);
    if (!(rate > real(0)) || !world.topology->fluid.takes_part(i)) continue;
    const vec3 v(world.particles.velocity[std::size_t(i)]);
    const real fast = phi(real(0.5) * glm::dot(v, v), least_energy, most_energy);
    if (!(fast > real(0))) continue;
    const real number = rate * dt * fast * phi(trapped_air(world, lists, k, support), least_air, most_air);
    const double chance =
        0.5 + 0.5 * random_signed(std::uint64_t(world.frame) * 2654435761u, std::uint64_t(i));
    born = std::int32_t(std::min(number + real(chance), real(most_born)));
  }
}

void Spray::bear(World& world, const NeighbourLists& lists) {
  FluidState& state = world.matter.fluid;
  const real radius = real(world.settings.solver.contact->particle_radius);
  for (std::int64_t k = 0; k < lists.count(); ++k)
    for (std::int32_t n = 0; n < born_[std::size_t(k)]; ++n) {
      if (state.spray.size() >= most_spray) return;
      const std::size_t i = std::size_t(lists.particle(k));
      const std::uint64_t number = std::uint64_t(state.spray_born++);
      const vec3 v(world.particles.velocity[i]), aside = random_offset(11, number);
      const real age = real(0.5 + 0.5 * random_signed(12, number));
      state.spray.push_back({vec3(world.particles.position[i]) + radius * aside,
                             v + real(0.15) * std::sqrt(glm::dot(v, v)) * aside,
                             least_life + age * (most_life - least_life)});
      keep_out(state.spray.back());
    }
}

void Spray::move(const World& world, const NeighbourLists& lists, SprayPoint& point, real dt) const {
  const real radius = real(world.settings.solver.contact->particle_radius), reach = 2 * radius;
  vec3 carried(0);
  int near = 0;
  real weights = 0;
  lists.search().for_box(point.position - vec3(reach), point.position + vec3(reach), [&](std::int32_t i) {
    if (!world.topology->fluid.takes_part(i)) return;
    const vec3 u = point.position - vec3(world.particles.position[std::size_t(i)]);
    const real r2 = glm::dot(u, u), support = fluid_support_radii * radius;
    if (!(r2 < support * support)) return;
    const real w = 1 - r2 / (support * support);
    ++near;
    weights += w;
    carried += w * vec3(world.particles.velocity[std::size_t(i)]);
  });
  const vec3 gravity(world.settings.solver.motion->gravity);
  if (near >= foam_neighbours) carried /= weights;
  if (near < foam_neighbours)
    point.velocity += dt * gravity;
  else if (near <= bubble_neighbours)
    point.velocity = carried;
  else
    point.velocity += drag * (carried - point.velocity) - buoyancy * dt * gravity;
  point.position += dt * point.velocity;
  point.life -= dt;
  keep_out(point);
  for (const Collider& collider : world.colliders)
    if (closest(collider, point.position).distance < real(0)) point.life = 0;
}

void Spray::advance(World& world, const NeighbourLists& lists, real dt, Team& team) {
  std::vector<SprayPoint>& points = world.matter.fluid.spray;
  if (team.rank() == 0) {
    place_bodies(world);
    if (points.capacity() < most_spray) points.reserve(most_spray);
    if (born_.size() < std::size_t(lists.count())) born_.resize(std::size_t(lists.count()));
  }
  team.barrier();
  const Share mine = team.share(std::int64_t(points.size()));
  for (std::int64_t p = mine.begin; p < mine.end; ++p) move(world, lists, points[std::size_t(p)], dt);
  count_born(world, lists, dt, team);
  team.barrier();
  if (team.rank() == 0) {
    std::erase_if(points, [](const SprayPoint& point) {
      const vec3 &x = point.position, &v = point.velocity;
      const bool finite = std::isfinite(glm::dot(x, x)) && std::isfinite(glm::dot(v, v));
      return !(point.life > real(0)) || !finite;
    });
    bear(world, lists);
  }
}

}}  // namespace limber::LIMBER_PRECISION
