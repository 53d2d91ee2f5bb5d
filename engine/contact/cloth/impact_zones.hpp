// The fail-safe of contact between surfaces: particles that would cross move as one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/contact/touched_parts.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Half space outside a rigid body, for a point of a surface in a substep: normal . d >= least, with d the
/// displacement of the point.
struct BodyWall {
  std::int32_t points[3];  ///< particles; an unused one repeats the first
  vec3 normal{0};          ///< unit, away from the body
  real least = 0;          ///< m
  std::int32_t body = 0;
  vec3 arm{0};            ///< m, from its centre of mass to the point
  real inverse_mass = 0;  ///< 1/kg, of the body there along the normal
  double pushed = 0.0;    ///< kg m, along the normal, applied to a zone
  double impulse = 0.0;   ///< kg m/s, impulse between body and zone that replaces `pushed`
};

/// Groups of particles that share one displacement over a substep (rigid impact zones, Provot 1997, without
/// rotation). Particles of a zone do not move against each other, so nothing crosses within it. Zones only
/// grow until no pair crosses, at the latest when one zone contains everything. A scene whose attachments
/// stand still therefore never crosses.
class ImpactZones {
 public:
  void reserve(const World& world);

  /// Removes all zones. Must be called before the first join() of a substep.
  void clear();

  /// Puts the four particles into one zone.
  void join(std::span<const std::int32_t> particles);

  /// Moves each zone that has grown since the last move(): all its particles go from `previous` by the mean
  /// displacement of the zone's mass, so momentum is kept up to rounding. A held particle counts with its own
  /// mass, so that the mouse cannot pull it through; an attached particle takes its zone along. Sums are
  /// exact while no coordinate passes a power of two, so that rounding does not bring together particles a
  /// few spacings of numbers apart.
  ///
  /// `colliders`: contacts of the substep's particles, or null. A zone takes none of its members deeper into
  /// a collider: its displacement is projected out of their half spaces, and shortened if a member's path
  /// would still enter. Only a moving collider can obstruct every displacement. `walls`: half spaces outside
  /// rigid bodies, kept in the same way; the bodies feel the impact in answer().
  void move(World& world, const StaticContacts* colliders, std::span<BodyWall> walls, int substep);

  /// Gives bodies and zones the velocities of their impacts, after velocities were taken in a substep of h s.
  /// A body that took a zone along has hit it: the change of the zone's velocity by move() is replaced by the
  /// impulses of an inelastic impact, J >= 0 at each wall that pushed. Positions stay, because otherwise
  /// zones would lie inside bodies. Tells `touched` (may be null) which bodies felt an impact. Serial.
  void answer(World& world, std::span<BodyWall> walls, real h, TouchedParts* touched);

  bool any() const { return !members_.empty(); }
  std::span<const std::int32_t> members() const { return members_; }

  /// Calls act(member, root, pushed) for all members after move(); pushed: something other than a particle of
  /// the zone had a part in the zone's displacement. Serial.
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
    glm::dvec3 moved{0.0};  ///< kg m, or m of those attached
    double weight = 0.0;
    double largest = 0.0;  ///< m, of the coordinates
    bool attached = false;
    glm::dvec3 shift{0.0};   ///< m, of the zone
    double share = 1.0;      ///< of the shift that colliders permit
    bool pushed = false;     ///< by a collider or a wall
    bool resting = false;    ///< it has moved, and nothing has joined it since
    glm::dvec3 gained{0.0};  ///< m/s, in answer()
  };

  std::int32_t root(std::int32_t i);
  void keep_out(const World& world, const StaticContacts* colliders, std::span<BodyWall> walls, int substep);
  Sum* zone_of(const BodyWall& wall);
  template <class Act>
  void for_moving(const Act& act);

  std::vector<std::int32_t> parent_;   ///< per particle; -1: in no zone
  std::vector<std::int32_t> members_;  ///< in the order in which they joined
  std::vector<Sum> sums_;              ///< per particle, of roots
  std::vector<double> given_;          ///< kg m, per wall, in the move at hand
};

}}  // namespace limber::LIMBER_PRECISION
