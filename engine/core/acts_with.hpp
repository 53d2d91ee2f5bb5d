// A set of values of an enum, for settings that act only while a choice has one of these values.
#pragma once

#include <cstdint>
#include <string_view>

namespace limber {

/// A set of enumerators as bits, and its name in texts for the user ("acts only with Jacobi").
struct ActsWith {
  std::uint32_t values = ~0u;  ///< bit n: the setting acts where the choice has value n
  std::string_view name{};

  constexpr bool has(int value) const { return (values >> value & 1u) != 0; }
};

}  // namespace limber
