// Heat of rigid bodies: one temperature each, which they exchange with what they touch and with the air.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The links of bodies that have a temperature, as conductances in W/K. Heat that enters a body has volume
/// over surface to go until it is in the middle of it: each link has that resistance behind its own. What
/// touches a body takes its area from what the air meets. A fixed body keeps its temperature.
///
/// Bodies touch each other, and colliders, over the area between their contact points, at least over a spot a
/// twentieth as wide as the smaller one: round things touch in points.
class BodyWarmth {
 public:
  /// A particle touches this many bodies at most; further ones are left out.
  static constexpr std::size_t most_touched = 3;

  /// Contact of a particle with a body for the exchange of heat.
  struct Skin {
    double area = 0.0;      ///< m^2
    double exchange = 0.0;  ///< W/(m^2 K), of the contact and the particle's own half
    double nearest = 0.0;   ///< m, at which it touches, from its centre
  };

  static bool enabled(const World& world);
  void reserve(const World& world);  ///< allocates; call between steps

  /// Finds which bodies the particles of `mine` touch, whose skins are those.
  void touch(const World& world, std::span<const Skin> skins, const Share& mine);

  /// m^2, of particle i against bodies.
  double covered(std::size_t i) const {
    double sum = 0.0;
    if (!touched_.empty())
      for (const Touch& touch : touched_[i]) sum += touch.body >= 0 ? areas_[i] : 0.0;
    return sum;
  }

  /// Once all particles have theirs: all links. On one thread.
  void link(const World& world);

  /// s, the longest stable step for the bodies, and W/K by which particle i is linked to them.
  double limit() const { return limit_; }
  double linked(std::size_t i) const { return linked_.empty() ? 0.0 : linked_[i]; }

  /// W, into particle i from the bodies as they were at take().
  double into(std::size_t i, double temperature) const;

  /// Temperatures that into() and step() go by. On one thread.
  void take(const World& world);
  /// One sub-step of `seconds`, in which particles have `temperatures`. On one thread.
  void step(World& world, std::span<const double> temperatures, double seconds);

 private:
  struct Touch {
    std::int32_t body = -1;
    double conductance = 0.0;  ///< W/K
  };
  struct ParticleLink {
    std::int32_t particle, body;
    double conductance;  ///< W/K
  };
  /// Two bodies; or one and what is kept at a temperature.
  struct Link {
    std::int32_t a, b;  ///< b -1: outside
    double conductance, outside;
  };
  struct Part {
    double surface = 0.0, depth = 0.0;  ///< m^2; m, volume over surface
    double covered = 0.0;               ///< m^2, by what touches it
    double given = 0.0;                 ///< W
  };

  double behind(const World& world, std::size_t body) const;
  double capacity(const World& world, std::size_t body) const;
  void link_contact(const World& world, const BodyContact& contact);

  std::vector<Part> parts_;                               ///< per body that may have a temperature
  std::vector<std::array<Touch, most_touched>> touched_;  ///< per particle
  std::vector<double> areas_;                             ///< m^2, per particle: what it covers of each
  std::vector<double> linked_;                            ///< W/K, per particle
  std::vector<double> now_;                               ///< degrees C, per body
  std::vector<ParticleLink> particle_links_;
  std::vector<Link> links_;
  double limit_ = 0.0;
};

}}  // namespace limber::LIMBER_PRECISION
