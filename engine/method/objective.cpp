#include "engine/method/objective.hpp"

#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/state/constraint_set.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

void Objective::prepare(const World& world) {
  const std::size_t particles = std::size_t(world.particles.padded());
  for (auto* list : {&x_, &y_, &gradient, &direction}) list->assign(particles, glm::dvec3(0.0));
  left_.assign(particles, vec3(0));
  scale.assign(particles, 0.0);
  pressed_.assign(particles * StaticContacts::most_per_particle, 0.0);
  friction_.assign(particles * StaticContacts::most_per_particle, {});
  vectors_.prepare(world);
  std::size_t chunks = 0;
  for_each_type([&](auto type) {
    first_chunk_[type] = chunks;
    chunks +=
        std::size_t((std::get<type>(*world.topology->constraints).slots() + chunk_slots - 1) / chunk_slots);
  });
  chunks_of_constraints_ = chunks;
  chunk_.assign(chunks + particles / particle_block, 0.0);
  floor_ = world.settings.solver.method->compliance_floor;
}

void Objective::load(const World& world, Team& team) {
  if (team.rank() == 0) {
    vectors_.list(world, all_slots(*world.topology->constraints));
    floor_ = world.settings.solver.method->compliance_floor;
  }
}

void Objective::begin(const World& world, const Sweep<real>& sweep, Team& team) {
  if (team.rank() == 0) inverse_h_squared_ = double(sweep.inverse_h_squared);
  const Share mine = team.share(world.particles.padded(), particle_block);
  for (std::int64_t i = mine.begin; i < mine.end; ++i) {
    const std::size_t p = std::size_t(i);
    const vec4& now = world.particles.moved[p];
    if (sweep.first) {
      const std::size_t at = StaticContacts::most_per_particle * p;
      std::fill_n(pressed_.begin() + std::ptrdiff_t(at), StaticContacts::most_per_particle, 0.0);
      std::fill_n(friction_.begin() + std::ptrdiff_t(at), StaticContacts::most_per_particle, Friction{});
    }
    if (sweep.first || now.w == real(0)) {
      x_[p] = y_[p] = place_of(world.particles, p);
    } else if (vec3(now) != left_[p]) {
      const glm::dvec3 pushed = glm::dvec3(vec3(now)) - glm::dvec3(left_[p]);
      x_[p] += pushed, y_[p] += pushed;
    }
  }
}

void Objective::start_no_higher(const World& world, Team& team) {
  const Share mine = team.share(world.particles.padded(), particle_block);
  for (std::int64_t i = mine.begin; i < mine.end; ++i) {
    const std::size_t p = std::size_t(i);
    direction[p] =
        world.particles.moved[p].w == real(0) || !minimised(p)
            ? glm::dvec3(0.0)
            : glm::dvec3(world.particles.origin[p]) + glm::dvec3(world.particles.moved_before[p]) - x_[p];
  }
  team.barrier();
  const double before = value(world, 1.0, team);
  for (const double step : {0.0, 0.5, 0.75, 0.9, 1.0})
    if (step == 1.0 || value(world, step, team) <= before) {
      go(step, world, team);
      return;
    }
}

void Objective::begin_at(const World& world, const AlignedVector<vec4>& moved, const Sweep<real>& sweep,
                         Team& team) {
  if (team.rank() == 0) inverse_h_squared_ = double(sweep.inverse_h_squared);
  const Share mine = team.share(world.particles.padded(), particle_block);
  for (std::int64_t i = mine.begin; i < mine.end; ++i)
    x_[std::size_t(i)] = y_[std::size_t(i)] =
        glm::dvec3(world.particles.origin[std::size_t(i)]) + glm::dvec3(moved[std::size_t(i)]);
}

double Objective::total(Team& team) const {
  team.barrier();  // all sums must be written
  double sum = 0.0;
  for (const double part : chunk_) sum += part;
  team.barrier();  // all threads must have read them
  return sum;
}

double Objective::value(const World& world, double step, Team& team) {
  for_each_type([&](auto type) {
    const Share mine = team.share(std::get<type>(*world.topology->constraints).slots(), chunk_slots);
    for (std::int64_t s = mine.begin; s < mine.end; s += chunk_slots)
      chunk_[first_chunk_[type] + std::size_t(s / chunk_slots)] = 0.0;
  });
  for_own_elements(world, step, team, [&](auto type, std::size_t s, const auto& element) {
    chunk_[first_chunk_[type] + s / chunk_slots] += energy(element);
  });
  const Share mine = team.share(world.particles.padded(), particle_block);
  for (std::int64_t b = mine.begin; b < mine.end; b += particle_block) {
    double sum = 0.0;
    for (std::size_t p = std::size_t(b); p < std::size_t(b + particle_block); ++p) {
      const double w = double(world.particles.position[p].w);
      if (w == 0.0) continue;
      const glm::dvec3 moved = x_[p] + step * direction[p] - y_[p];
      sum += glm::dot(moved, moved) / w;
    }
    double pressed = 0.0;
    for_contacts(world, b, b + particle_block, step, [&](const ContactAt& at) {
      if (at.depth > 0.0) pressed += 0.5 * at.k * at.depth * at.depth;
      const Friction& friction = friction_[at.place];
      pressed += glm::dot(0.5 * friction.stiffness * at.slip + friction.force, at.slip);
    });
    chunk_[chunks_of_constraints_ + std::size_t(b / particle_block)] =
        0.5 * inverse_h_squared_ * sum + pressed;
  }
  return total(team);
}

/// Stores vector_of(element)[j] for every point j of every constraint, and adds these vectors by particle.
/// Points are at x + step * direction.
template <class Vector>
void Objective::gather(const World& world, double step, Team& team, const Vector& vector_of) {
  for_each_type([&](auto type) {  // a constraint that does not act contributes 0
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    const Share mine = team.share(std::get<type>(*world.topology->constraints).slots(), chunk_slots);
    for (int k = 0; k < 3 * written_points<Type>(); ++k)
      std::fill(vectors_.component(type, k) + mine.begin, vectors_.component(type, k) + mine.end, 0.0);
  });
  for_own_elements(world, step, team, [&](auto type, std::size_t s, const auto& element) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    const ElementVector<Type> vector = vector_of(element);
    for (int j = 0; j < written_points<Type>(); ++j)
      for (int a = 0; a < 3; ++a) vectors_.component(type, 3 * j + a)[s] = vector[std::size_t(j)][a];
  });
}

void Objective::evaluate_gradient(const World& world, Team& team, double step) {
  gather(world, step, team, [](const auto& element) { return energy_gradient(element); });
  team.barrier();
  const Share mine = team.share(world.particles.padded(), particle_block);
  for (std::int64_t i = mine.begin; i < mine.end; ++i) {
    const std::size_t p = std::size_t(i);
    const double w = double(world.particles.position[p].w);
    gradient[p] = w == 0.0 ? glm::dvec3(0.0)
                           : inverse_h_squared_ / w * (x_[p] + step * direction[p] - y_[p]) + vectors_.sum(p);
  }
}

void Objective::evaluate_scale(const World& world, Team& team) {
  gather(world, 0.0, team, []<class Type>(const Element<Type>& element) {
    ElementVector<Type> out{};
    const Linearized<Type> c(element);
    if (!c.acts()) return out;
    for (std::size_t k = 0; k < c.C.size(); ++k) {
      std::array<double, Element<Type>::rows> unit{};
      unit[k] = 1.0;
      const double stiffness = times_stiffness(element, unit)[k];
      for (std::size_t j = 0; j < out.size(); ++j)
        out[j].x += stiffness * glm::dot(c.gradient[k][j], c.gradient[k][j]);
    }
    return out;
  });
  team.barrier();
  const Share mine = team.share(world.particles.padded(), particle_block);
  for (std::int64_t i = mine.begin; i < mine.end; ++i) {
    const std::size_t p = std::size_t(i);
    const double w = double(world.particles.position[p].w);
    scale[p] = w == 0.0 ? 1.0 : inverse_h_squared_ / w + vectors_.sum(p).x;
  }
}

double Objective::slope(const World& world, Team& team) {
  const Share mine = team.share(world.particles.padded(), particle_block);
  if (team.rank() == 0)
    std::fill(chunk_.begin(), chunk_.begin() + std::ptrdiff_t(chunks_of_constraints_), 0.0);
  for (std::int64_t b = mine.begin; b < mine.end; b += particle_block) {
    double sum = 0.0;
    for (std::size_t p = std::size_t(b); p < std::size_t(b + particle_block); ++p)
      sum += glm::dot(gradient[p], direction[p]);
    for_contacts(world, b, b + particle_block, 0.0, [&](const ContactAt& at) {
      const glm::dvec3& d = direction[std::size_t(at.contact.particle)];
      if (at.depth > 0.0) sum -= at.k * at.depth * glm::dot(at.normal, d);
      sum += glm::dot(friction_[at.place].at(at.slip), d);
    });
    chunk_[chunks_of_constraints_ + std::size_t(b / particle_block)] = sum;
  }
  return total(team);
}

bool Objective::promises(double fall, double start) {
  return fall < -std::numeric_limits<double>::epsilon() * std::abs(start);
}

bool Objective::falls(const World& world, double step, double start, double slope, Team& team) {
  constexpr double share = 1e-4;
  return value(world, step, team) <= start + share * step * slope;
}

void Objective::go(double step, const World& world, Team& team) {
  const Share mine = team.share(world.particles.padded(), particle_block);
  for (std::int64_t i = mine.begin; i < mine.end; ++i) x_[std::size_t(i)] += step * direction[std::size_t(i)];
}

double Objective::search(const World& world, double step, Team& team) {
  constexpr int most_halvings = 40;
  const double start = value(world, 0.0, team), fall = slope(world, team);
  for (int n = 0; n < most_halvings && promises(step * fall, start); ++n, step *= 0.5)
    if (falls(world, step, start, fall, team)) {
      go(step, world, team);
      return step;
    }
  return 0.0;
}

/// Sweeps have removed the depth that the last iteration left; its pressures are in pressed_.
bool Objective::find_friction(const World& world) {
  bool any = false;
  if (world.settings.solver.contact->friction_model != FrictionModel::positional) return false;
  for_contacts(world, 0, world.particles.padded(), 0.0, [&](const ContactAt& at) {
    Friction& friction = friction_[at.place];
    const double most =
        double(at.contact.friction) * at.k * std::max(at.depth, pressed_[at.place] / hardness);
    const double slip = glm::length(at.slip);
    if (!(most > 0.0)) {
      friction = {};
      return;
    }
    any = true;
    const bool slides =
        friction.stiffness > 0.0 ? friction.stiffness * slip > most : glm::dot(friction.force, at.slip) > 0.0;
    friction = slides ? Friction{0.0, most / slip * at.slip} : Friction{at.k, glm::dvec3(0.0)};
  });
  return any;
}

/// Adds to the contacts the amount by which they push more than before the iteration.
void Objective::note_pushes(const World& world, std::int64_t begin, std::int64_t end) {
  for_contacts(world, begin, end, 0.0, [&](const ContactAt& at) {
    const double now = std::max(0.0, hardness * at.depth);
    at.contact.pushed += real(now - pressed_[at.place]);
    pressed_[at.place] = now;
  });
}

void Objective::finish(World& world, Team& team) {
  const Share mine = team.share(world.particles.padded(), particle_block);
  for (std::int64_t i = mine.begin; i < mine.end; ++i) {
    const std::size_t p = std::size_t(i);
    vec4& at = world.particles.moved[p];
    if (at.w != real(0)) at = vec4(vec3(x_[p] - glm::dvec3(world.particles.origin[p])), at.w);
    left_[p] = vec3(at);
  }
  note_pushes(world, mine.begin, mine.end);
  write_multipliers(world, team);
}

void Objective::write_multipliers(World& world, Team& team) const {
  team.barrier();  // other threads have written particles of these constraints
  for_own_elements(world, 0.0, team, [&](auto type, std::size_t s, const auto& element) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    auto& lambda = std::get<type>(*world.matter.constraints).lambda;
    const Linearized<Type> c(element);
    const auto force = times_stiffness(element, c.C);
    for (std::size_t k = 0; k < force.size(); ++k)
      lambda[k][s] = c.acts() ? real(-force[k] / inverse_h_squared_) : real(0);
  });
}

}}  // namespace limber::LIMBER_PRECISION
