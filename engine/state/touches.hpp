// Collision masks of objects, bodies and colliders: a scene chooses which of them touch each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace limber {

/// Collision mask: the kinds to which an object belongs and those with which it collides, as sets of up to 64
/// kinds. Objects that no list names are of kind 0.
struct TouchMask {
  std::uint64_t own = 1, with = ~std::uint64_t(0);

  static constexpr auto all_members = std::tuple(&TouchMask::own, &TouchMask::with);
};

/// Whether two objects may touch: each has to name the other.
constexpr bool touch(const TouchMask& a, const TouchMask& b) {
  return (a.own & b.with) != 0 && (b.own & a.with) != 0;
}

/// The masks of a scene, by number. Things without a mask (the ball in the user's hand, a thrown ball) count
/// as kind 0 and touch everything that allows kind 0.
struct Touches {
  bool all = true;                   ///< the scene has no masks: everything touches everything
  std::vector<TouchMask> objects;    ///< per object of the World
  std::vector<TouchMask> bodies;     ///< per body of the scene's list
  std::vector<TouchMask> colliders;  ///< per collider of the scene's list

  static constexpr auto all_members =
      std::tuple(&Touches::all, &Touches::objects, &Touches::bodies, &Touches::colliders);

  static TouchMask at(const std::vector<TouchMask>& masks, std::size_t i) {
    return i < masks.size() ? masks[i] : TouchMask();
  }
};

}  // namespace limber
