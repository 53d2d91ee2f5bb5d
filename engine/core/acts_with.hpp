// The values of a choice with which a setting acts.
#pragma once

#include <cstdint>
#include <string_view>

namespace limber {

/// A set of enumerators as bits, and what people call it ("Jacobi"), for "acts only with Jacobi".
struct ActsWith {
  std::uint32_t values = ~0u;  ///< bit n: acts where the choice has value n
  std::string_view name{};

  constexpr bool has(int value) const { return (values >> value & 1u) != 0; }
};

}  // namespace limber
