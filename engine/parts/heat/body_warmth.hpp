// Heat of rigid bodies. A body has one temperature, and exchanges heat with whatever it touches and with the
// air.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Links of bodies that have a temperature, as conductances in W/K. A link has its own resistance in series
/// with the resistance of the body over a depth of volume / surface, the way of heat to the middle of the
/// body. The area of contacts is subtracted from the area that the air cools. A fixed body keeps its
/// temperature.
///
/// The area of contact between bodies, or of bodies with colliders, is that between the contact points. It is
/// at least a spot a twentieth as wide as the smaller body, because round bodies touch in points.
class BodyWarmth {
 public:
  /// Most bodies that a particle touches; further ones are left out.
  static constexpr std::size_t most_touched = 3;

  /// Contact of a particle with a body for the exchange of heat.
  struct Skin {
    double area = 0.0;      ///< m^2
    double exchange = 0.0;  ///< W/(m^2 K), of the contact and the particle's own half
    double nearest = 0.0;   ///< m, distance from its centre at which it touches
  };

  static bool enabled(const World& world);
  void reserve(const World& world);  ///< allocates; call between steps

  /// Finds the bodies that the particles of `mine` touch.
  void touch(const World& world, std::span<const Skin> skins, const Share& mine);

  /// m^2, area of particle i that bodies cover.
  double covered(std::size_t i) const {
    double sum = 0.0;
    if (!touched_.empty())
      for (const Touch& touch : touched_[i]) sum += touch.body >= 0 ? areas_[i] : 0.0;
    return sum;
  }

  /// Makes all links, after touch() of all particles. Serial.
  void link(const World& world);

  /// s, the longest stable step for the bodies.
  double limit() const { return limit_; }
  double linked(std::size_t i) const { return linked_.empty() ? 0.0 : linked_[i]; }

  /// W, into particle i from the bodies as they were at take().
  double into(std::size_t i, double temperature) const;

  /// Copies the temperatures that into() and step() use. Serial.
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
  /// A link between two bodies, or between a body and surroundings of fixed temperature.
  struct Link {
    std::int32_t a, b;  ///< b -1: outside
    double conductance, outside;
  };
  struct Part {
    double surface = 0.0, depth = 0.0;  ///< m^2; m, volume over surface
    double covered = 0.0;               ///< m^2, area covered by contacts
    double given = 0.0;                 ///< W
  };

  double behind(const World& world, std::size_t body) const;
  double capacity(const World& world, std::size_t body) const;
  void link_contact(const World& world, const BodyContact& contact);

  std::vector<Part> parts_;                               ///< per body that may have a temperature
  std::vector<std::array<Touch, most_touched>> touched_;  ///< per particle
  std::vector<double> areas_;                             ///< m^2, per particle: area of each of its contacts
  std::vector<double> linked_;                            ///< W/K, per particle
  std::vector<double> now_;                               ///< degrees C, per body
  std::vector<ParticleLink> particle_links_;
  std::vector<Link> links_;
  double limit_ = 0.0;
};

}}  // namespace limber::LIMBER_PRECISION
