// Seams: features of two objects that are tied to each other do not touch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// For each particle, the object to which a tie holds it; if there are several ties, the last one.
class TiedObjects {
 public:
  /// Reads the ties that are not broken; allocates if there are new ones. Serial.
  void note(const World& world) {
    to_.assign(world.user.point_ties.empty() ? 0 : std::size_t(world.particles.padded()), -1);
    for (const PointTie& tie : world.user.point_ties) {
      if (tie.broken || !tie.a.is_of_particles() || !tie.b.is_of_particles()) continue;
      note(world, tie.a, tie.b);
      note(world, tie.b, tie.a);
    }
  }

  /// Whether two features of different objects lie at a common seam: each has a particle that is tied to the
  /// other's object.
  bool are_sewn(const World& world, std::span<const std::int32_t> a, std::span<const std::int32_t> b) const {
    return !to_.empty() && is_tied(world, a, b[0]) && is_tied(world, b, a[0]);
  }

 private:
  static std::int32_t object_of(const World& world, std::int32_t i) {
    return world.particles.object[std::size_t(i)];
  }
  void note(const World& world, const TieEnd& end, const TieEnd& other) {
    for (std::size_t k = 0; k < end.points.size(); ++k)
      if (end.weight[k] != real(0)) to_[std::size_t(end.points[k])] = object_of(world, other.points[0]);
  }
  bool is_tied(const World& world, std::span<const std::int32_t> feature, std::int32_t other) const {
    for (const std::int32_t i : feature)
      if (to_[std::size_t(i)] == object_of(world, other)) return true;
    return false;
  }

  std::vector<std::int32_t> to_;
};

}}  // namespace limber::LIMBER_PRECISION
