// The part of SurfaceSearch that predicts the paths of particles and chooses the safe bounds around them.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "engine/contact/cloth/surface_search.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/state/material_fields.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Lower bound of a thickness, as a share of a quarter of the shortest edge: contacts need a distance to
/// keep.
constexpr real thinnest = real(0.01);
/// Safe bound around a path: a quarter of the thickness, because with a wider bound layers that lie on each
/// other would watch layers beyond the next; but between these two shares of half the shortest edge.
/// Particles that have left their bound get a wider one, see below.
constexpr real bound_of_thickness = real(0.25), narrow_bound = real(0.03), bound_share = real(0.15);
/// A group with strays, for example a few at a pin or in the user's hand, gets stray_room times its largest
/// deviation as bound, but at most widest_bound times half the shortest edge.
constexpr real stray_room = real(1.5), widest_bound = real(0.2);
/// Lengths of paths as shares of half the shortest edge: on average, and the most for any particle.
constexpr real mean_path = real(0.2), longest_path = real(4);
constexpr real rounding = real(1e-3);  // share of the time within a frame

/// m, a particle's share of a contact distance: half the thickness of a sheet, the whole radius of a rod.
real own_share(const World& world, std::size_t particle) {
  const real thickness = thickness_at(world, particle);
  return world.topology->surface.is_rod(particle) ? thickness : thickness / 2;
}

}  // namespace

/// Computes the mean velocity of each group, and the sum of its particles' deviations from that velocity.
void SurfaceSearch::place_groups(const World& world, const Motion& motion, const Team& team) {
  const std::vector<Index>& vertex = world.topology->internal_to_external;  // -1: in reserve
  for_pieces(team, [&](std::size_t g, const Piece& piece) {
    std::fill(strays_.begin() + piece.first, strays_.begin() + piece.end, std::uint8_t(0));
    vec3 sum(0);
    real members = 0;
    for (std::size_t i = std::size_t(piece.first); i < std::size_t(piece.end); ++i)
      if (vertex[i] >= 0) sum += motion.speed(i), members += real(1);
    const vec3 mean = members > real(0) ? sum / members : vec3(0);
    group_[g] = vec4(mean, members);
    group_way_[g] = group_room_[g] = 0;
    for (std::size_t i = std::size_t(piece.first); i < std::size_t(piece.end); ++i) {
      if (vertex[i] < 0) continue;
      group_way_[g] += glm::length(motion.speed(i) - mean);
      group_room_[g] += world.topology->surface.room[i];
    }
  });
}

/// Computes the common velocity of each swarm and the duration of its paths: until the average particle has
/// moved the length of a path relative to its group. Any values are correct; these keep the paths short.
void SurfaceSearch::start(const Motion& motion, real elapsed) {
  for (Part& part : parts_)
    if (part.working) part.common = vec3(0), part.groups = part.way = part.room = 0;
  const auto for_groups = [&](const auto& act) {
    for (std::size_t g = 0; g < pieces_.size(); ++g)
      if (const Part& part = parts_[std::size_t(pieces_[g].part)]; part.working && group_[g].w > real(0))
        act(parts_[std::size_t(part.swarm)], g);
  };
  for_groups([](Part& first, std::size_t) { first.groups += real(1); });
  for_groups([&](Part& first, std::size_t g) {
    first.common += vec3(group_[g]) / first.groups;
    first.way += group_way_[g];
    first.room += group_room_[g];
  });
  for (Part& part : parts_) {
    if (!part.working) continue;
    const Part& first = parts_[std::size_t(part.swarm)];
    part.common = first.common;
    const real wanted = first.way > real(0) ? part.scale * mean_path * first.room / first.way : motion.ahead;
    part.ahead = motion.ahead / std::max(std::ceil(motion.ahead / wanted), real(1));
    part.behind = motion.h;
    part.searched = elapsed;
  }
  for_groups([&](Part& first, std::size_t g) { group_[g] -= vec4(first.common, real(0)); });
}

real SurfaceSearch::margin_of(const World& world, std::size_t g, std::size_t particle) const {
  const real room = world.topology->surface.room[particle];
  const Part& part = parts_[std::size_t(pieces_[g].part)];
  const real wild = std::min(stray_room * world.particles.stray[g], widest_bound * part.scale * room);
  const real thickness = thickness_at(world, particle);
  return std::max(std::clamp(bound_of_thickness * thickness, narrow_bound * room, bound_share * room), wild);
}

real SurfaceSearch::longest_way(const World& world, const Part& part, std::size_t particle) {
  return part.scale * longest_path * world.topology->surface.room[particle];
}

void SurfaceSearch::place_bounds(const World& world, const Motion& motion, const Team& team) {
  for_pieces(team, [&](std::size_t g, const Piece& piece) {
    for (std::size_t p = std::size_t(piece.first); p < std::size_t(piece.end); ++p) {
      set_rest(world, p);
      start_[p] = motion.to[p];
      set_own_way(world, g, p, motion.speed(p), real(0));
      bend_own_way(world, g, p);
      place_rows(g, p, -motion.h);
    }
  });
}

/// Box of the positions that a group can reach until the frame's end while all its particles are within their
/// safe bounds, whatever their swarm is. A path lies between its start, the point to which its own velocity
/// leads, and the point to which the group's mean velocity leads; it curves by a few safe bounds at most.
Box SurfaceSearch::reach_of(const World& world, const Motion& motion, std::size_t g) const {
  constexpr real around = widest_bound + 5 * bound_share;  // share of half the shortest edge
  constexpr real far_away = std::numeric_limits<real>::max();
  const Piece& piece = pieces_[g];
  const Part& part = parts_[std::size_t(piece.part)];
  Box start{Row<real>(far_away), Row<real>(-far_away)}, end = start;
  vec3 sum(0);
  real members = 0, room = 0;
  for (std::size_t p = std::size_t(piece.first); p < std::size_t(piece.end); ++p) {
    if (world.topology->internal_to_external[p] < 0) continue;
    const vec3 speed = motion.speed(p);
    const vec4 to(vec3(motion.to[p]) + motion.ahead * speed, real(0));
    const Row<real> now = Row<real>::load(&motion.to[p].x), before = Row<real>::load(&motion.from[p].x),
                    then = Row<real>::load(&to.x);
    start = {min(start.low, min(now, before)), max(start.high, max(now, before))};
    end = {min(end.low, then), max(end.high, then)};
    sum += speed, members += real(1);
    room = std::max(room, world.topology->surface.room[p]);
  }
  if (!(members > real(0))) return start;
  const auto drifted = [&](const vec3& speed) {
    const vec4 way(motion.ahead * speed, real(0));
    const Row<real> row = Row<real>::load(&way.x);
    return Box{start.low + row, start.high + row};
  };
  Box all = start.united(end).united(drifted(sum / members));
  if (part.due == Due::follow) all = all.united(drifted(part.common + vec3(group_[g])));
  return all.grown(around * room + own_share(world, std::size_t(piece.first)));
}

void SurfaceSearch::set_rest(const World& world, std::size_t p) {
  const Surface& surface = world.topology->surface;
  const real half = surface.room[p] / 2;
  rest_[p] = vec4(surface.rest[p], std::clamp(own_share(world, p), thinnest * half, half));
}

/// Sets the velocity of a particle relative to its group, for a path that starts `since` s after the last
/// search.
void SurfaceSearch::set_own_way(const World& world, std::size_t g, std::size_t p, const vec3& speed,
                                real since) {
  const Part& part = parts_[std::size_t(pieces_[g].part)];
  const vec3 own = speed - part.common - vec3(group_[g]);
  const real length = glm::length(own), longest = longest_way(world, part, p);
  own_[p] = vec4(own, length * (part.ahead - since) > longest ? since + longest / length : part.ahead);
  start_[p].w = margin_of(world, g, p);
  bend_[p] = vec4(0);
}

/// Lets a path that lasts for the whole search curve with the particle's last acceleration, but by no more
/// than a safe bound.
void SurfaceSearch::bend_own_way(const World& world, std::size_t g, std::size_t p) {
  const Part& part = parts_[std::size_t(pieces_[g].part)];
  if (own_[p].w < part.ahead) return;
  const vec4 bend = world.particles.lasting[g] * world.particles.acceleration[p];
  const real off = bulge(part, vec3(bend)), most = bound_share * world.topology->surface.room[p];
  bend_[p] = off > most ? most / off * bend : bend;
}

/// m, largest distance of a curved path from the straight line between its ends.
real SurfaceSearch::bulge(const Part& part, const vec3& bend) {
  const real whole = part.ahead + part.behind;
  return glm::length(bend) * whole * whole / 8;
}

/// Fits the share of acceleration that persists: linear regression of a group's new accelerations on its old
/// ones.
void SurfaceSearch::learn(Particles& particles, const Motion& motion, real elapsed, bool all,
                          const Team& team) const {
  const Share share = team.share(std::int64_t(pieces_.size()));
  for (std::size_t g = std::size_t(share.begin); g < std::size_t(share.end); ++g) {
    const Piece& piece = pieces_[g];
    const Part& part = parts_[std::size_t(piece.part)];
    const real since = elapsed - part.searched;
    if (!(since > real(0)) || !(all || part.due == Due::search)) continue;
    const vec3 expected = part.common + vec3(group_[g]);
    real both = 0, squares = 0;
    for (std::size_t p = std::size_t(piece.first); p < std::size_t(piece.end); ++p) {
      const vec3 now = (motion.speed(p) - expected - vec3(own_[p])) / since,
                 before(particles.acceleration[p]);
      both += glm::dot(now, before), squares += glm::dot(before, before);
      particles.acceleration[p] = vec4(now, real(0));
    }
    if (!(squares > real(0))) continue;
    particles.lasting[g] = (particles.lasting[g] + std::clamp(both / squares, real(0), real(1))) / 2;
  }
}

/// Predicted position of a particle `after` s after the last search, relative to the common velocity.
Row<real> SurfaceSearch::predicted(std::size_t g, std::size_t p, real after) const {
  const real bent = after > real(0) ? after * after / 2 : real(0);
  return Row<real>::load(&start_[p].x) + Row<real>(after) * Row<real>::load(&group_[g].x) +
         Row<real>(std::min(after, own_[p].w)) * Row<real>::load(&own_[p].x) +
         Row<real>(bent) * Row<real>::load(&bend_[p].x);
}

/// Writes places_ and reaches_ for a particle that has its own velocity from `since` s after the last search
/// on; before and after that it moves with its group. The straight line from end to end deviates from this
/// path by at most the w of reaches_.
void SurfaceSearch::place_rows(std::size_t g, std::size_t p, real since) {
  const Part& part = parts_[std::size_t(pieces_[g].part)];
  const real ahead = part.ahead, behind = part.behind;
  const real until = own_[p].w, late = (since + behind) / (ahead + behind);
  const Row<real> group = Row<real>::load(&group_[g].x);
  const Row<real> own = Row<real>(std::max(until - since, real(0))) * Row<real>::load(&own_[p].x);
  (predicted(g, p, since) - Row<real>(since + behind) * group).store(&places_[p].x);
  places_[p].w = start_[p].w + rest_[p].w;
  const Row<real> bent = Row<real>(ahead * ahead / 2) * Row<real>::load(&bend_[p].x);
  (Row<real>(ahead + behind) * group + own + bent).store(&reaches_[p].x);
  const real share = until < ahead ? real(1) : late;
  reaches_[p].w = share > real(0) ? share * std::sqrt(own.square()) : bulge(part, vec3(bend_[p]));
}

bool SurfaceSearch::past_paths(const Part& part, real elapsed) {
  return elapsed - part.searched > part.ahead * (1 + rounding);
}

bool SurfaceSearch::covers(Particles& particles, real elapsed, const Team& team) {
  const Share share = team.share(std::int64_t(pieces_.size()));
  bool covered = true;
  for (std::size_t g = std::size_t(share.begin); g < std::size_t(share.end); ++g) {
    const Piece& piece = pieces_[g];
    const Part& part = parts_[std::size_t(piece.part)];
    const real after = elapsed - part.searched;
    if (past_paths(part, elapsed)) covered = false;
    const Row<real> common(part.common.x * after, part.common.y * after, part.common.z * after, real(0));
    for (std::size_t i = std::size_t(piece.first); i < std::size_t(piece.end); ++i) {
      const Row<real> off = Row<real>::load(&particles.position[i].x) - (predicted(g, i, after) + common);
      const real square = off.square(), margin = start_[i].w;
      if (square <= margin * margin || margin == real(0)) continue;
      covered = false;
      strays_[i] = 1;
      real& stray = particles.stray[g];
      if (after <= own_[i].w) stray = std::max(stray, std::sqrt(square));
    }
  }
  return covered;
}

}}  // namespace limber::LIMBER_PRECISION
