#include "engine/parts/coupling/coupling.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

#include "engine/contact/mix.hpp"
#include "engine/contact/round_shapes.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/sleep.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/parts/coupling/coupling_grips.hpp"
#include "engine/state/material_fields.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Sweeps in each of the two calls of project() in an iteration. Corners of a box on one triangle, and bodies
/// side by side, push the same few particles: with one sweep the remaining error lets them creep uphill by
/// millimetres a second, with four by tenths. Bodies whose rows still change after these go on.
constexpr int sweeps = 4, most_sweeps_of_body = 16;
/// The rows of a body have settled when a sweep moves none of them by more than this share of the way that
/// gravity adds in a substep.
constexpr real settled_share = real(0.006);
/// Sweeps over bodies with clusters on them: each cluster has dozens of rows, whose multipliers start at
/// zero.
constexpr int sweeps_with_clusters = 8;

/// A sleeper wakes when particles push it otherwise than when it fell asleep by this share of its weight.
constexpr real load_change = real(0.05);

real longest_side(const vec3 (&x)[3]) {
  return std::max({glm::length(x[1] - x[0]), glm::length(x[2] - x[1]), glm::length(x[0] - x[2])});
}

/// The corners of a pair's feature, at the substep's start, and how they move against the body.
struct PairPoints {
  vec3 x[3], step[3];
};

/// Contact points of a pair's feature with a shape; returns how many.
int find_points(const CouplingPair& pair, const ConvexShape& shape, const Placed& at,
                const PairPoints& points, const PointReach& reach, FeaturePoint (&found)[2]) {
  const auto& [x, step] = points;
  if (pair.kind != CouplingKind::vertex && corners_suffice(shape, longest_side(x), reach.thickness)) return 0;
  switch (pair.kind) {
    case CouplingKind::vertex:
      return vertex_point(shape, at, x[0], step[0], reach, found[0]);
    case CouplingKind::edge:
      return edge_points(shape, at, {x[0], x[1]}, {step[0], step[1]}, reach, found);
    case CouplingKind::corner:
      return corner_point(shape, at, pair.corner, x, step, reach, found[0]);
  }
  return 0;
}

/// Whether friction may be left to the velocities: one particle of a cluster would lose it to the others.
bool slides(const World& world, const CouplingRow& row) {
  return !world.topology->matter.takes_part(row.points[0]);
}

/// The material of a body, or of the collider with a number behind those of all bodies.
BodyMaterial touched_material(const World& world, std::int32_t body) {
  const std::int32_t bodies = world.bodies.count();
  if (body < bodies)
    return world.settings.body_materials[std::size_t(world.bodies.parts->source[std::size_t(body)])];
  const Collider& collider = world.colliders[std::size_t(body - bodies)];
  return {collider.friction, collider.restitution, real(0)};
}

bool is_of_rod(const World& world, std::int32_t particle) {
  return world.contacts.rod_step > real(0) &&
         world.topology->surface.segments_at[std::size_t(particle)][0] >= 0;
}

}  // namespace

/// Position of particle i at the substep's start, from the centre of mass of a pair's body, m. Exact near it:
/// the difference of two floats is.
vec3 Coupling::place_before(const World& world, std::size_t i, const CouplingPair& pair) const {
  const Particles& particles = world.particles;
  const std::int32_t body = search_.shape(world, pair.shape).body;
  const vec3 from(particles.origin[i]), before(particles.moved_before[i]);
  const vec3 rounding = search_.is_collider(body) ? vec3(0) : vec3(world.bodies.remainder[std::size_t(body)]);
  return (from - search_.frame_of(world, pair.shape).position) +
         ((before - rounding) + (vec3(particles.previous[i]) - (from + before)));
}

void Coupling::reserve(const World& world) {
  search_.list_colliders(world);
  if (!enabled(world)) return;
  search_.reserve(world);
  used_.assign(std::size_t(world.particles.padded()) + world.topology->matter.solids.size(), 0);
  moved_.assign(std::size_t(world.particles.padded()), 0);
  shares_.reserve(world.contacts.rod_holders.size());
  may_move_.clear();
  chunks_.clear();
}

void Coupling::begin_frame(World& world, real dt, Team& team) {
  search_.run(world, world.particles.position, dt, team);
  if (team.rank() == 0) {
    wake_approached(world);
    if (world.bodies.sleep.count > 0) felt_.assign(std::size_t(world.bodies.count()), vec4(0));
    elapsed_ = 0;
    group(world);
  }
}

/// Updates the rows of rigid clusters for the clusters' present positions.
void Coupling::aim_clusters(const World& world, const BodySolver& bodies, ClusterContacts& clusters,
                            const Team& team) {
  if (clusters_.empty()) return;
  const Share mine = team.share(std::int64_t(chunks_.size()));
  for (std::int64_t c = mine.begin; c < mine.end; ++c)
    for (std::int32_t k = 0; k < chunks_[std::size_t(c)].rows; ++k) {
      CouplingRow& row = rows_[2 * std::size_t(chunks_[std::size_t(c)].first) + std::size_t(k)];
      row.cluster = clusters.rigid_at(row.points[0]);
      if (row.cluster < 0) continue;
      const ClusterMotion& motion = clusters.motion()[row.cluster];
      row.cluster_arm = vec3(world.particles.position[std::size_t(row.points[0])]) - motion.center;
      row.weigh(inverse_mass_along(motion.frame, row.cluster_arm, row.normal) +
                inverse_mass_along(frame_of(bodies, row.body), row.arm, row.normal));
    }
}

/// Puts every particle that a body carries, but for the one in the user's hand, to place_of(body, arm).
template <class PlaceOf>
void Coupling::place_carried(World& world, const Team& team, const PlaceOf& place_of) {
  const Share mine = team.share(std::int64_t(world.user.attachments.size()));
  for (std::int64_t a = mine.begin; a < mine.end; ++a) {
    const Attachment& attachment = world.user.attachments[std::size_t(a)];
    if (attachment.body < 0 || is_in_hand(world, attachment.particle)) continue;
    const vec3 arm = in_world_of(world.bodies, attachment.body, vec3(attachment.rest));
    world.particles.position[std::size_t(attachment.particle)] =
        vec4(place_of(attachment.body, arm), real(0));
  }
}

/// Serial.
void Coupling::wake_approached(World& world) {
  if (world.bodies.sleep.count == 0) return;
  const real slow = real(world.settings.solver.sleep->sleep_speed);
  woken_.clear();
  for (const CouplingPair& pair : search_.pairs()) {
    const std::int32_t body = search_.shape(world, pair.shape).body;
    if (search_.is_collider(body)) break;  // colliders come last
    if (!is_asleep(world, std::size_t(body)) || (!woken_.empty() && woken_.back() == body)) continue;
    for (const std::int32_t i : pair.points) {
      const vec3 v(world.particles.velocity[std::size_t(i)]);
      if (!(glm::dot(v, v) > slow * slow)) continue;
      woken_.push_back(body);
      break;
    }
  }
  wake(world, woken_);
}

/// Adds the loads of the substep on bodies that sleep. Serial.
void Coupling::feel_sleepers(const World& world) {
  for (const Group& group : groups_) {
    if (search_.is_collider(group.body) || !is_asleep(world, std::size_t(group.body))) continue;
    vec3 sum(0);
    for (std::int32_t t = group.first_tie; t < group.end_tie; ++t) sum -= ties_[std::size_t(t)].pulled;
    for (std::int32_t c = group.first_chunk; c < group.end_chunk; ++c)
      for (std::int32_t k = 0; k < chunks_[std::size_t(c)].rows; ++k) {
        const CouplingRow& row = rows_[2 * std::size_t(chunks_[std::size_t(c)].first) + std::size_t(k)];
        sum -= row.lambda() + row.pressure * row.normal;
      }
    felt_[std::size_t(group.body)] += vec4(sum, real(0));
  }
}

void Coupling::end_frame(World& world, const Team& team) {
  if (team.rank() == 0 && world.bodies.sleep.count > 0) {
    const real h = real(world.settings.solver.step->dt / world.settings.solver.step->substeps);
    const real gravity = std::max(real(glm::length(world.settings.solver.motion->gravity)), real(1));
    woken_.clear();
    for (std::size_t i = 0; i < felt_.size(); ++i) {
      if (!is_asleep(world, i)) continue;
      const vec3 force = vec3(felt_[i]) / (h * h * real(world.settings.solver.step->substeps));
      vec4& load = world.bodies.sleep.load[i];
      if (load.w == real(0)) load = vec4(force, real(1));
      if (glm::length(force - vec3(load)) > load_change * gravity / world.bodies.position[i].w)
        woken_.push_back(std::int32_t(i));
    }
    wake(world, woken_);
  }
}

void Coupling::carry(World& world, BodySolver& bodies, const Team& team) {
  if (team.rank() == 0 && world.bodies.sleep.count > 0) feel_sleepers(world);
  if (team.rank() == 0) keep_grips(world, bodies);
  place_carried(world, team, [&](std::int32_t body, const vec3& arm) {
    return vec3(world.bodies.position[std::size_t(body)]) + arm;
  });
}

std::span<BodyWall> Coupling::list_walls(BodySolver& bodies) {
  walls_.clear();
  for (const Chunk& chunk : chunks_)
    for (std::int32_t k = 0; k < chunk.rows; ++k) {
      const CouplingRow& row = rows_[2 * std::size_t(chunk.first) + std::size_t(k)];
      const vec3 moved = displacement(frame_of(bodies, row.body), row.arm);
      BodyWall wall;
      for (int j = 0; j < 3; ++j) wall.points[j] = row.points[row.weight[j] != real(0) ? j : 0];
      wall.normal = row.normal;
      wall.least = glm::dot(row.normal, moved) - row.gap;
      wall.body = row.body, wall.arm = row.arm;
      wall.inverse_mass = inverse_mass_along(frame_of(bodies, row.body), row.arm, row.normal);
      walls_.push_back(wall);
    }
  return walls_;
}

void Coupling::aim(World& world, BodySolver& bodies, const StaticContacts& statics, int substep, real h,
                   real remaining, Team& team) {
  if (team.rank() == 0) search_.place_colliders(world, statics, substep);
  vec4* const rows = bodies.rows_of_bodies();
  place_carried(world, team, [&](std::int32_t body, const vec3& arm) {
    return vec3(world.bodies.position[std::size_t(body)]) + arm + displacement(rows + body_rows * body, arm);
  });
  team.barrier();
  const real elapsed = elapsed_ + h;
  if (!search_.covers(world, rows, elapsed, team)) {
    search_.run(world, world.particles.previous, h + remaining, team);
    search_.covers(world, rows, h, team);
    if (team.rank() == 0) {
      elapsed_ = 0;
      group(world);
    }
  }
  team.barrier();
  if (team.rank() == 0) {
    elapsed_ += h;
    settled_ = settled_share * real(glm::length(world.settings.solver.motion->gravity)) * h * h;
  }
  const Share mine = team.share(std::int64_t(chunks_.size()));
  for (std::int64_t c = mine.begin; c < mine.end; ++c) aim_chunk(world, bodies, h, chunks_[std::size_t(c)]);
  const Share own = team.share(std::int64_t(world.user.ties.size()));
  for (std::int64_t t = own.begin; t < own.end; ++t) aim_tie(world, std::size_t(t), h);
  if (world.contacts.rod_holds.empty()) return;
  team.barrier();
  if (team.rank() == 0) take_grips(world);
}

void Coupling::aim_tie(const World& world, std::size_t t, real h) {
  const BodyTie& tie = world.user.ties[t];
  const vec3 arm = vec3(world.particles.previous[std::size_t(tie.particle)]) -
                   vec3(world.bodies.position[std::size_t(tie.body)]);
  const vec3 gap = arm - in_world_of(world.bodies, tie.body, tie.own);
  ties_[t] = {tie.particle, tie.body, arm, gap, tie.compliance / (h * h), vec3(0)};
}

void Coupling::aim_chunk(const World& world, const BodySolver& bodies, real h, Chunk& chunk) {
  const std::span<const CouplingPair> pairs = search_.pairs();
  std::int32_t placed_shape = -1;
  Placed at;
  CouplingRow* const first = rows_.data() + 2 * std::size_t(chunk.first);
  chunk.rows = 0;
  for (std::int32_t k = 0; k < chunk.count; ++k) {
    const CouplingPair& pair = pairs[std::size_t(chunk.first + k)];
    if (!search_.in_reach(pair)) continue;
    if (pair.shape != placed_shape)
      at = placed(search_.shape(world, pair.shape), vec3(0), search_.frame_of(world, pair.shape).rotation);
    placed_shape = pair.shape;
    chunk.rows += aim_pair(world, bodies, pair, at, h, first + chunk.rows);
  }
}

/// The rows of a pair, at most two; returns how many. Places are relative to the body's centre of mass, so
/// that gaps do not change with the rounding of positions: corners whose loads vary with it slip in turn.
int Coupling::aim_pair(const World& world, const BodySolver& bodies, const CouplingPair& pair,
                       const Placed& at, real h, CouplingRow* out) const {
  const PlacedShape& shape = search_.shape(world, pair.shape);
  const vec4* const body = frame_of(bodies, shape.body);
  const Particles& particles = world.particles;
  const Material& material =
      world.settings.materials[std::size_t(particles.object[std::size_t(pair.points[0])])];
  const PointReach reach{
      thickness_over(world, pair.points),
      real(world.settings.solver.contact->contact_margin) + fluid_reach(world, pair.points[0])};
  const vec3 shift = displacement(body, at.position),
             turn = visible_turn(shape.shape, at, vec3(body[row_turn]));
  PairPoints points;
  auto& [x, step] = points;
  for (int j = 0; j < 3; ++j) {
    const std::size_t i = std::size_t(pair.points[j]);
    x[j] = place_before(world, i, pair);
    step[j] = way_of(particles, i) - shift - glm::cross(turn, x[j] - at.position);
  }
  FeaturePoint found[2];
  const int count = find_points(pair, shape.shape, at, points, reach, found);
  const real exit = real(world.settings.solver.contact->depenetration_speed) * h;
  const BodyMaterial touched = touched_material(world, shape.body);
  for (int s = 0; s < count; ++s) {
    CouplingRow& row = out[s];
    row = {};
    row.body = shape.body;
    row.normal = found[s].normal;
    row.friction = mixed_friction(real(material.friction), touched.friction);
    row.restitution = mixed_restitution(real(material.restitution), touched.restitution);
    vec3 away(0);
    for (int j = 0; j < 3; ++j) {
      row.points[j] = pair.points[j];
      row.weight[j] = found[s].weight[j];
      away += row.weight[j] * (x[j] - found[s].point);
      row.approach += row.weight[j] * glm::dot(row.normal, step[j]);
    }
    row.arm = at.position + arm_without_free_torque(shape.shape, at, row.normal, found[s].point, away);
    row.surface = glm::dot(row.normal, away);
    if (world.topology->fluid.takes_part(pair.points[0]))
      row.filled = filled_share(fluid_reach(world, pair.points[0]), shape.shape, at, x[0], row.surface);
    row.gap = row.surface - std::min(reach.thickness, found[s].start + exit);
    real w = inverse_mass_along(body, row.arm, row.normal);
    for (int j = 0; j < 3; ++j)
      w += row.weight[j] * row.weight[j] * particles.position[std::size_t(row.points[j])].w;
    row.weigh(w);
    row.grips = is_of_rod(world, pair.points[0]);
  }
  return count;
}

void Coupling::project_group(World& world, BodySolver& bodies, ClusterContacts& clusters, Group& group) {
  vec4* const body = frame_of(bodies, group.body);
  const bool positional = world.settings.solver.contact->friction_model == FrictionModel::positional;
  const vec3 shift(body[row_shift]), turn(body[row_turn]);
  group.settled = true;
  for (std::int32_t t = group.first_tie; t < group.end_tie; ++t)
    limber::project(ties_[std::size_t(t)], world.particles, body);
  for_rows_of(group, [&](CouplingRow& row) {
    const vec3 before = row.lambda();
    if (row.cluster >= 0)
      project_contact(row, true, sides_of(row, world.particles, clusters.motion()[row.cluster], body));
    else if (row.grips) {
      project_contact(row, false, sides_of(row, world.particles, body));
      if (!row.gripped) {
        sides_of(row, world.particles, body).push(row.friction_kept);
        body[row_turn] += vec4(inverse_inertia_of(body) * rolling_couple(world, row), real(0));
      }
      row.gripped = true, row.friction_lambda = row.friction_kept;
    } else
      project_contact(row, positional || !slides(world, row), sides_of(row, world.particles, body));
    const vec3 change = row.lambda() - before;
    if (glm::dot(change, change) > settled_ * settled_ * row.mass * row.mass) group.settled = false;
  });
  if (!search_.is_collider(group.body))
    bodies.leave_out(std::size_t(group.body), vec3(body[row_shift]) - shift, vec3(body[row_turn]) - turn);
}

void Coupling::support(World& world, BodySolver& bodies, StaticContacts& contacts, Team& team) {
  const Share mine = team.share(std::int64_t(chunks_.size()));
  const auto for_own_points = [&](const auto& act) {
    for (std::int64_t c = mine.begin; c < mine.end; ++c)
      for (std::int32_t k = 0; k < chunks_[std::size_t(c)].rows; ++k) {
        CouplingRow& row = rows_[2 * std::size_t(chunks_[std::size_t(c)].first) + std::size_t(k)];
        for (int j = 0; j < 3; ++j)
          if (row.weight[j] != real(0)) act(row, j);
      }
  };
  for_own_points([&](const CouplingRow& row, int j) { contacts.press(row.points[j], row.normal); });
  team.barrier();
  for_own_points([&](CouplingRow& row, int j) {
    row.support[j] = contacts.pressed(row.points[j]);
    if (row.support[j])
      row.weigh(sides_of(row, world.particles, frame_of(bodies, row.body)).inverse_mass_along(row.normal));
  });
}

bool Coupling::meets(const World& world, const Group& group, std::span<const std::uint8_t> objects) const {
  const auto is_of = [&](std::int32_t i) {
    return objects[std::size_t(world.particles.object[std::size_t(i)])] != 0;
  };
  for (std::int32_t t = group.first_tie; t < group.end_tie; ++t)
    if (is_of(ties_[std::size_t(t)].particle)) return true;
  for (std::int32_t c = group.first_chunk; c < group.end_chunk; ++c) {
    const Chunk& chunk = chunks_[std::size_t(c)];
    for (std::int32_t k = 0; k < chunk.rows; ++k)
      if (is_of(rows_[2 * std::size_t(chunk.first) + std::size_t(k)].points[0])) return true;
  }
  return false;
}

void Coupling::project(World& world, BodySolver& bodies, ClusterContacts& clusters,
                       std::span<const std::uint8_t> objects, Team& team) {
  if (!clusters_.empty()) {
    aim_clusters(world, bodies, clusters, team);
    team.barrier();
  }
  const int least = clusters_.empty() ? sweeps : sweeps_with_clusters;
  ColorTurns turns(team);
  for (int sweep = 0; sweep < most_sweeps_of_body; ++sweep)
    visit_groups(turns, [&](Group& group) {
      if (sweep >= least && group.settled) return;
      if (objects.empty() || meets(world, group, objects)) project_group(world, bodies, clusters, group);
    });
  if (clusters_.empty()) return;
  turns.finish();
  const Share mine = team.share(std::int64_t(clusters_.size()));
  for (std::int64_t k = mine.begin; k < mine.end; ++k)
    clusters.carry(world, std::size_t(clusters_[std::size_t(k)]));
}

void Coupling::filter_group(World& world, BodySolver& bodies, ClusterContacts& clusters, const Group& group,
                            real h) {
  const std::size_t i = std::size_t(group.body);
  vec4* const body = frame_of(bodies, group.body);
  const bool filter = world.settings.solver.contact->friction_model == FrictionModel::velocity_filter;
  const auto for_rows = [&](const auto& act) { for_rows_of(group, act); };
  Particles& particles = world.particles;
  const auto body_side = [&](const CouplingRow& row) {
    return BodyVelocity{world.bodies, i, body, angular_velocity(world.bodies, i), row.arm};
  };
  const auto sides = [&](const CouplingRow& row) {
    const WeightedPoint point{row.points, row.weight, particles};
    return Sides{WeightedVelocity{point}, body_side(row)};
  };
  const real g = real(glm::length(world.settings.solver.motion->gravity));
  if (search_.is_collider(group.body)) return filter_collider(world, body, group, h);
  const auto for_kind = [&](bool rigid) {
    return [&, rigid](const auto& act) {
      for_rows([&](CouplingRow& row) {
        if ((row.cluster >= 0) == rigid) act(row);
      });
    };
  };
  bounce_group(h, g, for_kind(false), sides);
  if (!clusters_.empty())
    bounce_group(h, g, for_kind(true), [&](const CouplingRow& row) {
      return Sides{FramePoint{clusters.motion()[row.cluster].frame, row.cluster_arm}, body_side(row)};
    });
  if (!filter) return;
  for_rows([&](CouplingRow& row) {
    if (row.normal_lambda > real(0) && slides(world, row)) filter_contact(row, h, sides(row));
  });
}

/// filter_group() for the rows of a collider, whose velocity nothing changes.
void Coupling::filter_collider(World& world, const vec4* collider, const Group& group, real h) {
  const auto sides = [&](const CouplingRow& row) {
    const WeightedPoint point{row.points, row.weight, world.particles};
    return Sides{WeightedVelocity{point}, GivenVelocity{displacement(collider, row.arm) / h}};
  };
  const real g = real(glm::length(world.settings.solver.motion->gravity));
  bounce_group(
      h, g, [&](const auto& act) { for_rows_of(group, act); }, sides);
  if (world.settings.solver.contact->friction_model != FrictionModel::velocity_filter) return;
  for_rows_of(group, [&](CouplingRow& row) {
    if (row.normal_lambda > real(0)) filter_contact(row, h, sides(row));
  });
}

bool Coupling::filters(const World& world) {
  const auto bouncy = [](const auto& material) { return material.restitution > 0; };
  const Settings& settings = world.settings;
  return settings.solver.contact->friction_model != FrictionModel::positional ||
         std::any_of(world.colliders.begin(), world.colliders.end(), bouncy) ||
         std::any_of(settings.body_materials.begin(), settings.body_materials.end(), bouncy) ||
         std::any_of(settings.materials.begin(), settings.materials.end(), bouncy);
}

void Coupling::filter_velocities(World& world, BodySolver& bodies, ClusterContacts& clusters, real h,
                                 Team& team) {
  if (!clusters_.empty()) {
    clusters.take_velocities(world, team);
    team.barrier();
  }
  ColorTurns turns(team);
  visit_groups(turns, [&](const Group& group) { filter_group(world, bodies, clusters, group, h); });
  if (clusters_.empty()) return;
  turns.finish();
  clusters.give_velocities(world, team);
}

}}  // namespace limber::LIMBER_PRECISION
