// The time at which two rigid bodies touch within a substep.
//
// Within a substep a body moves along x(f) = x + f h v + (f + f^2)/2 h^2 g, f in [0, 1], and rotates about a
// fixed axis; this parabola passes through the positions at the ends of the substeps. A pair meets at the
// first f at which its distance is zero. Newton's iteration, with the speed at which the nearest points
// approach, finds that f from earlier times: the distance of convex bodies in translation is a convex
// function of time.
#pragma once

#include <cstdint>

#include "engine/contact/bodies/body_contacts.hpp"
#include "engine/parts/bodies/body_flight.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

inline constexpr real never_met = real(1e6);  ///< m, the separation of shapes that do not meet

/// Three consecutive columns of a slot as a vector.
inline vec3 vector_at(const real* column) { return {column[0], column[lane_group], column[2 * lane_group]}; }

/// A contact of ContactState::bodies that can bounce, or whose normal may rotate within a frame.
struct ImpactPair {
  std::int32_t contact, slot;
  std::int32_t shape_a, shape_b;  ///< as in the entry of the contact; shape_b >= number of shapes: a collider
  std::int32_t row_a, row_b;      ///< bodies, then colliders, then patches of skin
  real restitution, friction;
  real size;              ///< m, reach of the smaller shape
  real reach_a, reach_b;  ///< m, distance of the farthest points from the centre of rotation
  real apart;             ///< m, distance at the frame's start
  bool plane;             ///< the contact plane is known for the whole frame: skin, or the ground at a seam
};

/// The next contact of a pair.
struct ImpactTouch {
  static constexpr real never = 4;
  // More than 1, so that rounding cannot postpone a contact for ever.
  static constexpr real latest = real(1.001);

  real time = never;  ///< share of the substep
  BodyContacts::Meeting meeting;

  bool comes() const { return time <= latest; }
};

/// Pose and motion of a body at some time of the substep, in m and rad per substep.
struct FlightState {
  /// m, from the body's position at the substep's start; for a collider: at the frame's start.
  vec3 center{0};
  vec4 orientation{0, 0, 0, 1};
  vec3 velocity{0}, spin{0};
  vec3 fall{0};  ///< part of the velocity that gravity has added in the substep
  real inverse_mass = 0;
  Symmetric inverse_inertia{};
};

/// Searches impacts within a substep. `rows`: the kernels' rows after start_flight().
class ImpactSearch {
 public:
  /// Combined restitution and friction, and sizes, of an entry of ContactState::bodies. An entry that is not
  /// `eligible` is not searched for impacts.
  struct Listed {
    ImpactPair pair;
    bool eligible;
  };
  /// False if no contact of the World is eligible: no body bounces, and each has a face.
  static bool any_eligible(const World& world);
  static Listed listed(const World& world, const BodyContactView<real>& view, std::int32_t contact,
                       std::int32_t slot, bool on_ground);

  ImpactSearch() = default;
  /// `gained`: m/s, change of velocity by gravity in a substep of h s. `frame_start`: m, per body.
  ImpactSearch(const World& world, const BodyContactView<real>& view, real h, const vec3& gained,
               const vec4* rows, const vec4* frame_start)
      : world_(&world), view_(view), h_(h), fall_(h * gained), rows_(rows), frame_start_(frame_start) {}

  /// m per substep, the speed that gravity gives in two substeps. Pairs that approach more slowly are left to
  /// contacts.
  real slow() const { return 2 * glm::length(fall_); }
  const vec3& fall() const { return fall_; }
  real h() const { return h_; }

  /// State at `time` of one side of a pair: a body in flight, or a collider or fixed body, which moves
  /// according to its row.
  FlightState state_of(std::int32_t number, real time) const;

  /// Closing speed of a point of the manifold, m per substep, with and without the part that gravity has
  /// added.
  struct Approach {
    real speed, without_fall;
  };
  static Approach approach_of(const FlightState& a, const FlightState& b,
                              const BodyContacts::Meeting& meeting, const vec3& point);

  /// Whether a pair with a known contact plane reaches that plane in this substep.
  bool closes(const ImpactPair& pair) const;
  /// Number of substeps by which a contact acts early. Without restitution it is two, because velocities come
  /// from a solve that allows no overlap one substep later.
  static real reach_in_time(const ImpactPair& pair) { return pair.restitution > real(0) ? real(1) : real(2); }
  /// Whether a pair may meet in this substep at a speed at which it bounces.
  bool nears(const ImpactPair& pair) const;

  /// The manifold of a pair whose sides are in the states `a` and `b`.
  void meet(const ImpactPair& pair, const FlightState& a, const FlightState& b,
            BodyContacts::Meeting& out) const;
  /// The manifold of a pair; for a pair with a known contact plane, the manifold with that plane at `time`.
  void meet(const ImpactPair& pair, const FlightState& a, const FlightState& b, real time,
            BodyContacts::Meeting& out) const {
    pair.plane ? meet_plane(pair, a, time, out) : meet(pair, a, b, out);
  }

  /// The first contact of the pair between the times `since` and `until`.
  ImpactTouch first_touch(const ImpactPair& pair, real since, real until = ImpactTouch::latest) const;

 private:
  struct Look;

  void meet_collider(const ImpactPair& pair, const FlightState& b, real reach,
                     BodyContacts::Meeting& out) const;
  void meet_plane(const ImpactPair& pair, const FlightState& a, real time, BodyContacts::Meeting& out) const;
  real turning_of(const ImpactPair& pair) const;
  real reach_of(const ImpactPair& pair) const;
  Look look_at(const ImpactPair& pair, real time, BodyContacts::Meeting& out) const;
  const vec4* row_of(std::int32_t number) const { return rows_ + body_rows * std::size_t(number); }

  const World* world_ = nullptr;
  BodyContactView<real> view_{};
  real h_ = 0;    ///< s
  vec3 fall_{0};  ///< m, h^2 g
  const vec4* rows_ = nullptr;
  const vec4* frame_start_ = nullptr;
};

}}  // namespace limber::LIMBER_PRECISION
