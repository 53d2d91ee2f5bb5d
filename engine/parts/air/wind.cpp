#include "engine/parts/air/wind.hpp"

#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/wind.hpp"
#include "engine/core/trigonometry.hpp"
#include "engine/parts/tearing/tearing.hpp"
#include "engine/state/body_shapes.hpp"
#include "engine/state/sleep.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr std::int64_t blown_body_block = 4;
static_assert(body_block % blown_body_block == 0, "a block's sum is one thread's");
constexpr real quarter_pi = real(0.78539816339744830962);

/// kg, the smallest share of mass that a free corner has for each triangle (or segment) that uses it; 0: no
/// corner is free.
real least_share(std::span<const real> inverse_masses, std::span<const std::int32_t> users) {
  real least = 0;
  for (std::size_t k = 0; k < inverse_masses.size(); ++k) {
    if (inverse_masses[k] == real(0)) continue;
    const real share = 1 / (inverse_masses[k] * real(std::max(users[k], 1)));
    if (least == real(0) || share < least) least = share;
  }
  return least;
}

/// A plate on a body, or a round shape, which has no normal.
struct BodySpot {
  vec3 place, normal;  ///< in the world, from the centre of mass
  real area;           ///< m^2
};

/// Middle and half extents of a shape's box along its own axes.
void box_of(const ConvexShape& shape, vec3& middle, vec3& half) {
  for (int k = 0; k < 3; ++k) {
    vec3 axis(0);
    axis[k] = 1;
    const real high = support(shape, axis)[k], low = support(shape, -axis)[k];
    middle[k] = (high + low) / 2;
    half[k] = (high - low) / 2;
  }
}

/// Share of a face of the box across axis k that counts as a plate: the law of plates summed over the
/// windward half of a cylinder's side gives two thirds of that of a plate of the same width.
real fullness(ConvexKind kind, int k) {
  const bool round = kind == ConvexKind::cylinder || kind == ConvexKind::capsule;
  if (!round) return kind == ConvexKind::hull ? real(0.7) : real(1);
  return k == 1 ? (kind == ConvexKind::capsule ? quarter_pi / 2 : quarter_pi) : real(2) / 3;
}

/// Calls visit(spot) for every plate of the body. A ball is one spot without a normal and with half of its
/// cross-section, which is the sum of the law of plates over its windward half.
template <class Visit>
void for_spots(std::span<const PlacedShape> shapes, const mat3& turn, const Visit& visit) {
  for (const PlacedShape& part : shapes) {
    if (part.airfoil) continue;
    const Placed at = placed(part, vec3(0), turn);
    if (part.shape.kind == ConvexKind::sphere) {
      const real r = part.shape.size.x;
      visit(BodySpot{at.position, vec3(0), 2 * quarter_pi * r * r});
      continue;
    }
    vec3 middle, half;
    box_of(part.shape, middle, half);
    constexpr int cells = 4;  // per side of a face, for velocities that vary over it
    for (int k = 0; k < 3; ++k) {
      const int a = (k + 1) % 3, b = (k + 2) % 3;
      const real area = 4 * half[a] * half[b] * fullness(part.shape.kind, k) / (cells * cells);
      for (const int side : {-1, 1})
        for (int i = 0; i < cells; ++i)
          for (int j = 0; j < cells; ++j) {
            vec3 own = middle, n(0);
            own[k] += real(side) * half[k];
            own[a] += half[a] * (real(2 * i + 1) / cells - 1);
            own[b] += half[b] * (real(2 * j + 1) / cells - 1);
            n[k] = real(side);
            visit(BodySpot{at.position + at.rotation * own, at.rotation * n, area});
          }
    }
  }
}

}  // namespace

bool Wind::enabled(const World& world) {
  return world.settings.wind->enabled || !world.settings.wind->forces.empty();
}

void Wind::reserve(const World& world) {
  const std::size_t triangles = world.topology->triangles.size(),
                    segments = world.topology->rods.segments.size();
  const std::size_t padded = (triangles + plate_block - 1) / plate_block * plate_block;
  for (AlignedVector<vec4>* list : {&thirds_, &motion_}) list->assign(padded, vec4(0));
  for (AlignedVector<real>* list : {&masses_, &closed_}) list->assign(padded, real(0));
  for (AlignedVector<std::int32_t>& corners : corners_)
    corners.assign(padded, std::int32_t(world.particles.count));
  segments_.assign(segments, vec4(0));
  fields_.reserve(*world.settings.wind);
  air_.assign(world.settings.wind->fields.empty() ? 0 : padded + segments, vec4(0));
  first_rod_load_ = padded / plate_block;
  first_body_load_ = first_rod_load_ + world.topology->rods.runs.size();
  reserve_bodies(world);
}

void Wind::reserve_bodies(const World& world) {
  const std::size_t blocks = (std::size_t(world.bodies.count()) + blown_body_block - 1) / blown_body_block;
  loads_.assign(first_body_load_ + blocks, AirLoad());
}

/// Reads corners, masses and sides of triangles; tears change them within a frame.
void Wind::weigh_triangles(const World& world, std::int64_t begin, std::int64_t end) {
  const Topology& topology = *world.topology;
  const auto& x = world.particles.position;
  for (std::int64_t t = begin; t < end; ++t) {
    const std::size_t own = std::size_t(t);
    const auto& corners = topology.triangles[own];
    std::array<real, 3> weights;
    std::array<std::int32_t, 3> users;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t corner = std::size_t(corners[k]);
      corners_[k][own] = corners[k];
      weights[k] = x[corner].w;
      users[k] = topology.corner_count[corner];
    }
    masses_[own] = 3 * least_share(weights, users);
    const std::size_t object = std::size_t(world.particles.object[std::size_t(corners[0])]);
    closed_[own] = topology.enclosures[object].volume > 0 ? real(1) : real(0);
  }
}

/// Buoyancy of closed skins with a gas inside.
void Wind::fill_skins(const World& world, const When& when, std::int64_t begin, std::int64_t end) {
  const WindSettings& wind = *world.settings.wind;
  const Topology& topology = *world.topology;
  const vec3 gravity(world.settings.solver.motion->gravity);
  for (std::int64_t t = begin; t < end; ++t) {
    const std::size_t own = std::size_t(t);
    const auto [a, b, c] = topology.triangles[own];
    const std::size_t object = std::size_t(world.particles.object[std::size_t(a)]);
    if (masses_[own] == real(0) || object >= wind.gas.size() || !(wind.gas[object] >= 0.0)) continue;
    const auto x = [&](std::int32_t particle) {
      return vec3(world.particles.position[std::size_t(particle)]);
    };
    const vec3 area = real(0.5) * glm::cross(x(b) - x(a), x(c) - x(a));
    const vec3 from = (x(a) + x(b) + x(c)) / real(3) - x(topology.objects[object].first);
    const real lighter = real(wind.air_density - wind.gas[object]);
    thirds_[own] -= vec4(when.h * lighter * glm::dot(gravity, from) / real(3) * area, real(0));
  }
}

void Wind::blow_triangles(const World& world, const vec3& air, const When& when, Team& team) {
  const auto [time, h, fresh, last] = when;
  const WindSettings& wind = *world.settings.wind;
  const Topology& topology = *world.topology;
  const std::int64_t triangles = std::int64_t(topology.triangles.size());
  const Share mine = team.share(triangles, plate_block);
  if (mine.begin == mine.end) return;
  const bool varies = !air_.empty() && !wind.fields.empty();
  if (fresh || Tearing::enabled(world)) weigh_triangles(world, mine.begin, mine.end);
  if (varies && fresh)
    for (std::int64_t t = mine.begin; t < mine.end; ++t) {
      glm::dvec3 sum(0);
      for (const std::int32_t corner : topology.triangles[std::size_t(t)])
        sum += glm::dvec3(world.particles.position[std::size_t(corner)]);
      air_[std::size_t(t)] = vec4(vec3(fields_.velocity(wind, sum / 3.0, time)), real(0));
    }

  const real half_rho = real(0.5 * wind.air_density), normal = half_rho * real(wind.drag);
  const PlateAir<real> law{{air.x, air.y, air.z},           h,      normal,
                           half_rho * real(wind.skin_drag), normal, half_rho * real(wind.lift)};
  const AirPlates<real> plates{flat(world.particles.position),
                               flat(world.particles.velocity),
                               {corners_[0].data(), corners_[1].data(), corners_[2].data()},
                               masses_.data(),
                               closed_.data(),
                               varies ? flat(air_) : nullptr,
                               flat(thirds_),
                               last ? flat(motion_) : nullptr};
  const auto blow = wind.law == AirLaw::plate ? kernels_->air.slow : kernels_->air.turn;
  const std::int64_t end = (mine.end + plate_block - 1) / plate_block * plate_block;
  blow(plates, law, std::int32_t(mine.begin), std::int32_t(end));
  if (last)
    for (std::int64_t t = mine.begin; t < mine.end; ++t) {
      AirLoad& load = loads_[std::size_t(t / plate_block)];
      if (t % plate_block == 0) load = {};
      load.add(glm::dvec3(3.0 * glm::dvec3(thirds_[std::size_t(t)])) / double(h),
               glm::dvec3(motion_[std::size_t(t)]));
    }
  if (!wind.gas.empty()) fill_skins(world, when, mine.begin, mine.end);
}

/// Each rod is computed by one thread; no two rods share a point.
void Wind::blow_rods(World& world, const vec3& air, const When& when, Team& team) {
  const auto [time, h, fresh, last] = when;
  const WindSettings& wind = *world.settings.wind;
  const RodMatter& rods = world.topology->rods;
  const std::size_t first_air = thirds_.size();
  const bool varies = !air_.empty() && !wind.fields.empty();
  auto& v = world.particles.velocity;
  const Share runs = team.share(std::int64_t(rods.runs.size()));
  for (std::int64_t r = runs.begin; r < runs.end; ++r) {
    const RodRun& run = rods.runs[std::size_t(r)];
    const real diameter = 2 * real(world.settings.materials[std::size_t(run.object)].thickness);
    const real across = real(0.5 * wind.air_density * wind.rod_drag) * diameter;
    AirLoad load;
    for (std::int32_t s = run.first; s < run.end(); ++s) {
      const std::size_t own = std::size_t(s);
      const auto [a, b] = rods.segments[own].points;
      const vec4 &xa = world.particles.position[std::size_t(a)],
                 &xb = world.particles.position[std::size_t(b)];
      if (varies && fresh)
        air_[first_air + own] =
            vec4(vec3(fields_.velocity(wind, glm::dvec3(vec3(xa + xb)) / 2.0, time)), real(0));
      segments_[own] = vec4(0);
      const auto users = [&](bool outer) { return outer && !run.closed ? 1 : 2; };
      const std::array weights{xa.w, xb.w};
      const std::array<std::int32_t, 2> of{users(s == run.first), users(s + 1 == run.end())};
      const real mass = 2 * least_share(weights, of);
      const vec3 way = vec3(xb - xa);
      const real length = glm::length(way);
      if (mass == real(0) || !(length > real(0))) continue;
      vec3 u = vec3(v[std::size_t(a)] + v[std::size_t(b)]) / real(2) - air;
      if (varies) u -= vec3(air_[first_air + own]);
      const vec3 normal = u - glm::dot(u, way) / (length * length) * way;
      const real share = std::min(h * across * length * glm::length(normal) / mass, real(1));
      if (last) load.add(glm::dvec3(-share * mass * normal) / double(h), glm::dvec3(u));
      segments_[own] = vec4(-share * mass / real(2) * normal, real(0));
    }
    if (last) loads_[first_rod_load_ + std::size_t(r)] = load;
    for (std::int32_t s = run.first; s < run.end(); ++s)
      for (const std::int32_t point : rods.segments[std::size_t(s)].points)
        v[std::size_t(point)] += world.particles.position[std::size_t(point)].w * segments_[std::size_t(s)];
  }
}

/// Returns the impulse of the air on a body with airfoils, N s, and adds the moment to its angular momentum.
/// `air`: m/s, at the centre of mass.
vec3 Wind::fly(World& world, std::size_t body, Flyer& flyer, const glm::dvec3& air, const When& when) {
  const WindSettings& wind = *world.settings.wind;
  Bodies& bodies = world.bodies;
  const glm::dmat3 turn(rotation_of(bodies.orientation[body]));
  const glm::dvec3 gravity = world.settings.solver.motion->gravity;
  const glm::dvec3 v(bodies.velocity[body]), center(bodies.position[body]);
  std::array<glm::dvec3, Flyer::most_airfoils * Flyer::strips> eddies;
  std::size_t count = 0;
  if (!wind.fields.empty())
    for (const AirfoilShape* foil : flyer.airfoils())
      for (const AirfoilStrip& strip : foil->strips)
        eddies[count++] = (fields_.velocity(wind, center + turn * strip.middle, when.time) -
                           fields_.velocity(wind, center, when.time)) *
                          turn;
  const Flyer::State from{glm::transpose(turn), v - air, glm::dvec3(bodies.angular_momentum[body])};
  const Flyer::State to = flyer.flown(from, gravity, wind.skin_drag,
                                      wind.fields.empty() ? nullptr : eddies.data(), double(when.h));
  bodies.angular_momentum[body] += vec4(vec3(to.angular_momentum - from.angular_momentum), real(0));
  // The step adds the change of velocity by gravity, so it is subtracted here.
  return vec3((to.velocity - from.velocity - double(when.h) * gravity) / double(bodies.position[body].w));
}

/// Every plate of a body gets a share of its mass and inertia in proportion to its area, half of it along the
/// normal and half across, so that the sum of all impulses adds no energy.
void Wind::blow_bodies(World& world, const glm::dvec3& air, const When& when, Team& team) {
  const double time = when.time;  // not a binding: lambdas below take it
  const real h = when.h;
  const bool last = when.last;
  const WindSettings& wind = *world.settings.wind;
  Bodies& bodies = world.bodies;
  const std::vector<PlacedShape>& shapes = bodies.parts->shapes;
  const real half_rho = real(0.5 * wind.air_density);
  const real normal = half_rho * real(wind.drag), tangent = half_rho * real(wind.skin_drag);
  const Share mine = team.share(bodies.count(), body_block);
  for (std::int64_t b = mine.begin; b < mine.end; ++b) {
    const std::size_t i = std::size_t(b);
    AirLoad& load = loads_[first_body_load_ + i / blown_body_block];
    if (last && i % blown_body_block == 0) load = {};
    if (bodies.position[i].w == real(0) || !takes_part(world, i)) continue;
    const auto begin =
        std::lower_bound(shapes.begin(), shapes.end(), std::int32_t(b),
                         [](const PlacedShape& s, std::int32_t body) { return s.body < body; });
    auto end = begin;
    while (end != shapes.end() && end->body == std::int32_t(b)) ++end;
    const std::span<const PlacedShape> own(begin, end);
    const mat3 turn = rotation_of(bodies.orientation[i]);
    const Symmetric inverse = in_world(turn, vec3(bodies.inverse_inertia[i]));
    const vec3 center(bodies.position[i]), v(bodies.velocity[i]);
    const vec3 spin = inverse * vec3(bodies.angular_momentum[i]);
    real whole = 0;
    for_spots(own, turn, [&](const BodySpot& spot) { whole += spot.area; });
    vec3 impulse(0), moment(0);
    const auto response = [&](const vec3& r, const vec3& n) {
      const vec3 lever = glm::cross(r, n);
      return bodies.position[i].w + glm::dot(lever, inverse * lever);
    };
    const auto push = [&](const BodySpot& spot, const vec3& way, real coefficient, real speed) {
      const real along = glm::length(way);
      if (!(along > real(0))) return;
      const real mass = real(0.5) * spot.area / whole / response(spot.place, way / along);
      const vec3 p = -std::min(h * coefficient * spot.area * speed, mass) * way;
      impulse += p;
      moment += glm::cross(spot.place, p);
    };
    for_spots(own, turn, [&](const BodySpot& spot) {
      const vec3 u = v + glm::cross(spin, spot.place) -
                     vec3(air + fields_.velocity(wind, glm::dvec3(center + spot.place), time));
      const real speed = glm::length(u), along = glm::dot(u, spot.normal);
      if (spot.normal == vec3(0)) {
        push(spot, u, normal, speed);
        return;
      }
      if (along > real(0)) push(spot, along * spot.normal, normal, speed);
      push(spot, u - along * spot.normal, tangent, speed);
    });
    Flyer flyer(1.0 / double(bodies.position[i].w), glm::dvec3(inertia_of(bodies.inverse_inertia[i])),
                wind.air_density);
    for (const PlacedShape& part : own)
      if (part.airfoil) flyer.add(*part.airfoil);
    const glm::dvec3 around = air + fields_.velocity(wind, glm::dvec3(center), time);
    if (!flyer.airfoils().empty()) impulse += fly(world, i, flyer, around, when);
    if (last) load.add(glm::dvec3(impulse) / double(h), glm::dvec3(v) - around);
    bodies.velocity[i] += vec4(bodies.position[i].w * impulse, real(0));
    bodies.angular_momentum[i] += vec4(moment, real(0));
  }
}

/// Wakes bodies on which the force of the air exceeds a tenth of their weight.
void Wind::wake_bodies(World& world) {
  const WindSettings& wind = *world.settings.wind;
  Bodies& bodies = world.bodies;
  if (!wind.enabled || bodies.sleep.count == 0) return;
  fields_.refresh(wind);
  const std::vector<PlacedShape>& shapes = bodies.parts->shapes;
  const real gravity = real(glm::length(world.settings.solver.motion->gravity));
  const glm::dvec3 steady = steady_air(wind, world.time);
  for (std::size_t first = 0, end = 0; first < shapes.size(); first = end) {
    const std::size_t i = std::size_t(shapes[first].body);
    while (end < shapes.size() && shapes[end].body == shapes[first].body) ++end;
    if (!is_asleep(world, i)) continue;
    const mat3 turn = rotation_of(bodies.orientation[i]);
    const vec3 center(bodies.position[i]);
    const vec3 u(steady + fields_.velocity(wind, glm::dvec3(center), world.time));
    vec3 push(0);
    const auto press = [&](const vec3& normal, real area) {
      push += real(0.5 * wind.air_density * wind.drag) * area * std::abs(glm::dot(u, normal)) * u;
    };
    for (std::size_t s = first; s < end; ++s)
      if (shapes[s].airfoil)
        for (const AirfoilStrip& strip : shapes[s].airfoil->strips)
          press(turn * vec3(shapes[s].airfoil->axes[1]), real(strip.chord * strip.width));
    for_spots({shapes.data() + first, end - first}, turn, [&](const BodySpot& spot) {
      const bool round = spot.normal == vec3(0);
      if (round)
        press(glm::length(u) > real(0) ? u / glm::length(u) : vec3(0), spot.area);
      else if (glm::dot(u, spot.normal) < real(0))
        press(spot.normal, spot.area);
    });
    const std::int32_t body = std::int32_t(i);
    if (glm::length(push) * bodies.position[i].w > real(0.1) * gravity) wake(world, {&body, 1});
  }
}

void Wind::force_all(World& world, real h, Team& team) {
  const std::vector<ForceField>& forces = world.settings.wind->forces;
  const auto gain = [&](const vec3& x, real weight) {
    glm::dvec3 sum(0);
    for (const ForceField& force : forces)
      sum += strength_at(force, glm::dvec3(x)) * (force.as == ForceFieldUnit::force ? double(weight) : 1.0);
    return vec4(h * vec3(sum), real(0));
  };
  const Share particles = team.share(world.particles.padded(), particle_block);
  for (std::int64_t i = particles.begin; i < std::min<std::int64_t>(particles.end, world.particles.count);
       ++i) {
    const vec4& x = world.particles.position[std::size_t(i)];
    if (x.w > real(0)) world.particles.velocity[std::size_t(i)] += gain(vec3(x), x.w);
  }
  const Share bodies = team.share(world.bodies.count(), body_block);
  for (std::int64_t b = bodies.begin; b < bodies.end; ++b) {
    const vec4& x = world.bodies.position[std::size_t(b)];
    if (x.w > real(0) && takes_part(world, std::size_t(b)))
      world.bodies.velocity[std::size_t(b)] += gain(vec3(x), x.w);
  }
}

void Wind::apply(World& world, const When& when, Team& team) {
  const WindSettings& wind = *world.settings.wind;
  const Topology& topology = *world.topology;
  auto& v = world.particles.velocity;
  if (when.fresh && team.rank() == 0) fields_.refresh(wind);
  if (when.last && team.rank() == 0) world.air = {};
  team.barrier();  // triangles read particles of other threads
  if (wind.enabled) {
    const glm::dvec3 steady = steady_air(wind, when.time);
    const vec3 air(steady);
    blow_triangles(world, air, when, team);
    if (!topology.rods.empty()) blow_rods(world, air, when, team);
    if (world.bodies.count() > 0) blow_bodies(world, steady, when, team);
    team.barrier();
    if (when.last && team.rank() == 0)
      for (const AirLoad& load : loads_) world.air.add(load);
    const Share particles = team.share(world.particles.padded(), particle_block);
    for (std::int64_t i = particles.begin; i < std::min<std::int64_t>(particles.end, world.particles.count);
         ++i) {
      const real w = world.particles.position[std::size_t(i)].w;
      if (w == real(0)) continue;
      vec4 impulse(0);
      for (std::int32_t t : topology.triangles_at(std::int32_t(i))) impulse += thirds_[std::size_t(t)];
      v[std::size_t(i)] += w * impulse;
    }
  }
  if (!wind.forces.empty()) force_all(world, when.h, team);
}

}}  // namespace limber::LIMBER_PRECISION
