// Where a search foretells the particles to go, and how far they may be from there.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "engine/contact/cloth/surface_search.hpp"
#include "engine/core/settings/material.hpp"

namespace limber::inline LIMBER_PRECISION {
namespace {

/// Cloth is at least this share of half its shortest edge thick, or there would be nothing to keep apart.
constexpr real thinnest = real(0.01);
/// The tube around a path is a quarter of the thickness wide, or layers that lie on each other would watch
/// those beyond the next; and within these shares of half the shortest edge, as far as such particles stray.
constexpr real tube_of_thickness = real(0.25), narrow_tube = real(0.03), tube_share = real(0.15);
/// Particles that go astray, a few at a pin or in the user's hand, get this many times that as room, but no
/// more than so many halves of the shortest edge.
constexpr real stray_room = real(1.5), widest_tube = real(0.2);
/// How far the mean particle may go on its path, and how far any may, in halves of the shortest edge there.
constexpr real mean_path = real(0.2), longest_path = real(4);
constexpr real rounding = real(1e-3);  // of the time within a frame

}  // namespace

/// The mean velocity of each group, and how far its members stray from it in all.
void SurfaceSearch::place_groups(const World& world, const Motion& motion, const Team& team) {
  const std::vector<Index>& vertex = world.topology->internal_to_external;  // -1: in reserve
  const Share share = team.share(world.particles.count, particle_block);
  for (std::int64_t begin = share.begin; begin < share.end; begin += stray_group) {
    const std::size_t g = std::size_t(begin / stray_group),
                      end = std::size_t(std::min<std::int64_t>(begin + stray_group, share.end));
    vec3 sum(0);
    real members = 0;
    for (std::size_t i = std::size_t(begin); i < end; ++i)
      if (vertex[i] >= 0) sum += motion.speed(i), members += real(1);
    const vec3 mean = members > real(0) ? sum / members : vec3(0);
    group_[g] = vec4(mean, real(0));
    group_way_[g] = group_room_[g] = 0;
    for (std::size_t i = std::size_t(begin); i < end; ++i) {
      if (vertex[i] < 0) continue;
      group_way_[g] += glm::length(motion.speed(i) - mean);
      group_room_[g] += world.topology->surface.room[i];
    }
  }
}

/// The common velocity, and how far ahead to look: until the mean particle has gone the length of a path on
/// its own. Any values are right; these keep the paths short.
void SurfaceSearch::start(const World& world, const Motion& motion) {
  const std::size_t groups = std::size_t((world.particles.count + stray_group - 1) / stray_group);
  common_ = vec3(0);
  real way = 0, room = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    common_ += vec3(group_[g]) / real(groups);
    way += group_way_[g];
    room += group_room_[g];
  }
  for (std::size_t g = 0; g < groups; ++g) group_[g] -= vec4(common_, real(0));
  const real wanted = way > real(0) ? scale_ * mean_path * room / way : motion.ahead;
  ahead_ = motion.ahead / std::max(std::ceil(motion.ahead / wanted), real(1));
  behind_ = motion.h;
}

real SurfaceSearch::margin_of(const World& world, std::size_t particle) const {
  const real room = world.topology->surface.room[particle];
  const real wild =
      std::min(stray_room * world.particles.stray[particle / stray_group], widest_tube * scale_ * room);
  const real thickness =
      real(world.settings.materials[std::size_t(world.particles.object[particle])].thickness);
  return std::max(std::clamp(tube_of_thickness * thickness, narrow_tube * room, tube_share * room), wild);
}

real SurfaceSearch::longest_way(const World& world, std::size_t particle) const {
  return scale_ * longest_path * world.topology->surface.room[particle];
}

void SurfaceSearch::place_tubes(const World& world, const Motion& motion, const Team& team) {
  const Share share = team.share(world.particles.count, particle_block);
  for (std::int64_t i = share.begin; i < share.end; ++i) {
    const std::size_t p = std::size_t(i);
    set_rest(world, p);
    start_[p] = motion.to[p];
    set_own_way(world, p, motion.speed(p), real(0));
    bend_own_way(world, p);
    place_rows(p, -motion.h);
  }
}

void SurfaceSearch::set_rest(const World& world, std::size_t p) {
  const real thickness = real(world.settings.materials[std::size_t(world.particles.object[p])].thickness);
  const Surface& surface = world.topology->surface;
  const real room = surface.room[p];
  rest_[p] = vec4(surface.rest[p], std::clamp(thickness, thinnest * room, room) / 2);
}

/// The way of a particle of that velocity from `since` s after the last run on.
void SurfaceSearch::set_own_way(const World& world, std::size_t p, const vec3& speed, real since) {
  const vec3 own = speed - common_ - vec3(group_[p / stray_group]);
  const real length = glm::length(own), longest = longest_way(world, p);
  own_[p] = vec4(own, length * (ahead_ - since) > longest ? since + longest / length : ahead_);
  start_[p].w = margin_of(world, p);
  bend_[p] = vec4(0);
}

/// An own way from the start of the run to its end goes on bending as it did, but by no more than a tube.
void SurfaceSearch::bend_own_way(const World& world, std::size_t p) {
  if (own_[p].w < ahead_) return;
  const vec4 bend = world.particles.lasting[p / stray_group] * world.particles.acceleration[p];
  const real off = bulge(vec3(bend)), most = tube_share * world.topology->surface.room[p];
  bend_[p] = off > most ? most / off * bend : bend;
}

/// How far a path that bends is from the straight line between its ends at most.
real SurfaceSearch::bulge(const vec3& bend) const {
  const real whole = ahead_ + behind_;
  return glm::length(bend) * whole * whole / 8;
}

/// By linear regression of the new accelerations of a group on the old ones.
void SurfaceSearch::learn(Particles& particles, const Motion& motion, real elapsed, std::int64_t begin,
                          std::int64_t end) const {
  if (!(elapsed > real(0))) return;
  for (std::int64_t first = begin; first < end; first += stray_group) {
    const std::size_t g = std::size_t(first / stray_group);
    const vec3 foretold = common_ + vec3(group_[g]);
    real both = 0, squares = 0;
    for (std::int64_t i = first; i < std::min<std::int64_t>(first + stray_group, end); ++i) {
      const std::size_t p = std::size_t(i);
      const vec3 now = (motion.speed(p) - foretold - vec3(own_[p])) / elapsed,
                 before(particles.acceleration[p]);
      both += glm::dot(now, before), squares += glm::dot(before, before);
      particles.acceleration[p] = vec4(now, real(0));
    }
    if (!(squares > real(0))) continue;
    particles.lasting[g] = (particles.lasting[g] + std::clamp(both / squares, real(0), real(1))) / 2;
  }
}

/// Where a particle is so many seconds after the last run, seen from the common velocity.
Row<real> SurfaceSearch::foretold(std::size_t p, real after) const {
  const real bent = after > real(0) ? after * after / 2 : real(0);
  return Row<real>::load(&start_[p].x) + Row<real>(after) * Row<real>::load(&group_[p / stray_group].x) +
         Row<real>(std::min(after, own_[p].w)) * Row<real>::load(&own_[p].x) +
         Row<real>(bent) * Row<real>::load(&bend_[p].x);
}

/// The path of a particle that goes its own way from `since` s after the last run on; before that and after
/// it waits. Straight from end to end it would be elsewhere in between, by what reaches_ has in w at most.
void SurfaceSearch::place_rows(std::size_t p, real since) {
  const real until = own_[p].w, late = (since + behind_) / (ahead_ + behind_);
  const Row<real> group = Row<real>::load(&group_[p / stray_group].x);
  const Row<real> own = Row<real>(std::max(until - since, real(0))) * Row<real>::load(&own_[p].x);
  (foretold(p, since) - Row<real>(since + behind_) * group).store(&places_[p].x);
  places_[p].w = start_[p].w + rest_[p].w;
  const Row<real> bent = Row<real>(ahead_ * ahead_ / 2) * Row<real>::load(&bend_[p].x);
  (Row<real>(ahead_ + behind_) * group + own + bent).store(&reaches_[p].x);
  const real share = until < ahead_ ? real(1) : late;
  reaches_[p].w = share > real(0) ? share * std::sqrt(own.square()) : bulge(vec3(bend_[p]));
}

bool SurfaceSearch::past_paths(real elapsed) const { return elapsed > ahead_ * (1 + rounding); }

bool SurfaceSearch::covers(Particles& particles, std::int64_t begin, std::int64_t end, real elapsed) {
  bool covered = !past_paths(elapsed);
  const Row<real> common(common_.x * elapsed, common_.y * elapsed, common_.z * elapsed, real(0));
  for (std::size_t i = std::size_t(begin); i < std::size_t(end); ++i) {
    const Row<real> off = Row<real>::load(&particles.position[i].x) - (foretold(i, elapsed) + common);
    const real square = off.square(), margin = start_[i].w;
    if (square <= margin * margin || margin == real(0)) continue;
    covered = false;
    astray_[i] = 1;
    real& stray = particles.stray[i / stray_group];
    if (elapsed <= own_[i].w) stray = std::max(stray, std::sqrt(square));
  }
  return covered;
}

}  // namespace limber::inline LIMBER_PRECISION
