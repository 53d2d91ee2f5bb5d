#include "engine/parts/fluids/thick_fluid.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/parts/fluids/fluid_drag.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

void ThickFluid::reserve(const World& world, std::size_t sorted) {
  for (AlignedVector<vec4>* rows : {&given_, &found_, &left_, &along_, &image_, &walls_})
    rows->assign(sorted, vec4(0));
  weight_.assign(sorted, 0.0);
  pulled_.assign(std::size_t(world.particles.padded()), vec4(0));
  first_.assign(sorted / lane_group + 1, 0.0), second_.assign(sorted / lane_group + 1, 0.0);
}

/// Sums the conductances of walls, and their velocities weighted with these, for the particles of this
/// thread's blocks.
void ThickFluid::load_walls(const World& world, const StaticContacts* colliders, real h, const Team& team) {
  const FluidDrag drag(world, h);
  const real radius = real(world.settings.solver.contact->particle_radius);
  const Share blocks = team.share(world.particles.padded() / particle_block);
  std::fill(pulled_.begin() + blocks.begin * particle_block, pulled_.begin() + blocks.end * particle_block,
            vec4(0));
  for (std::int64_t b = blocks.begin; colliders && b < blocks.end; ++b)
    for (const StaticContact& contact : colliders->of_block(std::int32_t(b))) {
      if (!world.topology->fluid.takes_part(contact.particle)) continue;
      const vec3 x(world.particles.position[std::size_t(contact.particle)]);
      const real distance = glm::dot(contact.normal, x) - contact.offset + radius;
      const real k = drag.at(real(material_of(world, contact.particle).viscosity), distance);
      pulled_[std::size_t(contact.particle)] += vec4((k / h) * contact.slide, k);
    }
}

/// The sum of number(k) over all sorted particles k, the same for every number of threads: slices add up by
/// themselves, and every thread adds their sums in one order. With a barrier.
template <class Number>
double ThickFluid::sum(std::vector<double>& partial, const Range& mine, Team& team, const Number& number) {
  for (std::int64_t from = mine.begin; from < mine.end; from += lane_group) {
    double part = 0.0;
    for (std::int64_t k = from; k < from + lane_group; ++k) part += number(std::size_t(k));
    partial[std::size_t(from / lane_group)] = part;
  }
  team.barrier();
  double all = 0.0;
  for (std::size_t s = 0; s < slices_; ++s) all += partial[s];
  return all;
}

/// to = (1 + W (K + walls)) along, for the particles of `mine`.
void ThickFluid::apply(FluidView<real>& view, AlignedVector<vec4>& to, const Range& mine) {
  kernels_.calm(view, mine.begin, mine.end);
  for (std::int64_t k = mine.begin; k < mine.end; ++k) {
    const std::size_t s = std::size_t(k);
    to[s] = vec4((1 + walls_[s].w) * vec3(along_[s]) - vec3(to[s]), real(0));
  }
}

/// Sum of squares of `rows`, weighted with masses.
double ThickFluid::square_of(const AlignedVector<vec4>& rows, std::vector<double>& partial, const Range& mine,
                             Team& team) {
  return sum(partial, mine, team, [&](std::size_t s) {
    const glm::dvec3 v(rows[s]);
    return weight_[s] * glm::dot(v, v);
  });
}

/// Loads v*, walls, masses, and the velocities before forces came: where a flow has become steady, these are
/// the answer.
void ThickFluid::load(const World& world, const Fluid& fluid, real h, const Range& mine) {
  const NeighbourLists& lists = fluid.lists;
  const vec3 fallen = h * vec3(world.settings.solver.motion->gravity);
  for (std::int64_t k = mine.begin; k < mine.end; ++k) {
    const std::size_t s = std::size_t(k);
    fluid.limits[s] = vec4(0, 0, 0, 1);
    left_[s] = image_[s] = walls_[s] = given_[s] = found_[s] = along_[s] = vec4(0);
    weight_[s] = 0.0;
    if (k >= lists.count()) continue;
    const std::size_t i = std::size_t(lists.particle(k));
    const real w = world.particles.position[i].w;
    given_[s] = along_[s] = vec4((1 / h) * way_of(world.particles, i), real(0));
    walls_[s] = w * pulled_[i];
    weight_[s] = w > real(0) ? 1.0 / double(w) : 0.0;
    found_[s] = w > real(0) ? vec4(vec3(world.particles.velocity[i]) - fallen, real(0)) : given_[s];
  }
}

/// left = b - A along.
void ThickFluid::leave(FluidView<real>& view, AlignedVector<vec4>& left, const Range& mine) {
  view.gained = flat(left);
  apply(view, left, mine);
  for (std::int64_t k = mine.begin; k < mine.end; ++k) {
    const std::size_t s = std::size_t(k);
    left[s] = vec4(vec3(given_[s]) + vec3(walls_[s]) - vec3(left[s]), real(0));
    if (!(weight_[s] > 0.0)) left[s] = vec4(0);
  }
}

/// Begins at v* or at the velocities before, whichever leaves less; returns the square of the residual.
double ThickFluid::choose_start(FluidView<real>& view, double& whole, const Range& mine, Team& team) {
  leave(view, left_, mine);
  whole = square_of(given_, first_, mine, team);
  const double of_given = square_of(left_, second_, mine, team);
  for (std::int64_t k = mine.begin; k < mine.end; ++k) along_[std::size_t(k)] = found_[std::size_t(k)];
  team.barrier();
  leave(view, image_, mine);
  const double of_found = square_of(image_, first_, mine, team);
  const bool goes_on = of_found < of_given;
  if (goes_on)
    std::copy(image_.begin() + mine.begin, image_.begin() + mine.end, left_.begin() + mine.begin);
  else
    std::copy(given_.begin() + mine.begin, given_.begin() + mine.end, found_.begin() + mine.begin);
  std::copy(left_.begin() + mine.begin, left_.begin() + mine.end, along_.begin() + mine.begin);
  return goes_on ? of_found : of_given;
}

/// Conjugate gradients, from a residual of square `left` until it is `enough`; returns what is left.
double ThickFluid::descend(FluidView<real>& view, double left, double enough, const Range& mine, Team& team) {
  int sweeps = 0;
  for (; sweeps < most_sweeps && left > enough; ++sweeps) {
    team.barrier();
    view.gained = flat(image_);
    apply(view, image_, mine);
    const double steep = sum(second_, mine, team, [&](std::size_t s) {
      return weight_[s] * glm::dot(glm::dvec3(along_[s]), glm::dvec3(image_[s]));
    });
    if (!(steep > 0.0)) break;
    const real step = real(left / steep);
    for (std::int64_t k = mine.begin; k < mine.end; ++k) {
      const std::size_t s = std::size_t(k);
      found_[s] += step * along_[s];
      if (weight_[s] > 0.0) left_[s] -= step * image_[s];
    }
    const double now = square_of(left_, first_, mine, team);
    const real turn = real(now / left);
    for (std::int64_t k = mine.begin; k < mine.end; ++k)
      along_[std::size_t(k)] = left_[std::size_t(k)] + turn * along_[std::size_t(k)];
    left = now;
  }
  if (team.rank() == 0) sweeps_ = sweeps;
  return left;
}

/// Moves the particles of the fluid by what the solution gained, and adds it to the velocities of grains that
/// the fluid drags along.
void ThickFluid::hand_out(World& world, const NeighbourLists& lists, TouchedParts* touched, real h,
                          const Range& mine) {
  for (std::int64_t k = mine.begin; k < std::min(mine.end, lists.count()); ++k) {
    const std::size_t s = std::size_t(k), i = std::size_t(lists.particle(k));
    const vec3 gained = vec3(found_[s]) - vec3(given_[s]);
    if (!(weight_[s] > 0.0) || gained == vec3(0)) continue;
    if (world.topology->fluid.takes_part(lists.particle(k)))
      move_particle(world.particles, i, h * gained);
    else
      world.particles.velocity[i] += vec4(gained, real(0));
    if (touched) touched->touch_particle(std::int32_t(i));
  }
}

void ThickFluid::solve(World& world, const Fluid& fluid, const StaticContacts* colliders,
                       TouchedParts* touched, real h, Team& team) {
  const NeighbourLists& lists = fluid.lists;
  const Share slices = team.share(lists.slices());
  const Range mine{slices.begin * lane_group, slices.end * lane_group};
  if (team.rank() == 0) slices_ = std::size_t(lists.slices());
  load_walls(world, colliders, h, team);
  team.barrier();
  load(world, fluid, h, mine);
  if (team.rank() == 0) {
    const std::size_t nobody = std::size_t(lists.nobody());
    along_[nobody] = vec4(0), fluid.limits[nobody] = vec4(0, 0, 0, 1);
  }
  FluidView<real> view = fluid.view;
  view.velocity = flat(along_);
  team.barrier();
  double whole = 0.0;
  const double start = choose_start(view, whole, mine, team);
  const double left = descend(view, start, tolerance * tolerance * whole, mine, team);
  if (team.rank() == 0) residual_ = whole > 0.0 ? std::sqrt(left / whole) : 0.0;
  hand_out(world, lists, touched, h, mine);
}

}}  // namespace limber::LIMBER_PRECISION
