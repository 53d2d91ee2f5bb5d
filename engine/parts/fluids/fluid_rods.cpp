#include "engine/parts/fluids/fluid_rods.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/simd/lanes.hpp"
#include "engine/state/thin_rods.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr double pi = 3.14159265358979323846;
/// C_n without viscosity, its growth with Re^(-2/3), and C_t without viscosity.
constexpr double form_drag = 1.0, viscous_drag = 10.0, skin_drag = 0.02;
/// Share of W(0) in the denominator of phi.
constexpr double own_share = 0.125;
constexpr std::int32_t fewest_to_turn = 4;

/// Matrix of v x.
glm::dmat3 cross_matrix(const glm::dvec3& v) {
  return {{0.0, v.z, -v.y}, {-v.z, 0.0, v.x}, {v.y, -v.x, 0.0}};
}

/// W at the squared distance r2 (m^2), 1/m^3.
real weight_at(const FluidKernel<real>& kernel, real r2) { return poly6(kernel, Lanes<real, 1>(r2)).v; }

}  // namespace

bool FluidRods::enabled(const World& world) {
  const auto& runs = world.topology->rods.runs;
  return !world.topology->fluid.empty() && std::any_of(runs.begin(), runs.end(), [&](const RodRun& run) {
    return is_thin_rod(world, std::size_t(run.object));
  });
}

void FluidRods::reserve(const World& world) {
  const RodMatter& rods = world.topology->rods;
  if (rods.empty() || world.topology->fluid.empty()) return;
  points_.reserve(2 * rods.segments.size()), parcels_.reserve(points_.capacity());
  shares_.assign(std::size_t(world.particles.padded()), real(0));
}

void FluidRods::list_points(const World& world) {
  const RodMatter& rods = world.topology->rods;
  const auto& x = world.particles.position;
  points_.clear();
  for (const RodRun& run : rods.runs) {
    if (!is_thin_rod(world, std::size_t(run.object))) continue;
    const real diameter = 2 * real(world.settings.materials[std::size_t(run.object)].thickness);
    const auto add = [&](std::int32_t particle, const RodSegment* before, const RodSegment* after) {
      Point point{particle, 0, diameter, vec3(0)};
      for (const RodSegment* segment : {before, after}) {
        if (!segment) continue;
        point.length += segment->length / 2;
        point.along += vec3(x[std::size_t(segment->points[1])] - x[std::size_t(segment->points[0])]);
      }
      const real length = glm::length(point.along);
      point.along = length > real(0) ? point.along / length : vec3(0);
      points_.push_back(point);
    };
    const RodSegment* before = run.closed ? &rods.segments[std::size_t(run.end() - 1)] : nullptr;
    for (std::int32_t s = run.first; s < run.end(); ++s) {
      const RodSegment& segment = rods.segments[std::size_t(s)];
      add(segment.points[0], before, &segment);
      before = &segment;
    }
    if (!run.closed) add(before->points[1], before, nullptr);
  }
  parcels_.resize(points_.size());
}

void FluidRods::find(const World& world, const Fluid& fluid, std::size_t point,
                     std::vector<Near>& found) const {
  const std::int32_t own = points_[point].particle;
  const vec3 at(world.particles.position[std::size_t(own)]);
  const real reach = fluid.kernel.support + fluid.stray;
  fluid.grid->for_box(at - reach, at + reach, [&](std::int32_t j) {
    if (!world.topology->fluid.takes_part(j)) return;
    const vec4& other = world.particles.position[std::size_t(j)];
    const vec3 way = vec3(other) - at;
    const real share = fluid.kernel.volume * weight_at(fluid.kernel, glm::dot(way, way));
    if (!(share > real(0)) || !(other.w > real(0)) || !particles_touch(world, j, own)) return;
    found.push_back({j, share});
  });
}

/// phi of a fluid particle for one point.
double FluidRods::share_of(const Near& near, const FluidKernel<real>& kernel) const {
  const double own = own_share * double(kernel.volume * weight_at(kernel, 0));
  return double(near.share) / (own + double(shares_[std::size_t(near.fluid)]));
}

/// Computes the impulse on a point, N s, and the motion that the opposite impulse gives to its parcel.
glm::dvec3 FluidRods::push(const World& world, const Fluid& fluid, const Point& point, Parcel& parcel) const {
  const double h = double(fluid.h);
  const std::span<const Near> all(found_[std::size_t(parcel.list)].data() + parcel.first,
                                  std::size_t(parcel.end - parcel.first));
  const Particles& particles = world.particles;
  const glm::dvec3 at(particles.position[std::size_t(point.particle)]);
  double mass = 0.0, filled = 0.0, dense = 0.0, viscous = 0.0;
  glm::dvec3 centre(0.0), velocity(0.0), spin(0.0);
  const auto mass_of = [&](const Near& near) {
    return share_of(near, fluid.kernel) / double(particles.position[std::size_t(near.fluid)].w);
  };
  for (const Near& near : all) {
    const std::size_t j = std::size_t(near.fluid);
    const double m = mass_of(near);
    mass += m, centre += m * (glm::dvec3(particles.position[j]) - at);
    velocity += m * glm::dvec3(particles.velocity[j]);
    filled += double(near.share),
        dense += double(near.share / (particles.position[j].w * fluid.kernel.volume));
    viscous += double(near.share) * material_of(world, near.fluid).viscosity;
  }
  if (!(mass > 0.0)) return glm::dvec3(0.0);
  centre /= mass, velocity /= mass;
  const double density = dense / filled, viscosity = viscous / filled;
  const glm::dvec3 arm = -centre;
  parcel.centre = at + centre;
  glm::dmat3 inertia(0.0), inverse_inertia(0.0);
  if (parcel.end - parcel.first >= fewest_to_turn) {
    for (const Near& near : all) {
      const std::size_t j = std::size_t(near.fluid);
      const glm::dvec3 r = glm::dvec3(particles.position[j]) - parcel.centre;
      const double m = mass_of(near);
      inertia += m * (glm::dmat3(glm::dot(r, r)) - glm::outerProduct(r, r));
      spin += m * glm::cross(r, glm::dvec3(particles.velocity[j]));
    }
    inverse_inertia = glm::inverse(inertia);
    spin = inverse_inertia * spin;
  }
  const glm::dmat3 lever = cross_matrix(arm);
  const glm::dmat3 response =
      glm::dmat3(1.0 / mass + double(particles.position[std::size_t(point.particle)].w)) -
      lever * inverse_inertia * lever;  // lever^T = -lever
  const double share = std::min(filled, 1.0), diameter = double(point.diameter),
               length = double(point.length);
  const glm::dvec3 lift = -h * density * share * length * (pi / 4.0) * diameter * diameter *
                          world.settings.solver.motion->gravity;
  const glm::dvec3 u = glm::dvec3(particles.velocity[std::size_t(point.particle)]) - velocity -
                       glm::cross(spin, arm) + response * lift;
  const glm::dvec3 t(point.along), across = u - glm::dot(u, t) * t;
  const double speed = glm::length(u), speed_across = glm::length(across);
  double friction = 0.0;
  if (viscosity > 0.0 && speed_across > 0.0) {
    const double root = std::cbrt(viscosity / (density * diameter * speed_across));
    friction = viscous_drag * root * root;
  }
  const double scale = h * density * share * length * diameter / 2.0 * speed;
  const double normal = scale * (form_drag + friction), tangent = scale * (skin_drag + friction / 2.0);
  const glm::dmat3 K = glm::dmat3(normal) + (tangent - normal) * glm::outerProduct(t, t);
  const glm::dvec3 impulse = lift - K * (glm::inverse(glm::dmat3(1.0) + response * K) * u);
  parcel.velocity = -impulse / mass, parcel.spin = inverse_inertia * glm::cross(arm, -impulse);
  return impulse;
}

/// Moves every fluid particle by its share in the motion of the parcels that it belongs to. Serial, in the
/// order of the points.
void FluidRods::move_fluid(World& world, const FluidKernel<real>& kernel, TouchedParts* touched) {
  for (const Parcel& parcel : parcels_)
    for (std::int32_t k = parcel.first; k < parcel.end; ++k) {
      const Near& near = found_[std::size_t(parcel.list)][std::size_t(k)];
      const std::size_t j = std::size_t(near.fluid);
      const glm::dvec3 r = glm::dvec3(world.particles.position[j]) - parcel.centre;
      const glm::dvec3 gained = share_of(near, kernel) * (parcel.velocity + glm::cross(parcel.spin, r));
      world.particles.velocity[j] += vec4(vec3(gained), real(0));
      if (touched) touched->touch_particle(near.fluid);
    }
}

void FluidRods::act(World& world, const Fluid& fluid, TouchedParts* touched, Team& team) {
  if (team.rank() == 0) list_per_thread(found_, team), list_points(world);
  team.barrier();
  std::vector<Near>& own = found_[std::size_t(team.rank())];
  own.clear();
  const Share mine = team.share(std::int64_t(points_.size()));
  for (std::int64_t p = mine.begin; p < mine.end; ++p) {
    Parcel& parcel = parcels_[std::size_t(p)] = {};
    parcel.list = team.rank(), parcel.first = std::int32_t(own.size());
    find(world, fluid, std::size_t(p), own);
    parcel.end = std::int32_t(own.size());
  }
  team.barrier();
  if (team.rank() == 0) {
    for (const auto& list : found_)
      for (const Near& near : list) shares_[std::size_t(near.fluid)] = 0;
    for (const Parcel& parcel : parcels_)
      for (std::int32_t k = parcel.first; k < parcel.end; ++k) {
        const Near& near = found_[std::size_t(parcel.list)][std::size_t(k)];
        shares_[std::size_t(near.fluid)] += near.share;
      }
  }
  team.barrier();
  for (std::int64_t p = mine.begin; p < mine.end; ++p) {
    const Point& point = points_[std::size_t(p)];
    const glm::dvec3 impulse = push(world, fluid, point, parcels_[std::size_t(p)]);
    if (impulse == glm::dvec3(0.0)) continue;
    const std::size_t i = std::size_t(point.particle);
    const double w = double(world.particles.position[i].w);
    world.particles.velocity[i] += vec4(vec3(w * impulse), real(0));
    if (touched) touched->touch_particle(point.particle);
  }
  team.barrier();
  if (team.rank() == 0) move_fluid(world, fluid.kernel, touched);
}

}}  // namespace limber::LIMBER_PRECISION
