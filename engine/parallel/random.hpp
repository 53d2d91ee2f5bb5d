// Counter-based random numbers: value = f(seed, counter), so any thread can draw any one of them.
#pragma once

#include <cstdint>

namespace limber {

/// Uniform 64 bits for (seed, counter): the SplitMix64 finaliser over both.
inline std::uint64_t random_bits(std::uint64_t seed, std::uint64_t counter) {
  std::uint64_t z = seed * 0x9e3779b97f4a7c15ull + (counter + 1) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

/// Uniform in [-1, 1).
inline double random_signed(std::uint64_t seed, std::uint64_t counter) {
  return double(random_bits(seed, counter) >> 11) * 0x1p-52 - 1.0;
}

}  // namespace limber
