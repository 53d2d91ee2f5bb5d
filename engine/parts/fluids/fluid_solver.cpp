#include "engine/parts/fluids/fluid_solver.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <numbers>

#include "engine/core/fluid_viscosity.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/fluid.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/surface_tension.hpp"
#include "engine/parallel/visits.hpp"
#include "engine/parts/fluids/fluid_drag.hpp"
#include "engine/state/heat_state.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// omega of the Jacobi iteration: neighbours correct the same error at the same time.
constexpr real relaxation = real(0.5);
/// Share k of the last substep's pressure with which the next substep starts. With a larger share, modes that
/// the iterations hardly reduce grow: if they leave the share b of a mode, z^2 (z - b k) = b (2 z - 1) (z -
/// k) has |z| > 1 for k = 0.7, b = 0.8.
constexpr real kept_pressure = real(0.5);
/// Upper bound of C: a stronger compression is removed over several substeps.
constexpr real most_compression = real(0.25);

/// For two-sided C, minus the lower bound of C. A few neighbours cannot be pulled together to the rest
/// density; trying to do so would only give velocity.
constexpr real most_dilation = real(0.1);

/// m, coordinates of the distant particle to which unused indices point.
constexpr real far_away = real(1e15);

/// Pa s, viscosity of particle i: that at the liquidus, decreasing with temperature.
real viscosity_of(const World& world, const Material& material, std::size_t i) {
  if (!(material.thinning > 0.0) || world.heat->empty()) return real(material.viscosity);
  const double warmer = (world.heat->temperature[i] - material.liquidus) / material.thinning;
  return real(material.viscosity * std::exp(-std::clamp(warmer, -10.0, 10.0)));
}

real radius_of(const World& world) { return real(world.settings.solver.contact->particle_radius); }

FluidKernel<real> kernel_of(const World& world) {
  return FluidKernel<real>::of_radius(world.settings.solver.contact->particle_radius);
}

}  // namespace

void FluidSolver::reserve(const World& world) {
  if (!enabled(world)) return;
  const std::size_t members = world.topology->fluid.members.size() + world.topology->matter.members.size();
  lists_.reserve(members);
  members_.reserve(members);
  sheets_.reserve(world);
  rods_.reserve(world);
  film_.reserve(world);
  walls_.assign(std::size_t(world.particles.padded()), FluidWall{});
  pushed_.assign(std::size_t(world.particles.padded()), real(0));
  const std::size_t sorted = (members + lane_group - 1) / lane_group * lane_group + lane_group;
  for (AlignedVector<vec4>* rows :
       {&points_, &pressed_, &moved_, &push_, &velocity_, &matter_, &curl_, &slope_, &gained_})
    rows->assign(sorted, vec4(0));
  for (AlignedVector<real>* numbers : {&wall_, &fluid_, &density_, &lambda_, &vorticity_, &spread_})
    numbers->assign(sorted, real(0));
  thick_fluid_.reserve(world, sorted);
}

FluidSolver::Range FluidSolver::own(const Team& team) const {
  const Share mine = team.share(lists_.slices());
  return {mine.begin * lane_group, mine.end * lane_group};
}

void FluidSolver::list_members(const World& world) {
  const FluidMatter& fluid = world.topology->fluid;
  members_.clear();
  for (const std::int32_t i : fluid.members)
    if (world.matter.fluid.present[std::size_t(i)]) members_.push_back(i);
  members_.insert(members_.end(), world.topology->matter.members.begin(),
                  world.topology->matter.members.end());
  lightest_ = lightest(fluid, world.particles.inverse_mass);
  several_densities_ = false;
  for (const std::int32_t i : fluid.members)
    several_densities_ |= world.particles.inverse_mass[std::size_t(i)] !=
                          world.particles.inverse_mass[std::size_t(fluid.members.front())];
  alike_ = !several_densities_ && world.topology->matter.members.empty();
  viscous_ = smooth_ = limited_ = whirls_ = sticks_ = adheres_ = false;
  for (const Material& material : world.settings.materials) {
    viscous_ |= material.viscosity > 0.0;
    smooth_ |= material.smoothing() > 0.0;
    whirls_ |= material.vorticity > 0.0;
    sticks_ |= material.surface_tension > 0.0;
    limited_ |= material.viscosity > 0.0 || material.smoothing() > limited_xsph;
    adheres_ |= material.adhesion > 0.0;
  }
}

/// Loads the values that are constant in a substep. Returns the largest ratio of viscosity and the largest
/// viscosity that an explicit step permits.
double FluidSolver::load_matter(const World& world, real h, const Range& mine) {
  double most = 0.0;
  const FluidKernel<real> kernel = kernel_of(world);
  const real per_volume = 1 / kernel.volume;  // densities are computed as if particles were packed
  const real iterations = real(world.settings.solver.step->iterations),
             share = real(world.settings.solver.fluid->s_corr_k);
  for (std::int64_t k = mine.begin; k < mine.end; ++k) {
    const std::size_t s = std::size_t(k);
    if (k >= lists_.count()) {
      points_[s] = pressed_[s] = vec4(far_away, far_away, far_away, 0);
      matter_[s] = vec4(1, 0, 0, 0);
      wall_[s] = fluid_[s] = lambda_[s] = vorticity_[s] = spread_[s] = real(0);
      push_[s] = vec4(0);
      continue;
    }
    const std::int32_t i = lists_.particle(k);
    const real w = world.particles.inverse_mass[std::size_t(i)], mass = w > real(0) ? 1 / w : real(0);
    const Material& material = material_of(world, i);
    const bool fluid = world.topology->fluid.takes_part(i);
    matter_[s] = vec4(mass * per_volume, viscosity_of(world, material, std::size_t(i)),
                      real(forces_per_tension * material.surface_tension), mass);
    if (fluid && mass > real(0) && !is_held_frozen(*world.heat, std::size_t(i)))
      most = std::max(most, double(matter_[s].y) /
                                most_viscosity(double(mass * per_volume), double(kernel.support), double(h)));
    vorticity_[s] = fluid ? real(material.vorticity) * kernel.support : real(0);
    spread_[s] = fluid ? kernel.spread(share, mass) / iterations : real(0);
    fluid_[s] = fluid ? real(1) : real(0);
    lambda_[s] = fluid ? world.matter.fluid.pressure[std::size_t(i)] : real(0);
  }
  return most;
}

/// Position of particle i for the kernels, relative to the origin of the first member, so that numbers are as
/// small as the fluid's extent, wherever it is.
vec4 FluidSolver::seen(const World& world, std::size_t i) const {
  const Particles& particles = world.particles;
  const vec3 from(particles.origin[std::size_t(members_.front())]);
  return vec4((vec3(particles.origin[i]) - from) + vec3(particles.moved[i]), particles.position[i].w);
}

void FluidSolver::load_points(const World& world, const Range& mine) {
  const std::int64_t end = std::min(mine.end, lists_.count());
  for (std::int64_t k = mine.begin; k < end; ++k) {
    const std::size_t s = std::size_t(k), i = std::size_t(lists_.particle(k));
    points_[s] = seen(world, i);
    wall_[s] = 1 - walls_[i].free;
    push_[s] = vec4(walls_[i].push, walls_[i].give);
  }
}

/// Computes the walls of the particles: colliders, bodies and sheets at their present positions.
void FluidSolver::load_walls(const World& world, const Walls& walls, Team& team) {
  const bool sheets = FluidSheets::enabled(world);
  if (!walls.colliders && !walls.coupling && !sheets) return;
  const real support = kernel_of(world).support, radius = radius_of(world);
  const Share blocks = team.share(world.particles.padded() / particle_block);
  std::fill(walls_.begin() + blocks.begin * particle_block, walls_.begin() + blocks.end * particle_block,
            FluidWall{});
  std::fill(pushed_.begin() + blocks.begin * particle_block, pushed_.begin() + blocks.end * particle_block,
            real(0));
  for (std::int64_t b = blocks.begin; walls.colliders && b < blocks.end; ++b)
    for (const StaticContact& contact : walls.colliders->of_block(std::int32_t(b))) {
      const std::size_t i = std::size_t(contact.particle);
      const real distance = glm::dot(contact.normal, vec3(world.particles.position[i])) - contact.offset +
                            radius - film_.thickness(i, contact.normal);
      walls_[i].add(std::min(share_before_wall(support, distance), fullest_wall),
                    slope_before_wall(support, distance), contact.normal);
    }
  if (walls.coupling) {
    team.barrier();
    walls.coupling->fill(world, *walls.bodies, support, film_, walls_, team);
  }
  if (sheets) {
    team.barrier();
    sheets_.fill(world, support, film_, walls_, team);
  }
}

FluidView<real> FluidSolver::view(const World& world, real h) {
  const FluidKernel<real> kernel = kernel_of(world);
  FluidView<real> view{};
  view.near = lists_.view();
  view.kernel = kernel;
  view.points = flat(points_);
  view.wall = wall_.data();
  view.push = flat(push_);
  view.fluid = fluid_.data();
  view.density = density_.data();
  view.lambda = lambda_.data();
  view.pressed = flat(pressed_);
  view.moved = flat(moved_);
  view.relaxation = relaxation;
  const FluidSettings& fluid = *world.settings.solver.fluid;
  view.eps = real(fluid.epsilon) / kernel.support2;
  view.softness = 0;
  view.most = most_compression;
  const bool two_sided = fluid.density_law == DensityLaw::two_sided;
  view.least_C = two_sided ? -most_dilation : real(-1);
  view.least = two_sided ? -std::numeric_limits<real>::infinity() : real(0);
  view.spread_power = fluid.s_corr_n;
  view.inverse_spread = kernel.inverse_spread(real(fluid.s_corr_dq));
  view.velocity = flat(velocity_);
  view.matter = flat(matter_);
  view.curl = flat(curl_);
  view.slope = flat(slope_);
  view.gained = flat(gained_);
  view.h = h;
  view.vorticity = vorticity_.data();
  return view;
}

void FluidSolver::begin_substep(World& world, real h, Team& team) {
  if (team.rank() == 0) {
    pressed_step_ = real(world.settings.solver.contact->particle_radius);
    list_members(world);
    steps_.assign(std::size_t(team.size()), real(0));
    most_viscous_.assign(std::size_t(team.size()), 0.0);
  }
  team.barrier();  // all threads must have predicted their particles
  lists_.find(world, members_, world.particles.position, kernel_of(world).support, kernels_, team);
  const Range mine = own(team);
  most_viscous_[std::size_t(team.rank())] = load_matter(world, h, mine);
  if (team.rank() == 0) {
    const std::size_t nobody = std::size_t(lists_.nobody());
    points_[nobody] = pressed_[nobody] = vec4(far_away, far_away, far_away, 0);
    matter_[nobody] = vec4(1, 0, 0, 0);
    velocity_[nobody] = curl_[nobody] = slope_[nobody] = vec4(0);
    moved_[nobody] = vec4(0, 0, 0, 1);
  }
  real longest = 0;
  const real before = world.matter.fluid.step;
  const real scale = kept_pressure * (before > real(0) ? (h / before) * (h / before) : real(0));
  for (std::int64_t k = mine.begin; k < std::min(mine.end, lists_.count()); ++k) {
    const std::size_t s = std::size_t(k), i = std::size_t(lists_.particle(k));
    points_[s] = seen(world, i);
    longest = std::max(longest,
                       glm::length(vec3(world.particles.moved[i]) - vec3(world.particles.moved_before[i])));
    // Negative multipliers without effect would grow from substep to substep.
    lambda_[s] = std::max(lambda_[s], real(0)) * scale;
    pressed_[s] = vec4(vec3(points_[s]), lambda_[s]);
  }
  steps_[std::size_t(team.rank())] = longest;
  if (team.rank() == 0) {
    warm_ = true;
    several_densities_ ? film_.begin(world) : film_.clear();
  }
  team.barrier();
  if (team.rank() == 0)  // read after the barriers of the iterations
    thick_ = *std::max_element(most_viscous_.begin(), most_viscous_.end()) > 1.0;
  if (several_densities_)
    film_.measure(world, lists_, points_, matter_, fluid_, kernel_of(world), mine.begin,
                  std::min(mine.end, lists_.count()));
  if (FluidSheets::enabled(world)) sheets_.aim(world, lists_, stray(), kernel_of(world), team);
}

real FluidSolver::stray() const {
  return steps_.empty() ? 0 : *std::max_element(steps_.begin(), steps_.end()) + pressed_step_;
}

/// Applies the pressure corrections in `pressed_` to the particles, and the opposite ones to bodies and
/// sheets.
void FluidSolver::move(World& world, const Walls& walls, const FluidView<real>& now, const Range& mine,
                       Team& team) {
  kernels_.move(now, mine.begin, mine.end);
  const std::int64_t end = std::min(mine.end, lists_.count());
  for (std::int64_t k = mine.begin; k < end; ++k) {
    const std::size_t s = std::size_t(k), i = std::size_t(lists_.particle(k));
    if (vec3(moved_[s]) != vec3(0)) {  // keeps the signs of zeros
      move_particle(world.particles, i, vec3(moved_[s]));
      if (walls.touched) walls.touched->touch_particle(std::int32_t(i));
    }
    pushed_[i] = pressed_[s].w;
  }
  const bool sheets = FluidSheets::enabled(world);
  if (!walls.coupling && !sheets) return;
  team.barrier();
  if (walls.coupling) walls.coupling->press(world, *walls.bodies, walls_, pushed_, team);
  if (sheets) sheets_.press(world, walls_, pushed_, walls.touched, team);
}

void FluidSolver::project(World& world, const Walls& walls, real h, Team& team) {
  const Range mine = own(team);
  const auto load = [&] {
    load_walls(world, walls, team);
    team.barrier();
    load_points(world, mine);
    team.barrier();
  };
  load();
  FluidView<real> now = view(world, h);
  if (warm_) {
    move(world, walls, now, mine, team);
    team.barrier();
    if (team.rank() == 0) warm_ = false;
    load();
  }
  now.spread = now.kernel.spread(real(world.settings.solver.fluid->s_corr_k), lightest_) /
               real(world.settings.solver.step->iterations);
  now.spreads = alike_ ? nullptr : spread_.data();
  tell_visit(Visited::fluids, 0, 0, mine.begin, mine.end);
  kernels_.press(now, mine.begin, mine.end);
  team.barrier();
  move(world, walls, now, mine, team);
}

void FluidSolver::calm(World& world, real h, const Range& mine, Team& team) {
  FluidView<real> now = view(world, h);
  if (limited_) {
    kernels_.weigh(now, mine.begin, mine.end);
    team.barrier();
    kernels_.calm(now, mine.begin, mine.end);
  } else {
    kernels_.smooth(now, mine.begin, mine.end);
  }
}

void FluidSolver::thicken(World& world, const Walls& walls, real h, Team& team) {
  const Range mine = own(team);
  load_points(world, mine);
  team.barrier();
  thick_fluid_.solve(world, {lists_, view(world, h), moved_}, walls.colliders, walls.touched, h, team);
}

void FluidSolver::end_substep(World& world, const Walls& walls, real h, Team& team) {
  if (team.rank() == 0) world.matter.fluid.step = h;
  const Range mine = own(team);
  const std::int64_t end = std::min(mine.end, lists_.count());
  const real per_volume = 1 / kernel_of(world).volume;
  for (std::int64_t k = mine.begin; k < end; ++k) {
    const std::size_t s = std::size_t(k), i = std::size_t(lists_.particle(k));
    if (fluid_[s] > real(0)) world.matter.fluid.pressure[i] = lambda_[s];
    const std::int32_t particle = lists_.particle(k);
    const bool fluid = world.topology->fluid.takes_part(particle);
    points_[s] = seen(world, i);
    velocity_[s] = vec4(vec3(world.particles.velocity[i]),
                        fluid ? real(material_of(world, particle).smoothing()) : real(0));
    matter_[s].x = std::max(density_[s], real(0.1)) * matter_[s].w * per_volume;
    gained_[s] = vec4(0);
    if (thick_) matter_[s].y = 0;  // thicken() has applied the viscosity
  }
  const bool calms = (viscous_ && !thick_) || smooth_;
  if (calms || whirls_ || sticks_) {
    team.barrier();
    FluidView<real> now = view(world, h);
    if (calms) calm(world, h, mine, team);
    if (whirls_) kernels_.curl(now, mine.begin, mine.end);
    if (sticks_) kernels_.slope(now, mine.begin, mine.end);
    if (whirls_ || sticks_) team.barrier();
    if (whirls_) kernels_.confine(now, mine.begin, mine.end);
    if (sticks_) kernels_.pull(now, mine.begin, mine.end);
    add_gained(world, walls, mine);
  }
  if (adheres_) {
    team.barrier();
    adhere(world, walls, h, mine, team);
  }
  if ((adheres_ || viscous_) && FluidSheets::enabled(world)) {
    team.barrier();
    sheets_.stick(world, h, walls.touched, team);
  }
  if (!FluidRods::enabled(world)) return;
  team.barrier();
  rods_.act(world, {&lists_.search(), stray(), kernel_of(world), h}, walls.touched, team);
}

/// Applies the attraction between fluids and the balls of grains and clusters to the particles of `mine`.
/// Balls that lie side by side in a plane attract as much as a plane wall: the force of a pair is
///
///   c A(r),   A(r) = 12 u (1 - u)/H,  u = 2 r/H - 1 > 0,   c = 4 R^2 adhesion (2 R)^2/(2 pi 0.2875 H^2)
///
/// whose normal parts add up to adhesion_of_plane(): 2 pi d int_d^H A dr/(2 R)^2 = d (1 - u^2 (3 - 2 u)).
void FluidSolver::adhere_to_balls(World& world, const Walls& walls, real h, const Range& mine) const {
  const real radius = radius_of(world), support = kernel_of(world).support;
  const real scale = 16 * radius * radius * radius * radius /
                     (2 * std::numbers::pi_v<real> * real(0.2875) * support * support);
  const NeighbourSlices near = lists_.view();
  const std::int64_t end = std::min(mine.end, lists_.count());
  for (std::int64_t k = mine.begin; k < end; ++k) {
    const std::size_t own = std::size_t(k);
    const std::int32_t slice = std::int32_t(k / lane_group);
    vec3 sum(0);
    for (std::int32_t c = 0; c < near.columns[slice]; ++c) {
      const std::int32_t at = near.column(slice, c)[k % lane_group];
      if (at >= lists_.count()) break;
      const std::size_t other = std::size_t(at);
      if (fluid_[own] == fluid_[other]) continue;
      const std::int32_t wet = lists_.particle(fluid_[own] > real(0) ? k : std::int64_t(at));
      const vec3 way = vec3(points_[other]) - vec3(points_[own]);
      const real r = glm::length(way), u = 2 * r / support - 1;
      if (!(u > real(0)) || !(u < real(1))) continue;
      const real pull = real(material_of(world, wet).adhesion) * scale * 12 * u * (1 - u) / support;
      sum += (pull / r) * way;
    }
    const std::size_t i = std::size_t(lists_.particle(k));
    if (sum == vec3(0) || !(world.particles.position[i].w > real(0))) continue;
    world.particles.velocity[i] += vec4((h * world.particles.position[i].w) * sum, real(0));
    if (walls.touched) walls.touched->touch_particle(std::int32_t(i));
  }
}

/// Applies the attraction of colliders, grains and clusters to the particles of this thread, and that between
/// bodies and particles in both directions.
void FluidSolver::adhere(World& world, const Walls& walls, real h, const Range& mine, Team& team) {
  const real radius = radius_of(world);
  if (!world.topology->matter.empty()) {
    adhere_to_balls(world, walls, h, mine);
    team.barrier();
  }
  const Share blocks = team.share(world.particles.padded() / particle_block);
  for (std::int64_t b = blocks.begin; walls.colliders && b < blocks.end; ++b)
    for (const StaticContact& contact : walls.colliders->of_block(std::int32_t(b))) {
      const std::size_t i = std::size_t(contact.particle);
      const real adhesion = real(material_of(world, contact.particle).adhesion);
      if (!(adhesion > real(0)) || !world.topology->fluid.takes_part(contact.particle)) continue;
      const vec4& x = world.particles.position[i];
      const real distance = glm::dot(contact.normal, vec3(x)) - contact.offset + radius;
      const vec3 impulse = (-h * adhesion_of_plane(adhesion, radius, distance)) * contact.normal;
      world.particles.velocity[i] += vec4(x.w * impulse, real(0));
    }
  if (!walls.coupling) return;
  team.barrier();
  walls.coupling->adhere(world, *walls.bodies, h, team);
}

void FluidSolver::add_gained(World& world, const Walls& walls, const Range& mine) {
  const std::int64_t end = std::min(mine.end, lists_.count());
  for (std::int64_t k = mine.begin; k < end; ++k) {
    const std::size_t i = std::size_t(lists_.particle(k));
    const vec3 gained(gained_[std::size_t(k)]);
    if (!(world.particles.position[i].w > real(0)) || gained == vec3(0)) continue;
    world.particles.velocity[i] += vec4(gained, real(0));
    if (walls.touched) walls.touched->touch_particle(std::int32_t(i));
  }
}

}}  // namespace limber::LIMBER_PRECISION
