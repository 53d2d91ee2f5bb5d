// The fail-safe of contact between surfaces: particles that would cross move as one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/contact/touched_parts.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Half space that a rigid body leaves to a point of a surface in a substep: normal . d >= least for the
/// point's displacement d.
struct BodyWall {
  std::int32_t points[3];  ///< particles; an unused one repeats the first
  vec3 normal{0};          ///< unit, away from the body
  real least = 0;          ///< m
  std::int32_t body = 0;
  vec3 arm{0};            ///< m, from its centre of mass to the point
  real inverse_mass = 0;  ///< 1/kg, of the body there along the normal
  double pushed = 0.0;    ///< kg m, along the normal: given to a zone
  double impulse = 0.0;   ///< kg m/s, impulse between the two in place of that
};

/// Groups of particles that share one displacement over a substep (rigid impact zones, Provot 1997, without
/// rotation): nothing within a zone moves against the rest of it, so nothing crosses there. Zones only grow,
/// and the largest, everything, is safe; a scene that keeps its attachments still therefore never crosses.
class ImpactZones {
 public:
  void reserve(const World& world);

  /// No zones. Call before the first join() of a substep.
  void clear();

  /// Puts the four particles into one zone.
  void join(std::span<const std::int32_t> particles);

  /// Moves the particles of each zone that join() has named since the last move(): from `previous` by the
  /// mean displacement of all its mass. Momentum is kept up to rounding. A held particle counts with its own
  /// mass, so the mouse cannot pull it through; an attached particle takes its zone along. Sums are exact as
  /// long as no coordinate passes a power of two: particles a few spacings of numbers apart are not brought
  /// together by rounding.
  ///
  /// `colliders`: contacts of the substep's particles; a zone then takes none of its members deeper into a
  /// collider: the displacement is projected out of their half spaces, and cut short where a member's path
  /// would still enter. Only a collider that moves can obstruct every displacement. `walls`: the half spaces
  /// of rigid bodies, kept in the same way; the bodies feel the impact in answer().
  void move(World& world, const StaticContacts* colliders, std::span<BodyWall> walls, int substep);

  /// Gives bodies and zones the velocities of their impacts, after velocities were taken in a substep of h s.
  /// Bodies that took zones along have met them: the change of their velocities by move() is replaced by the
  /// impulses of an inelastic impact, J >= 0 at each wall that pushed. Positions stay, or zones would be in
  /// bodies. Tells `touched` (may be null) which bodies felt an impact. Serial.
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
    double share = 1.0;      ///< of the shift, that colliders leave
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
