// Finds the contact multipliers of two particles, or of a particle and a collider, from the last frame.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// An index of ContactState::particles, which ascend by a. A collider c is the partner -1 - c.
class KeptContacts {
 public:
  static constexpr std::int32_t partner(std::int32_t collider) { return -1 - collider; }

  void reserve(const World& world) { from_.assign(std::size_t(world.particles.padded()) + 1, 0); }

  /// Indexes the contacts; must be called after they have changed.
  void index(const World& world) {
    std::fill(from_.begin(), from_.end(), 0);
    for (const ParticleContact& contact : world.contacts.particles) ++from_[std::size_t(contact.a) + 1];
    std::partial_sum(from_.begin(), from_.end(), from_.begin());
  }

  /// The multipliers of the pair; all 0 if it did not touch.
  ParticleContact find(const World& world, std::int32_t a, std::int32_t b) const {
    for (std::int32_t k = from_[std::size_t(a)]; k < from_[std::size_t(a) + 1]; ++k) {
      const ParticleContact& contact = world.contacts.particles[std::size_t(k)];
      if (contact.b == b) return contact;
    }
    return {a, b};
  }

 private:
  std::vector<std::int32_t> from_;  ///< per particle: its first, and an end
};

}}  // namespace limber::LIMBER_PRECISION
