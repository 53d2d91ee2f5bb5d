// Friction of directly solved rods on rigid bodies, which points of rods keep from substep to substep.
#include "engine/parts/coupling/coupling_grips.hpp"

#include <glm/geometric.hpp>

#include "engine/core/settings/contact.hpp"
#include "engine/parts/coupling/coupling.hpp"
#include "engine/state/rod_roll.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Calls act(point, share) for the points that keep the friction of a row. Each end of a segment has a share,
/// also where the contact is at the other end: contact points jump along a segment that lies flat.
template <class Act>
void for_keepers(const CouplingRow& row, const Act& act) {
  constexpr real least = real(0.1);
  for (int j = 0; j < 3; ++j) {
    const bool again = (j > 0 && row.points[j] == row.points[0]) || (j > 1 && row.points[j] == row.points[1]);
    if (!again) act(std::size_t(row.points[j]), row.weight[j] + least);
  }
}

/// The point of a row on which most of its impulse acts.
std::int32_t main_point(const CouplingRow& row) {
  int best = 0;
  for (int j = 1; j < 3; ++j)
    if (row.weight[j] > row.weight[best]) best = j;
  return row.points[best];
}

/// The entry of ContactState::rod_holders for a body; colliders have their numbers there, -1 is none.
constexpr std::int32_t holder_of(std::int32_t body) { return -2 - body; }

}  // namespace

vec3 rolling_couple(const World& world, const CouplingRow& row) {
  const auto roll = roll_at(world, main_point(row), row.normal);
  return roll ? -roll->twist_of(row.friction_kept) * roll->axis : vec3(0);
}

/// Gives the rows of rods the friction that their points have kept. Serial.
void Coupling::take_grips(World& world) {
  const ContactState& kept = world.contacts;
  if (!(kept.rod_step > real(0))) return;
  shares_.assign(kept.rod_holders.size(), real(0));
  const auto for_kept = [&](CouplingRow& row, const auto& act) {
    if (row.grips)
      for_keepers(row, [&](std::size_t point, real share) {
        if (kept.rod_holders[point] == holder_of(row.body)) act(point, share);
      });
  };
  for (const Group& group : groups_)
    for_rows_of(group, [&](CouplingRow& row) {
      for_kept(row, [&](std::size_t point, real share) { shares_[point] += share; });
    });
  for (const Group& group : groups_)
    for_rows_of(group, [&](CouplingRow& row) {
      vec4 held(0);
      for_kept(row, [&](std::size_t point, real share) {
        held += share / shares_[point] * kept.rod_holds[point];
      });
      row.load_kept = held.w;
      row.friction_kept =
          within_cone(vec3(held) - glm::dot(vec3(held), row.normal) * row.normal, row.friction * held.w);
      if (const auto roll = roll_at(world, main_point(row), row.normal))
        roll->twist(world.particles) += roll->twist_of(row.friction_kept);
    });
}

/// Decides the friction of rods on bodies in the next substep, as StaticContacts::keep_rods() does on
/// colliders: a spring against slipping whose stiffness is the point's own mass and a share of the body's,
/// within the cone of a running mean of the load. Serial.
void Coupling::keep_grips(World& world, BodySolver& bodies) {
  constexpr real fresh = real(0.1);  // weight of this substep in the running mean
  ContactState& kept = world.contacts;
  if (kept.rod_holds.empty() || !(kept.rod_step > real(0))) return;
  for (const RodSegment& segment : world.topology->rods.segments)
    for (const std::int32_t point : segment.points)
      if (kept.rod_holders[std::size_t(point)] <= holder_of(0))
        kept.rod_holders[std::size_t(point)] = -1, kept.rod_holds[std::size_t(point)] = vec4(0);
  if (world.settings.solver.contact->friction_model != FrictionModel::positional) return;
  for (const Group& group : groups_) {
    const vec4* const body = frame_of(bodies, group.body);
    int rows = 0;
    for_rows_of(group, [&](const CouplingRow& row) { rows += row.grips; });
    for_rows_of(group, [&](CouplingRow& row) {
      if (!row.grips) return;
      const real now = row.normal_lambda,
                 carried = row.load_kept > real(0) ? row.load_kept + fresh * (now - row.load_kept) : now;
      if (!(carried > real(0))) return;
      real w = 0;
      vec3 moved = -displacement(body, row.arm);
      for (int j = 0; j < 3; ++j) {
        const std::size_t point = std::size_t(row.points[j]);
        w += row.weight[j] * row.weight[j] * world.particles.inverse_mass[point];
        moved +=
            row.weight[j] * (vec3(world.particles.position[point]) - vec3(world.particles.previous[point]));
      }
      const vec3 across = moved - glm::dot(row.normal, moved) * row.normal;
      const real slip = glm::length(across);
      // All rows of a body resist the same slip of the body, so each gets its share of the body's mass.
      if (slip > real(0)) w += real(rows) * inverse_mass_along(body, row.arm, across / slip);
      if (!(w > real(0))) return;
      const auto roll = roll_at(world, main_point(row), row.normal);
      const real rolled = roll ? roll->surface_moved(world.particles) +
                                     roll->radius * glm::dot(roll->axis, vec3(body[row_turn]))
                               : real(0);
      const vec3 stop = stopping_impulse(across, w, roll, rolled);
      const vec4 held(within_cone(row.friction_kept + stop, row.friction * carried), carried);
      real all = 0;
      for_keepers(row, [&](std::size_t, real share) { all += share; });
      for_keepers(row, [&](std::size_t point, real share) {
        const bool mine = kept.rod_holders[point] == holder_of(row.body);
        if (!mine && !(carried > kept.rod_holds[point].w)) return;
        if (!mine) kept.rod_holds[point] = vec4(0);
        kept.rod_holders[point] = holder_of(row.body);
        kept.rod_holds[point] += share / all * held;
      });
    });
  }
}

}}  // namespace limber::LIMBER_PRECISION
