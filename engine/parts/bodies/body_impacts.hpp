// Restitution between rigid bodies, one impact after the other, at the time of each impact
// (impact_search.hpp).
//
// Normal and contact point are computed at the time of impact. The impulse acts on both bodies at that point,
// so linear and angular momentum are conserved:
//
//   n . u' = -e n . u,   |impulse across n| <= mu impulse along n
//
// with u the relative velocity at the point. The body then continues with its new velocity v'. The substep
// must remain one motion from start to end, so its start moves to the place from which the body would have
// come with that velocity: x <- x + f h (v - v'), with f the time of the impact as a share of the substep. (A
// body with joints stays where they hold it.)
// Impacts of all bodies are processed in the order of time.
//
// Pairs of one body that touch at the same time, as when a box falls flat on two tiles, form one impact.
// Their impulses are found together, by Gauss-Seidel sweeps over n . u' = -e n . u with impulses that only
// push. Otherwise the first impulse would rotate the body, and it would hit the second tile with another
// speed.
//
// The contacts of the frame are planes at fixed places. If such a plane would stop a pair that has bounced or
// that passes by, the contact is made again for the end of the substep. Pairs that approach more slowly than
// the speed that gravity gives in two substeps are left to the contacts. The same holds for pairs without
// restitution if the contact has the normal of the impact. Two round shapes that meet off-centre have another
// normal: they get an impact with e = 0.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "engine/contact/bodies/body_contacts.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/parts/bodies/impact_law.hpp"
#include "engine/parts/bodies/impact_search.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

class BodyImpacts {
 public:
  explicit BodyImpacts(const BodyContactKernels<real>& kernels, const BodyContactKernels<real>& one_by_one)
      : kernels_(kernels), one_by_one_(one_by_one) {}

  /// A substep of all bodies.
  struct Substep {
    real h;                     ///< s
    vec3 gained;                ///< m/s, change of velocity by gravity
    vec4* rows;                 ///< the kernels' rows, after start_flight()
    const vec4* frame_start;    ///< m, per body
    const std::int32_t* round;  ///< per body: see surface_turn()
  };

  /// Lists the pairs of a frame that may have impacts. Serial.
  void begin_frame(const World& world, BodyContacts& contacts);

  bool any() const { return !pairs_.empty(); }

  /// Applies the impacts of a substep to velocities, angular momenta, positions and rows. Must be called by
  /// every thread of the team, between barriers; ends at one.
  void run(World& world, BodyContacts& contacts, const Substep& now, Team& team);

 private:
  struct Event {
    real time;
    std::int32_t pair;
    std::uint32_t stamp;  ///< the entry is obsolete if the pair has a newer stamp
  };
  /// The impulse of a pair at the time of its impact.
  struct Blow : ImpactRow {
    std::size_t pair = 0;
    FlightState a{}, b{};     ///< before the impact
    vec3 arm_a{0}, arm_b{0};  ///< m
    vec3 impulse{0};          ///< kg m per substep, on the first body
  };

  void list_neighbours(std::int32_t bodies);
  bool is_left_to_contact(const ImpactPair& pair, const vec3& normal) const;
  void look(std::size_t pair);
  void look_again(std::size_t pair);
  void look_around(std::int32_t body);
  bool find_arms(const BodyContacts::Meeting& meeting, Blow& blow) const;
  void join(std::size_t pair, real time);
  void gather(std::size_t first);
  ImpactSides sides_of(const Blow& blow);
  void push_apart();
  void take(World& world, std::size_t first);
  void commit(World& world, std::int32_t number, const FlightState& at, const vec3& impulse, const vec3& arm,
              real time);
  void add(std::size_t pair);
  void take_all(World& world);
  bool is_stopped_by_plane(const ImpactPair& pair, bool bounced) const;
  void pass(World& world, BodyContacts& contacts, std::size_t pair);
  void leave_to_impact(std::size_t pair);
  void forget_contact(const ImpactPair& pair);
  bool is_forgotten(const ImpactPair& pair) const;

  const BodyContactKernels<real>& kernels_;
  const BodyContactKernels<real>& one_by_one_;
  BodyContactView<real> view_{};
  Substep now_{};
  ImpactSearch search_;
  std::atomic<bool> found_{false};  ///< some pair may bounce, or miss its contact plane, in this substep
  bool bounced_ = false;
  std::vector<ImpactPair> pairs_;
  std::vector<ImpactTouch> touches_;    ///< per pair
  std::vector<std::uint32_t> stamps_;   ///< per pair
  std::vector<std::uint8_t> bounces_;   ///< per pair, in this substep
  std::vector<std::int32_t> first_of_;  ///< per body: its first index in `pairs_of_`
  std::vector<std::int32_t> pairs_of_;
  std::vector<real> last_;                 ///< per body: time of its last impact in this substep; 0: none
  std::vector<std::uint8_t> has_bounced_;  ///< per body, in this substep
  std::vector<std::uint8_t> has_joints_;   ///< per body
  std::vector<std::int32_t> changed_;      ///< bodies that have bounced in this substep
  std::vector<Event> queue_;
  std::vector<Blow> blows_;              ///< pairs of the current impact
  std::vector<std::uint8_t> is_joined_;  ///< per pair: it is in `blows_`
  std::vector<ImpactKick> kicks_;        ///< per body: change by `blows_`
};

}}  // namespace limber::LIMBER_PRECISION
