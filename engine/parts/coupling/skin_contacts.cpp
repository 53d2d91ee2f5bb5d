#include "engine/parts/coupling/skin_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>
#include <limits>
#include <utility>

#include "engine/contact/coupling/coupling_row.hpp"
#include "engine/contact/mix.hpp"
#include "engine/contact/round_shapes.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/parallel/visits.hpp"
#include "engine/state/body_shapes.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Sweeps end when no vertex of a solid was pushed farther than this share of the solid's size.
constexpr real settled = real(2e-5);
/// Neighbouring vertices share most of their particles, so their rows settle slowly: two dozen vertices of an
/// arm that slides over an edge need up to 60 sweeps. Most substeps need 2.
constexpr int most_sweeps = 64;
/// Rounds over bodies and colliders in one call of project().
constexpr int rounds_with_bodies = 2;

/// Side of a row that is the surface of a collider.
struct MovingSurface {
  const vec3& displacement;  ///< m, or m/s
  vec3 moved() const { return displacement; }
  real inverse_mass_along(const vec3&) const { return 0; }
  void push(const vec3&) const {}
};

/// The weighted sum of a vertex over rows of all particles, computed relative to its first particle.
vec3 at_vertex(const SoftSkin& skin, std::int32_t vertex, const AlignedVector<vec4>& rows) {
  const std::size_t begin = std::size_t(skin.vertex_entry[std::size_t(vertex)]),
                    end = std::size_t(skin.vertex_entry[std::size_t(vertex) + 1]);
  const vec3 first(rows[std::size_t(skin.particle[begin])]);
  vec3 sum(0);
  for (std::size_t k = begin + 1; k < end; ++k)
    sum += skin.weight[k] * (vec3(rows[std::size_t(skin.particle[k])]) - first);
  return first + sum;
}

bool bound(const SoftSkin& skin, std::int32_t vertex) {
  return skin.vertex_entry[std::size_t(vertex)] < skin.vertex_entry[std::size_t(vertex) + 1];
}

std::int32_t first_particle(const SoftSkin& skin, std::int32_t vertex) {
  return skin.particle[std::size_t(skin.vertex_entry[std::size_t(vertex)])];
}

/// A half space: n . u + gap >= 0 for the displacement u against the surface.
struct Plane {
  vec3 normal;
  real gap;  ///< m
};

/// The plane at the end of a straight path relative to a surface, or at its start if the path enters the
/// surface. `step`: m, the path.
Plane plane_of(const SurfaceDistance<real>& start, const SurfaceDistance<real>& end, const vec3& step) {
  if (start.d > real(0) && end.d < real(0)) return {start.n, start.d};
  return {end.n, end.d - glm::dot(end.n, step)};
}

/// Sets normal, gap and approach; a vertex that is already inside leaves by at most `exit` m in the substep.
void set_plane(SkinRow& row, const Plane& plane, const vec3& step, real exit) {
  row.normal = plane.normal;
  row.gap = plane.gap - std::min(real(0), plane.gap + exit);
  row.approach = glm::dot(plane.normal, step);
}

real margin_of(const World& world) {
  const auto& contact = *world.settings.solver.contact;
  return real(0.5 * contact.particle_radius + contact.contact_margin);
}

bool is_positional(const World& world) {
  return world.settings.solver.contact->friction_model == FrictionModel::positional;
}

}  // namespace

void SkinContacts::reserve(const World& world) {
  const SoftSkin& skin = world.topology->matter.soft.skin;
  own_.assign(skin.size.size(), {});
  const std::size_t vertices = enabled(world) ? skin.vertices() : 0, rows = rows_per_vertex * vertices;
  candidates_.assign(world.colliders.empty() ? 0 : vertices, 0);
  places_.assign(vertices, vec4(0));
  slack_.assign(candidates_.size(), real(0));
  rows_.assign(world.colliders.empty() ? 0 : rows, {});
  pairs_.assign(world.bodies.count() > 0 ? rows : 0, {});
  body_rows_.assign(world.bodies.count() > 0 ? rows : 0, {});
}

void SkinContacts::begin_frame(const World& world, const StaticContacts& colliders, real dt,
                               const Team& team) {
  const SoftSkin& skin = world.topology->matter.soft.skin;
  const Share mine = team.share(std::int64_t(own_.size()));
  const real fall = real(glm::length(world.settings.solver.motion->gravity)) * dt;
  for (std::int64_t s = mine.begin; s < mine.end; ++s) {
    const std::size_t solid = std::size_t(s);
    own_[solid] = {};
    vec3 low(std::numeric_limits<real>::max()), high(-low);
    real fastest = 0;
    for (std::int32_t v = skin.solid_vertex[solid]; v < skin.solid_vertex[solid + 1]; ++v) {
      if (!bound(skin, v)) continue;
      const vec3 x = at_vertex(skin, v, world.particles.position);
      const real speed = glm::length(at_vertex(skin, v, world.particles.velocity)) + fall;
      places_[std::size_t(v)] = vec4(x, speed);
      low = glm::min(low, x), high = glm::max(high, x), fastest = std::max(fastest, speed);
    }
    if (!(low.x <= high.x) || !std::isfinite(fastest)) continue;
    if (!candidates_.empty()) find_near(world, colliders, solid, dt);
    if (!pairs_.empty()) {
      const real reach = margin_of(world) + real(1.5) * dt * fastest;
      find_shapes(world, solid, low - vec3(reach), high + vec3(reach), reach, dt);
    }
  }
}

/// Finds the vertices of a solid that a collider may meet.
void SkinContacts::find_near(const World& world, const StaticContacts& colliders, std::size_t solid,
                             real dt) {
  const SoftSkin& skin = world.topology->matter.soft.skin;
  const real margin = margin_of(world);
  std::int32_t* const out = candidates_.data() + first_vertex(world, solid);
  std::int32_t& count = own_[solid].candidates;
  for (std::int32_t v = skin.solid_vertex[solid]; v < skin.solid_vertex[solid + 1]; ++v) {
    real& slack = slack_[std::size_t(v)] = 0;
    if (!bound(skin, v)) continue;
    const vec4& place = places_[std::size_t(v)];
    const real reach = margin + 2 * dt * place.w;
    real least = std::numeric_limits<real>::max();
    for (std::size_t c = 0; c < world.colliders.size() && !(least < reach); ++c)
      if (particle_touches_collider(world, first_particle(skin, v), c))
        least = colliders.disturbs(c) ? real(0)
                                      : std::min(least, closest(world.colliders[c], vec3(place)).distance);
    if (least < reach)
      out[count++] = v;
    else
      slack = least - margin;
  }
}

/// Adds vertices that the solid has flung farther in this frame than their speeds at its start let expect.
void SkinContacts::find_strays(const World& world, std::size_t solid) {
  const SoftSkin& skin = world.topology->matter.soft.skin;
  std::int32_t* const out = candidates_.data() + first_vertex(world, solid);
  for (std::int32_t v = skin.solid_vertex[solid]; v < skin.solid_vertex[solid + 1]; ++v) {
    real& slack = slack_[std::size_t(v)];
    if (!(slack > real(0))) continue;
    const vec3 moved = at_vertex(skin, v, world.particles.position) - vec3(places_[std::size_t(v)]);
    if (glm::dot(moved, moved) < slack * slack) continue;
    slack = 0;
    out[own_[solid].candidates++] = v;
  }
}

/// Finds the vertices of a solid that shapes of bodies may meet. `low`, `high`: m, the box of the solid with
/// its motion; `reach`: m, the way of its fastest vertex, because one part of a soft solid can fling another.
void SkinContacts::find_shapes(const World& world, std::size_t solid, const vec3& low, const vec3& high,
                               real reach, real dt) {
  const SoftSkin& skin = world.topology->matter.soft.skin;
  const auto& shapes = world.bodies.parts->shapes;
  const std::int32_t begin = skin.solid_vertex[solid], end = skin.solid_vertex[solid + 1];
  auto* const out = pairs_.data() + rows_per_vertex * std::size_t(begin);
  std::int32_t& count = own_[solid].pairs;
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    const std::size_t body = std::size_t(shapes[s].body);
    Bounds box = bounds(shapes[s].shape, placed(shapes[s], world.bodies));
    const vec3 half = real(0.5) * (box.high - box.low), center = real(0.5) * (box.high + box.low);
    const real arm = glm::length(half) + glm::length(center - vec3(world.bodies.position[body]));
    const vec3 wide(real(1.5) * dt *
                    (glm::length(vec3(world.bodies.velocity[body])) +
                     arm * glm::length(angular_velocity(world.bodies, body))));
    box.low -= wide, box.high += wide;
    if (!glm::all(glm::lessThan(box.low, high)) || !glm::all(glm::lessThan(low, box.high))) continue;
    for (std::int32_t v = begin; v < end && count < rows_per_vertex * (end - begin); ++v) {
      if (!bound(skin, v) || !particle_touches_body(world, first_particle(skin, v), shapes[s].body)) continue;
      const vec3 place(places_[std::size_t(v)]);
      if (glm::all(glm::lessThan(box.low - reach, place)) && glm::all(glm::lessThan(place, box.high + reach)))
        out[count++] = {v, std::int32_t(s)};
    }
  }
}

void SkinContacts::aim(const World& world, const StaticContacts& colliders, const BodySolver& bodies, real h,
                       int substep, const Team& team) {
  const Share mine = team.share(std::int64_t(own_.size()));
  for (std::int64_t s = mine.begin; s < mine.end; ++s) {
    const std::size_t solid = std::size_t(s);
    Own& own = own_[solid];
    own.rows = own.body_rows = 0;
    if (!candidates_.empty()) find_strays(world, solid);
    for (std::int32_t k = 0; k < own.candidates; ++k)
      aim_collider(world, colliders, solid, h, substep,
                   candidates_[std::size_t(first_vertex(world, solid) + k)]);
    for (std::int32_t k = 0; k < own.pairs; ++k) {
      const auto [vertex, shape] =
          pairs_[rows_per_vertex * std::size_t(first_vertex(world, solid)) + std::size_t(k)];
      aim_body(world, bodies.rows_of_bodies(), solid, h, vertex, shape);
    }
  }
}

/// Adds the rows of a vertex with colliders.
void SkinContacts::aim_collider(const World& world, const StaticContacts& colliders, std::size_t solid,
                                real h, int substep, std::int32_t vertex) {
  const SoftSkin& skin = world.topology->matter.soft.skin;
  const Particles& particles = world.particles;
  const vec3 x = at_vertex(skin, vertex, particles.previous), p = at_vertex(skin, vertex, particles.position);
  const std::int32_t particle = first_particle(skin, vertex);
  const Material& material = world.settings.materials[std::size_t(particles.object[std::size_t(particle)])];
  const real exit = real(world.settings.solver.contact->depenetration_speed) * h;
  std::int32_t added = 0;
  for (std::size_t c = 0; c < world.colliders.size() && added < rows_per_vertex; ++c) {
    const Collider& collider = world.colliders[c];
    if (!particle_touches_collider(world, particle, c) || colliders.surface(c)) continue;
    const StaticContacts::Pose* const pose = colliders.pose(world, substep, c);
    const vec3 position = pose ? pose->position : collider.position;
    const mat3 rotation = pose ? pose->rotation : collider.rotation;
    const vec3 end = (p - position) * rotation;
    const vec3 slide = pose ? pose->shift + pose->turn * end : vec3(0);
    const vec3 start =
        pose ? (x - (position - pose->shift)) * (rotation - pose->turn) : (x - position) * rotation;
    Plane plane = plane_of(local_distance(collider, start), local_distance(collider, end), end - start);
    plane.normal = rotation * plane.normal;
    SkinRow row;
    set_plane(row, plane, p - x - slide, exit);
    if (!(row.gap + row.approach < margin_of(world))) continue;
    row.vertex = vertex, row.other = std::int32_t(c), row.slide = slide;
    row.friction = mixed_friction(real(material.friction), collider.friction);
    row.restitution = mixed_restitution(collider.restitution, real(material.restitution));
    row.weigh(SkinPoint{skin, vertex, particles.position.data(), nullptr, nullptr}.inverse_mass_along({}));
    rows_of(world, solid)[own_[solid].rows++] = row;
    ++added;
  }
}

/// Adds the row of a vertex with a shape of a body.
void SkinContacts::aim_body(const World& world, const vec4* bodies, std::size_t solid, real h,
                            std::int32_t vertex, std::int32_t number) {
  const SoftSkin& skin = world.topology->matter.soft.skin;
  const Particles& particles = world.particles;
  const PlacedShape& shape = world.bodies.parts->shapes[std::size_t(number)];
  const vec4* const body = bodies + body_rows * shape.body;
  const vec3 center(world.bodies.position[std::size_t(shape.body)]);
  const Placed at = placed(shape, world.bodies);
  const vec3 x = at_vertex(skin, vertex, particles.previous), p = at_vertex(skin, vertex, particles.position);
  const vec3 shift = displacement(body, at.position - center),
             turn = visible_turn(shape.shape, at, vec3(body[row_turn]));
  const vec3 step = p - x - shift - glm::cross(turn, x - at.position);
  const Plane plane =
      plane_of(surface_distance(shape.shape, at, x), surface_distance(shape.shape, at, x + step), step);
  SkinRow row;
  set_plane(row, plane, step, real(world.settings.solver.contact->depenetration_speed) * h);
  if (!(row.gap + row.approach < margin_of(world))) return;
  const Material& material =
      world.settings.materials[std::size_t(particles.object[std::size_t(first_particle(skin, vertex))])];
  const BodyMaterial& touched =
      world.settings.body_materials[std::size_t(world.bodies.parts->source[std::size_t(shape.body)])];
  row.vertex = vertex, row.other = shape.body;
  row.friction = mixed_friction(real(material.friction), touched.friction);
  row.restitution = mixed_restitution(real(material.restitution), touched.restitution);
  row.arm = x - center;
  row.weigh(SkinPoint{skin, vertex, particles.position.data(), nullptr, nullptr}.inverse_mass_along({}) +
            inverse_mass_along(body, row.arm, row.normal));
  body_rows_of(world, solid)[own_[solid].body_rows++] = row;
}

/// Projects the rows with bodies of all solids. Serial.
void SkinContacts::project_bodies(World& world, BodySolver& bodies) {
  const SoftSkin& skin = world.topology->matter.soft.skin;
  Particles& particles = world.particles;
  const bool positional = is_positional(world);
  bool moves = true;
  for (int sweep = 0; sweep < most_sweeps && std::exchange(moves, false); ++sweep)
    for (std::size_t s = 0; s < own_.size(); ++s)
      for (std::int32_t k = 0; k < own_[s].body_rows; ++k) {
        SkinRow& row = body_rows_of(world, s)[k];
        vec4* const body = bodies.rows_of_bodies() + body_rows * row.other;
        const vec3 shift(body[row_shift]), turn(body[row_turn]);
        const real before = row.normal_lambda;
        project_contact(row, positional,
                        Sides{SkinPoint{skin, row.vertex, particles.position.data(),
                                        particles.position.data(), particles.previous.data()},
                              FramePoint{body, row.arm}});
        bodies.leave_out(std::size_t(row.other), vec3(body[row_shift]) - shift, vec3(body[row_turn]) - turn);
        moves |= std::abs(row.normal_lambda - before) > settled * skin.size[s] * row.mass;
      }
}

void SkinContacts::project(World& world, BodySolver& bodies, Team& team) {
  const SoftSkin& skin = world.topology->matter.soft.skin;
  Particles& particles = world.particles;
  const bool positional = is_positional(world), with_bodies = !body_rows_.empty();
  const Share mine = team.share(std::int64_t(own_.size()));
  for (int round = 0; round < (with_bodies ? rounds_with_bodies : 1); ++round) {
    if (round > 0) team.barrier();
    if (with_bodies) {
      if (team.rank() == 0) project_bodies(world, bodies);
      team.barrier();
    }
    tell_visit(Visited::skins, round, 0, mine.begin, mine.end);
    for (std::int64_t s = mine.begin; s < mine.end; ++s) {
      SkinRow* const rows = rows_.data() + rows_per_vertex * std::size_t(first_vertex(world, std::size_t(s)));
      const real least = settled * skin.size[std::size_t(s)];
      bool moves = true;
      for (int sweep = 0; sweep < most_sweeps && std::exchange(moves, false); ++sweep)
        for (std::int32_t k = 0; k < own_[std::size_t(s)].rows; ++k) {
          SkinRow& row = rows[k];
          const real before = row.normal_lambda;
          project_contact(row, positional,
                          Sides{SkinPoint{skin, row.vertex, particles.position.data(),
                                          particles.position.data(), particles.previous.data()},
                                MovingSurface{row.slide}});
          moves |= std::abs(row.normal_lambda - before) > least * row.mass;
        }
    }
  }
}

void SkinContacts::filter_velocities(World& world, BodySolver& bodies, real h, Team& team) {
  const SoftSkin& skin = world.topology->matter.soft.skin;
  Particles& particles = world.particles;
  const bool filter = !is_positional(world);
  const real g = real(glm::length(world.settings.solver.motion->gravity));
  const auto run = [&](SkinRow* rows, std::int32_t count, const auto& sides) {
    bounce_group(
        h, g,
        [&](const auto& act) {
          for (std::int32_t k = 0; k < count; ++k) act(rows[k]);
        },
        sides);
    for (std::int32_t k = 0; k < count && filter; ++k)
      if (rows[k].normal_lambda > real(0)) filter_contact(rows[k], h, sides(rows[k]));
  };
  const auto vertex = [&](const SkinRow& row) {
    return SkinPoint{skin, row.vertex, particles.position.data(), particles.velocity.data(), nullptr};
  };
  if (!body_rows_.empty() && team.rank() == 0)
    for (std::size_t s = 0; s < own_.size(); ++s)
      run(body_rows_of(world, s), own_[s].body_rows, [&](const SkinRow& row) {
        const std::size_t i = std::size_t(row.other);
        return Sides{vertex(row),
                     BodyVelocity{world.bodies, i, bodies.rows_of_bodies() + body_rows * row.other,
                                  angular_velocity(world.bodies, i), row.arm}};
      });
  if (!body_rows_.empty()) team.barrier();
  const Share mine = team.share(std::int64_t(own_.size()));
  for (std::int64_t s = mine.begin; s < mine.end && !rows_.empty(); ++s) {
    vec3 surface(0);
    run(rows_of(world, std::size_t(s)), own_[std::size_t(s)].rows, [&](const SkinRow& row) {
      surface = row.slide / h;
      return Sides{vertex(row), MovingSurface{surface}};
    });
  }
}

void SkinContacts::tell_touched(const World& world, TouchedParts& touched, const Team& team) const {
  const SoftSkin& skin = world.topology->matter.soft.skin;
  const Share mine = team.share(std::int64_t(own_.size()));
  const auto tell = [&](const SkinRow& row, bool body) {
    if (row.lambda() == vec3(0)) return;
    const std::int32_t end = skin.vertex_entry[std::size_t(row.vertex) + 1];
    for (std::int32_t k = skin.vertex_entry[std::size_t(row.vertex)]; k < end; ++k) {
      const std::int32_t i = skin.particle[std::size_t(k)];
      if (body)
        touched.join(touched.of_particle(i), touched.of_body(row.other), team.rank());
      else
        touched.touch_particle(i);
    }
  };
  for (std::int64_t s = mine.begin; s < mine.end; ++s) {
    const Own& own = own_[std::size_t(s)];
    const std::size_t first = rows_per_vertex * std::size_t(first_vertex(world, std::size_t(s)));
    for (std::int32_t k = 0; k < own.rows; ++k) tell(rows_[first + std::size_t(k)], false);
    for (std::int32_t k = 0; k < own.body_rows; ++k) tell(body_rows_[first + std::size_t(k)], true);
  }
}

}}  // namespace limber::LIMBER_PRECISION
