// A contact between surfaces of which a collider holds some particles.
#pragma once

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "engine/contact/cloth/surface_pair.hpp"
#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/contact/law.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

inline vec3 pair_row(real* const (&rows)[3], std::size_t slot) {
  return {rows[0][slot], rows[1][slot], rows[2][slot]};
}

/// A pair of features as the sides of a contact, in positions. Particles that a collider supports do not move
/// along the normal of their contact, which takes the impulse in their place, as in SupportedPoint
/// (contact/coupling/coupling_row.hpp).
struct SupportedPair {
  const SurfacePairView<real>& pairs;
  std::size_t slot;
  Particles& particles;
  StaticContact* support[4] = {};

  /// Finds the contacts with colliders that support its particles against an impulse along the normal n;
  /// false if there are none.
  bool find_support(StaticContacts& colliders, const vec3& n) {
    bool any = false;
    for (int j = 0; j < 4; ++j) {
      const real s = pairs.weight[j][slot];
      if (s == real(0)) continue;
      support[j] = colliders.support(pairs.vertices[j][slot], s > real(0) ? n : -n);
      any |= support[j] != nullptr;
    }
    return any;
  }
  /// m, from the second feature's nearest point to the first's.
  vec3 apart() const {
    const vec3 last(particles.position[vertex(3)]);
    vec3 sum(0);
    for (int j = 0; j < 3; ++j) sum += pairs.weight[j][slot] * (vec3(particles.position[vertex(j)]) - last);
    return sum;
  }
  real inverse_mass_along(const vec3& n) const {
    real sum = 0, lever = 0;
    for (int j = 0; j < 4; ++j) {
      const real along = support[j] ? glm::dot(n, support[j]->normal) : real(0), s = pairs.weight[j][slot];
      const real w = particles.position[vertex(j)].w * std::max(1 - along * along, real(0));
      sum += s * s * w, lever = std::max(lever, std::abs(s) * w);
    }
    return std::max(sum, lever / real(pair_lever));
  }
  void push(const vec3& impulse) const {
    for (int j = 0; j < 4; ++j) {
      vec4& p = particles.position[vertex(j)];
      vec3 step = p.w * pairs.weight[j][slot] * impulse;
      if (StaticContact* const held = support[j]) {
        const real along = glm::dot(step, held->normal);
        step -= along * held->normal;
        held->load -= along;
      }
      p += vec4(step, real(0));
      particles.moved[vertex(j)] += vec4(step, real(0));
    }
  }
  std::size_t vertex(int j) const { return std::size_t(pairs.vertices[j][slot]); }
};

/// One step of push_pairs() for a single pair some of whose particles are supported by colliders.
inline void push_supported_pair(const SupportedPair& pair, const vec3& n, const vec3& kept) {
  const SurfacePairView<real>& pairs = pair.pairs;
  const std::size_t slot = pair.slot;
  const real w = pair.inverse_mass_along(n);
  if (!(w > real(0))) return;
  const vec3 apart = pair.apart();
  const real C = glm::dot(n, apart) - pairs.hold[slot], before = glm::dot(n, kept);
  const real push = std::max(before - C / w, real(0));
  const vec3 moved = apart - pair_row(pairs.apart, slot) + pair_row(pairs.drift, slot);
  const vec3 slid = moved - glm::dot(n, moved) * n;
  vec3 across = kept - before * n;
  if (const real length = glm::length(slid); length > real(0))
    if (const real w_across = pair.inverse_mass_along(slid / length); w_across > real(0))
      across -= slid / w_across;
  const vec3 now = push * n + within_cone(across, pairs.friction[slot] * push);
  for (int k = 0; k < 3; ++k) pairs.kept[k][slot] = now[k];
  pair.push(now - kept);
}

}}  // namespace limber::LIMBER_PRECISION
