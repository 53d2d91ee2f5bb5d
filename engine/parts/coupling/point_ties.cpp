#include "engine/parts/coupling/point_ties.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "engine/contact/frame_rows.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/parallel/color_visits.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// m, of the particles of an end, sum w_i p_i.
vec3 place_of(const TieEnd& end, const AlignedVector<vec4>& places) {
  const vec3 first(places[std::size_t(end.points[0])]);  // differences: the sum may be far from the origin
  vec3 sum(0);
  for (std::size_t k = 1; k < 4; ++k)
    sum += end.weight[k] * (vec3(places[std::size_t(end.points[k])]) - first);
  return first + sum;
}

vec3 displacement_of(const TieEnd& end, const Particles& particles) {
  vec3 sum(0);
  for (std::size_t k = 0; k < 4; ++k) {
    const std::size_t i = std::size_t(end.points[k]);
    sum += end.weight[k] * (vec3(particles.position[i]) - vec3(particles.previous[i]));
  }
  return sum;
}

/// 1/kg.
glm::dmat3 answer_of(const TieEnd& end, const Particles& particles, const RodSolver& rods) {
  glm::dmat3 sum(0.0);
  for (std::size_t k = 0; k < 4; ++k) {
    const double w = double(particles.position[std::size_t(end.points[k])].w),
                 share = double(end.weight[k]) * double(end.weight[k]);
    if (!(share > 0.0) || !(w > 0.0)) continue;
    const std::optional<glm::dmat3> rod = rods.answer_of(end.points[k]);
    sum += share * (rod ? *rod : glm::dmat3(w));
  }
  return sum;
}

void push_particles(const TieEnd& end, const vec3& impulse, Particles& particles, RodSolver& rods) {
  for (std::size_t k = 0; k < 4; ++k) {
    vec4& p = particles.position[std::size_t(end.points[k])];
    if (end.weight[k] == real(0) || !(p.w > real(0))) continue;
    if (rods.answer_of(end.points[k]))
      rods.pull(particles, end.points[k], glm::dvec3(end.weight[k] * impulse));
    else
      p += vec4(p.w * end.weight[k] * impulse, real(0));
  }
}

/// Calls act(particle) for those of an end that have weight.
template <class Act>
void for_points(const TieEnd& end, const Act& act) {
  if (!end.is_of_particles()) return;
  for (std::size_t k = 0; k < 4; ++k)
    if (end.weight[k] != real(0)) act(end.points[k]);
}

}  // namespace

void PointTies::reserve(const World& world) {
  const std::vector<PointTie>& ties = world.user.point_ties;
  std::vector<std::uint64_t> used(std::size_t(world.particles.padded()) + std::size_t(world.bodies.count()));
  std::vector<std::int32_t> colors, order;
  for (const PointTie& tie : ties)
    colors.push_back(take_first_free_color([&](const auto& act) {
      for (const TieEnd* const end : {&tie.a, &tie.b}) {
        for_points(*end, [&](std::int32_t i) { act(used[std::size_t(i)]); });
        if (end->body >= 0) act(used[std::size_t(world.particles.padded() + end->body)]);
      }
    }));
  sort_by_color(colors, order, color_begin_);
  rows_.clear();
  for (const std::int32_t tie : order) rows_.push_back({tie, vec3(0), 0, {}});
}

void PointTies::aim_row(World& world, const StaticContacts& colliders, Row& row, real h, int substep) const {
  PointTie& tie = world.user.point_ties[std::size_t(row.tie)];
  vec3 place[2];
  for (int side = 0; side < 2; ++side) {
    const TieEnd& end = side == 0 ? tie.a : tie.b;
    if (end.body >= 0) {
      row.arm[side] = in_world_of(world.bodies, end.body, end.own);
      place[side] = vec3(world.bodies.position[std::size_t(end.body)]) + row.arm[side];
    } else if (end.collider >= 0) {
      place[side] = colliders.carried(world, substep, std::size_t(end.collider), end.own);
    } else {
      place[side] = place_of(end, world.particles.previous);
    }
  }
  row.gap = place[0] - place[1];
  row.softness = world.settings.tie_materials[std::size_t(tie.source)].compliance / (h * h);
  const real apart = glm::length(row.gap),
             closed = real(world.settings.solver.contact->depenetration_speed) * h;
  const real left = tie.slack < real(0) ? apart : std::min(tie.slack, apart);
  tie.slack = row.softness == real(0) ? std::max(left - closed, real(0)) : apart;  // if it becomes rigid
  if (row.softness == real(0) && apart > real(0)) row.gap *= (apart - tie.slack) / apart;
  row.pulled = vec3(0);
}

void PointTies::aim(World& world, const StaticContacts& colliders, real h, int substep, const Team& team) {
  const Share mine = team.share(std::int64_t(rows_.size()));
  for (std::int64_t k = mine.begin; k < mine.end; ++k)
    aim_row(world, colliders, rows_[std::size_t(k)], h, substep);
}

void PointTies::project_row(World& world, BodySolver& bodies, RodSolver& rods, Row& row) const {
  const PointTie& tie = world.user.point_ties[std::size_t(row.tie)];
  if (tie.broken) return;
  vec3 C = row.gap;
  glm::dmat3 k(double(row.softness));
  for (int side = 0; side < 2; ++side) {
    const TieEnd& end = side == 0 ? tie.a : tie.b;
    const real sign = side == 0 ? real(1) : real(-1);
    if (end.body >= 0) {
      const vec4* const frame = bodies.rows_of_bodies() + body_rows * end.body;
      C += sign * displacement(frame, row.arm[side]);
      k += response_at(frame, row.arm[side]);
    } else if (end.is_of_particles()) {
      C += sign * displacement_of(end, world.particles);
      k += answer_of(end, world.particles, rods);
    }
  }
  if (!(k[0][0] > double(row.softness))) return;  // nothing can move
  const vec3 change(glm::inverse(k) * -glm::dvec3(C + row.softness * row.pulled));
  row.pulled += change;
  for (int side = 0; side < 2; ++side) {
    const TieEnd& end = side == 0 ? tie.a : tie.b;
    const vec3 impulse = side == 0 ? change : -change;
    if (end.body >= 0) {
      vec4* const frame = bodies.rows_of_bodies() + body_rows * end.body;
      const vec3 shift(frame[row_shift]), turn(frame[row_turn]);
      push_frame(frame, impulse, row.arm[side]);
      bodies.leave_out(std::size_t(end.body), vec3(frame[row_shift]) - shift, vec3(frame[row_turn]) - turn);
    } else if (end.is_of_particles()) {
      push_particles(end, impulse, world.particles, rods);
    }
  }
}

void PointTies::project(World& world, BodySolver& bodies, RodSolver& rods, Team& team) {
  ColorTurns turns(team);
  visit_by_color(Visited::ties, 0, color_begin_, serial_ties_, turns,
                 [&](std::size_t k) { project_row(world, bodies, rods, rows_[k]); });
}

void PointTies::finish(World& world, real h, int in_frame, const Team& team) {
  const real substeps = real(world.settings.solver.step->substeps);
  const Share mine = team.share(std::int64_t(rows_.size()));
  for (std::int64_t r = mine.begin; r < mine.end; ++r) {
    const Row& row = rows_[std::size_t(r)];
    PointTie& tie = world.user.point_ties[std::size_t(row.tie)];
    if (in_frame == 0) tie.force = vec3(0);
    const vec3 force = row.pulled / (h * h);
    tie.force += force / substeps;
    tie.broken |= glm::length(force) > world.settings.tie_materials[std::size_t(tie.source)].break_force;
  }
}

}}  // namespace limber::LIMBER_PRECISION
