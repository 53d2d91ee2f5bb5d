// Puts rigid bodies to sleep.
#pragma once

#include <vector>

#include "engine/contact/colliders/static_contacts.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// An island is a set of bodies connected by contacts of the last frame (including pairs that nearly touch)
/// or by joints (including broken ones). An island falls asleep once all of its bodies have stayed in place
/// for long enough and neither the user nor a moving collider acts on them. Serial, so the result is the same
/// for any number of threads.
class Sleeping {
 public:
  /// Must be called before a frame of dt seconds. Colliders must be at their poses of the frame's start;
  /// `statics` knows their motion.
  void begin_frame(World& world, real dt, const StaticContacts& statics);

 private:
  void measure(World& world, real dt, const StaticContacts& statics);
  bool is_calm(const World& world, std::size_t body) const;
  void connect(const World& world);
  std::int32_t root_of(std::int32_t body);
  void join(std::int32_t a, std::int32_t b);

  std::vector<real> reach_;         ///< m, per body: distance of its farthest point from the centre
  std::vector<std::int32_t> root_;  ///< per body: link towards the lowest number of its island
  std::vector<real> calm_;          ///< s, per root: shortest time at rest in its island
  std::vector<std::int32_t> drowsy_, islands_;
};

}}  // namespace limber::LIMBER_PRECISION
