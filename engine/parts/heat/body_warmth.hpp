// Heat of rigid bodies. A body has one temperature; it exchanges heat with everything that it touches and
// with the air.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Links of bodies that have a temperature, as conductances in W/K. The conductance of a link is that of the
/// contact in series with that of the body over a depth of volume / surface, the path of heat to the middle
/// of the body. The area of contacts is subtracted from the area that exchanges heat with the air. A fixed
/// body keeps its temperature.
///
/// The contact area between bodies, or of bodies with colliders, is the area spanned by the contact points.
/// Round bodies touch in points; the least area is that of a spot with a twentieth of the smaller body's
/// radius.
class BodyWarmth {
 public:
  /// Largest number of bodies that a particle can touch; further bodies are ignored.
  static constexpr std::size_t most_touched = 3;

  /// Properties of a particle for contacts with bodies.
  struct Skin {
    double area = 0.0;      ///< m^2
    double exchange = 0.0;  ///< W/(m^2 K), of the contact and the particle's own half in series
    double nearest = 0.0;   ///< m, largest distance of a body from the particle's centre at which they touch
  };

  static bool enabled(const World& world);
  void reserve(const World& world);  ///< allocates; call between steps

  /// Finds the bodies that the particles of `mine` touch.
  void touch(const World& world, std::span<const Skin> skins, const Share& mine);

  /// m^2, total area of the contacts of particle i with bodies.
  double covered(std::size_t i) const {
    double sum = 0.0;
    if (!touched_.empty())
      for (const Touch& touch : touched_[i]) sum += touch.body >= 0 ? areas_[i] : 0.0;
    return sum;
  }

  /// Makes all links. Must be called after touch() of all particles. Serial.
  void link(const World& world);

  /// s, the longest stable time step for the bodies.
  double limit() const { return limit_; }
  double linked(std::size_t i) const { return linked_.empty() ? 0.0 : linked_[i]; }

  /// W, heat flow into particle i from the bodies with their temperatures at take().
  double into(std::size_t i, double temperature) const;

  /// Copies the temperatures of bodies for into() and step(). Serial.
  void take(const World& world);
  /// Computes a heat substep of `seconds`, with particles at `temperatures`. Serial.
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
    std::int32_t a, b;  ///< body; -1: surroundings
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
  std::vector<double> areas_;   ///< m^2, per particle: area of each of its contacts with bodies
  std::vector<double> linked_;  ///< W/K, per particle: sum over its links to bodies
  std::vector<double> now_;     ///< degrees C, per body, at take()
  std::vector<ParticleLink> particle_links_;
  std::vector<Link> links_;
  double limit_ = 0.0;
};

}}  // namespace limber::LIMBER_PRECISION
