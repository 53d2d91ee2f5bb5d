#include "engine/parts/motion/bdf2.hpp"

#include <glm/geometric.hpp>
#include "engine/core/settings/motion.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

template <class Act>
void for_own(const World& world, const Team& team, const Act& act) {
  const Share mine = team.share(world.particles.padded(), particle_block);
  for (std::int64_t i = mine.begin; i < mine.end; ++i) act(std::size_t(i));
}

}  // namespace

void Bdf2::reserve(const World& world) {
  const std::size_t count = world.history.step_before.size();
  start_velocity_.resize(count), solved_.resize(count), second_.resize(count), met_.resize(count);
}

void Bdf2::begin_step(World& world, double h) {
  History& history = world.history;
  if (history.step != h || history.edition != world.topology->edition)
    for (vec4& step : history.step_before) step.w = 0;
  history.step = h;
  history.edition = world.topology->edition;
}

void Bdf2::note_start(const World& world, const Team& team) {
  for_own(world, team, [&](std::size_t i) { start_velocity_[i] = world.particles.velocity[i]; });
}

void Bdf2::predict(World& world, real h, const Team& team) {
  for_own(world, team, [&](std::size_t i) {
    vec4& p = world.particles.moved[i];
    const vec4 &before = world.history.step_before[i], &x = world.particles.moved_before[i];
    second_[i] = p.w > real(0) && before.w > real(0);
    if (second_[i]) {
      const vec3 v(start_velocity_[i]), forced(world.particles.velocity[i]);
      const vec3 y = vec3(x) + vec3(before) / real(3) +
                     h * (real(8.0 / 9.0) * v - real(2.0 / 9.0) * vec3(world.history.velocity[i]) +
                          real(4.0 / 9.0) * (forced - v));
      p = vec4(y, real(4.0 / 9.0) * p.w);
      world.particles.position[i].w = p.w;
    }
    met_[i] = p.w > real(0) && is_under_pressure(world, std::int32_t(i));
    solved_[i] = p;
  });
}

void Bdf2::note_solved(const World& world, const Team& team) {
  for_own(world, team, [&](std::size_t i) { solved_[i] = world.particles.moved[i]; });
}

void Bdf2::note_contacts(const World& world, const Team& team) {
  for_own(world, team, [&](std::size_t i) { met_[i] |= vec3(world.particles.moved[i]) != vec3(solved_[i]); });
}

void Bdf2::end_solve(World& world, const Team& team) {
  note_contacts(world, team);
  for_own(world, team, [&](std::size_t i) {
    vec4& p = world.particles.moved[i];
    if (second_[i]) p.w = world.particles.position[i].w = world.particles.moved_before[i].w;
    solved_[i] = p;
  });
}

void Bdf2::finish(World& world, StaticContacts* colliders, real h, const Team& team) {
  note_contacts(world, team);
  Particles& particles = world.particles;
  const real limit = real(world.settings.solver.motion->max_speed);
  for_own(world, team, [&](std::size_t i) {
    const vec3 step = vec3(particles.moved[i]) - vec3(particles.moved_before[i]);
    vec4 &before = world.history.step_before[i], &v = particles.velocity[i];
    if (second_[i] && !met_[i]) {
      v += vec4((step - vec3(before)) / (real(2) * h), real(0));
      if (const real speed = std::sqrt(glm::dot(v, v)); speed > limit) v *= limit / speed;
    }
    before = vec4(step, particles.position[i].w > real(0) && !met_[i] ? real(1) : real(0));
    world.history.velocity[i] = start_velocity_[i];
  });
  const Share blocks = team.share(particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; colliders && b < blocks.end; ++b)
    for (const StaticContact& contact : colliders->of_block(std::int32_t(b))) {
      if (!(contact.pushed > real(0))) continue;
      vec4& v = particles.velocity[std::size_t(contact.particle)];
      const real approach = glm::dot(vec3(v) - contact.slide / h, contact.normal);
      if (approach < real(0)) v -= vec4(approach * contact.normal, real(0));
    }
}

}}  // namespace limber::LIMBER_PRECISION
