// Changes of a World apart from a step, which scratch memory outside the World must follow.
#pragma once

#include <cstdint>
#include <tuple>

namespace limber {

enum class Change : std::uint8_t {
  settings = 1,    ///< settings of the solver, materials, fields
  bodies = 2,      ///< bodies were added or removed
  everything = 4,  ///< another World: other arrays, colliders or topology
};

/// The changes since a Stepper last followed the World (Stepper::follow()). Everything, of a new World.
class Changes {
 public:
  void add(Change change) { bits_ |= std::uint8_t(change); }
  bool has(Change change) const { return (bits_ & std::uint8_t(change)) != 0; }
  bool any() const { return bits_ != 0; }
  void clear() { bits_ = 0; }

 private:
  std::uint8_t bits_ = std::uint8_t(Change::everything);

 public:
  static constexpr auto all_members = std::tuple(&Changes::bits_);
};

}  // namespace limber
