// Finds the last frame's contact multipliers of two particles, or of a particle and a collider.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// An index of ContactState::particles, which are sorted by a. Collider c is stored as partner -1 - c.
class KeptContacts {
 public:
  static constexpr std::int32_t partner(std::int32_t collider) { return -1 - collider; }

  void reserve(const World& world) { from_.assign(std::size_t(world.particles.padded()) + 1, 0); }

  /// Builds the index; must be called after the contacts have changed.
  void index(const World& world) {
    std::fill(from_.begin(), from_.end(), 0);
    for (const ParticleContact& contact : world.contacts.particles) ++from_[std::size_t(contact.a) + 1];
    std::partial_sum(from_.begin(), from_.end(), from_.begin());
  }

  /// The multipliers of the pair; all 0 if the pair did not touch.
  ParticleContact find(const World& world, std::int32_t a, std::int32_t b) const {
    for (std::int32_t k = from_[std::size_t(a)]; k < from_[std::size_t(a) + 1]; ++k) {
      const ParticleContact& contact = world.contacts.particles[std::size_t(k)];
      if (contact.b == b) return contact;
    }
    return {a, b};
  }

 private:
  std::vector<std::int32_t> from_;  ///< per particle: index of its first contact; and one more for the end
};

}}  // namespace limber::LIMBER_PRECISION
