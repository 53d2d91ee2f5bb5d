#include "engine/method/hierarchical.hpp"

#include "engine/parallel/visits.hpp"
#include "engine/state/schedule.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr std::int32_t slots_at_once = 8 * lane_group;  // slots that are shared out together
constexpr std::int32_t followers_at_once = 64;

}  // namespace

void Hierarchical::prepare(const World& world) {
  finest_.prepare(world);
  levels_ = build_hierarchy(world);
  edition_ = world.topology->edition;
  start_.resize(world.particles.position.size());
}

void Hierarchical::load(const World& world, Team& team) {
  if (team.rank() == 0 && world.topology->edition != edition_) {
    levels_ = build_hierarchy(world);
    edition_ = world.topology->edition;
  }
  team.barrier();
  finest_.load(world, team);
}

/// Sets the inverse masses of a level's members, which include the masses of their followers; fixed members
/// stay fixed.
void Hierarchical::weigh(const HierarchyLevel& level, World& world, const Team& team) const {
  const Share mine = team.share(std::int64_t(level.members.size()), followers_at_once);
  for (std::int64_t m = mine.begin; m < mine.end; ++m) {
    real& w = world.particles.moved[std::size_t(level.members[std::size_t(m)])].w;
    if (w != real(0)) w = level.inverse_mass[std::size_t(m)];
  }
}

/// Projects the distance limits of a level once, colour after colour.
void Hierarchical::pull(HierarchyLevel& level, const real* origin, real* points, ColorTurns& turns) {
  const auto limits = view(level.limits, level.state);
  for (const ColorRun color : level.colors) {
    const Share mine = turns.next(color.end - color.begin, false, slots_at_once);
    tell_visit(Visited::level_limits, 0, -1, color.begin + mine.begin, color.begin + mine.end);
    std::get<ProjectFunction<Rope, real>>(kernels_.project)(
        limits, color.begin + std::int32_t(mine.begin), color.begin + std::int32_t(mine.end), points,
        {false, true, real(1), false, nullptr, real(0), origin});
  }
}

void Hierarchical::follow(const HierarchyLevel& level, World& world, Team& team) const {
  const Share mine = team.share(std::int64_t(level.followers.size()), followers_at_once);
  for (std::int64_t f = mine.begin; f < mine.end; ++f) {
    const HierarchyLevel::Follower& follower = level.followers[std::size_t(f)];
    vec4& x = world.particles.moved[std::size_t(follower.particle)];
    if (x.w == real(0)) continue;
    vec3 moved(0);
    for (std::int32_t k = follower.first_parent; k < follower.end_parent; ++k) {
      const HierarchyLevel::Parent& parent = level.parents[std::size_t(k)];
      const std::size_t p = std::size_t(parent.particle);
      moved += parent.weight * (vec3(world.particles.moved[p]) - vec3(start_[p]));
    }
    x += vec4(moved, real(0));
  }
}

void Hierarchical::iterate(World& world, const Sweep<real>& sweep, Team& team) {
  const Share particles = team.share(world.particles.padded(), particle_block);
  std::copy(world.particles.moved.begin() + particles.begin, world.particles.moved.begin() + particles.end,
            start_.begin() + particles.begin);
  team.barrier();
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    weigh(*level, world, team);
    team.barrier();
    ColorTurns turns(team);
    pull(*level, sweep.origin, flat(world.particles.moved), turns);
    turns.finish();
    follow(*level, world, team);
    team.barrier();
  }
  if (!levels_.empty()) {  // restores the particles' own inverse masses
    for (std::int64_t i = particles.begin; i < particles.end; ++i)
      world.particles.moved[std::size_t(i)].w = start_[std::size_t(i)].w;
    team.barrier();
  }
  finest_.iterate(world, sweep, team);
}

}}  // namespace limber::LIMBER_PRECISION
