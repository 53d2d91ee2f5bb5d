// Impact zones, the fail-safe of contact between surfaces: particles that would cross move together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/contact/touched_parts.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Half space outside a rigid body that a point of a surface must not leave in a substep: normal . d >=
/// least, with d the displacement of the point.
struct BodyWall {
  std::int32_t points[3];  ///< particles of the point, triangle or edge; an unused entry repeats the first
  vec3 normal{0};          ///< unit, away from the body
  real least = 0;          ///< m
  std::int32_t body = 0;
  vec3 arm{0};            ///< m, from its centre of mass to the point
  real inverse_mass = 0;  ///< 1/kg, inverse mass of the body at that point along the normal
  double pushed = 0.0;    ///< kg m, impulse along the normal that move() applied to a zone
  double impulse = 0.0;   ///< kg m/s, impulse between body and zone that replaces `pushed`
};

/// Groups of particles that share one displacement over a substep (rigid impact zones, Provot 1997, without
/// rotation). Particles of a zone do not move relative to each other, so nothing crosses within a zone. Zones
/// grow until no pair crosses, at the latest when one zone contains everything. A scene whose attachments
/// stand still therefore never crosses.
class ImpactZones {
 public:
  void reserve(const World& world);

  /// Removes all zones. Must be called before the first join() of a substep.
  void clear();

  /// Puts the four particles into one zone.
  void join(std::span<const std::int32_t> particles);

  /// Moves each zone that has grown since the last move(): all its particles move from `previous` by the
  /// mass-weighted mean of their displacements, so momentum is conserved up to rounding. A particle that the
  /// mouse drags counts with its own mass, so that it cannot be pulled through; an attached particle
  /// determines the displacement of its zone. Sums are exact as long as no coordinate passes a power of two,
  /// so that rounding does not make particles meet that are only a few representable numbers apart.
  ///
  /// `colliders`: contacts of the substep's particles, or null. A zone moves none of its members deeper into
  /// a collider: its displacement is projected out of their half spaces, and shortened if a member's path
  /// would still enter. Only a moving collider can obstruct every displacement. `walls`: half spaces outside
  /// rigid bodies, treated in the same way; answer() applies the impact to the bodies.
  void move(World& world, const StaticContacts* colliders, std::span<BodyWall> walls, int substep);

  /// Gives bodies and zones the velocities after their impacts, once velocities were computed in a substep of
  /// h s. A wall that pushed a zone in move() means that the body hit the zone: the velocity that move() gave
  /// the zone is replaced by the impulses of an inelastic impact, J >= 0 at each of these walls. Positions
  /// stay, because otherwise zones would lie inside bodies. Tells `touched` (may be null) which bodies felt
  /// an impact. Serial.
  void answer(World& world, std::span<BodyWall> walls, real h, TouchedParts* touched);

  bool any() const { return !members_.empty(); }
  std::span<const std::int32_t> members() const { return members_; }

  /// Calls act(member, root, pushed) for all members after move(). pushed: an attachment, a collider or a
  /// wall influenced the displacement of the member's zone. Serial.
  template <class Act>
  void for_members(const Act& act) {
    for (const std::int32_t member : members_) {
      const std::int32_t zone = root(member);
      const Sum& sum = sums_[std::size_t(zone)];
      act(member, zone, sum.attached || sum.pushed);
    }
  }

 private:
  struct Sum {
    /// kg m, sum of mass times displacement; m, of the attached particle if there is one.
    glm::dvec3 moved{0.0};
    double weight = 0.0;
    double largest = 0.0;  ///< m, largest coordinate of its particles
    bool attached = false;
    glm::dvec3 shift{0.0};   ///< m, displacement of the zone
    double share = 1.0;      ///< share of `shift` that colliders permit
    bool pushed = false;     ///< a collider or a wall changed the shift
    bool resting = false;    ///< move() has moved the zone, and no particle has joined it since
    glm::dvec3 gained{0.0};  ///< m/s, change of velocity in answer()
  };

  std::int32_t root(std::int32_t i);
  void keep_out(const World& world, const StaticContacts* colliders, std::span<BodyWall> walls, int substep);
  Sum* zone_of(const BodyWall& wall);
  template <class Act>
  void for_moving(const Act& act);

  std::vector<std::int32_t> parent_;   ///< per particle; -1: in no zone
  std::vector<std::int32_t> members_;  ///< particles in the order in which they joined
  std::vector<Sum> sums_;              ///< per particle; valid for the roots of zones
  std::vector<double> given_;          ///< kg m, per wall: impulse in the current move()
};

}}  // namespace limber::LIMBER_PRECISION
