// Checks that a parallel computation gives the same bits for any number of threads and lanes.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <span>

#include "engine/core/simd_choice.hpp"

namespace limber::test {

/// True if the environment asks for every case instead of the few that find most faults (./test.sh --full).
inline bool every_case() { return std::getenv("LIMBER_EVERY_CASE") != nullptr; }

/// Numbers of threads whose results are compared, without one thread: three divide work unevenly, and the
/// thread sanitizer sees the races of eight with them.
inline std::span<const int> several_threads() {
  static constexpr int counts[] = {3, 2, 8};
#ifdef __SANITIZE_THREAD__
  return std::span(counts).first(1);
#else
  return std::span(counts).first(every_case() ? 3 : 1);
#endif
}

/// One thread, to compare with, then `several_threads()`.
inline std::span<const int> thread_counts() {
  static constexpr int counts[] = {1, 3, 2, 8};
  return std::span(counts).first(1 + several_threads().size());
}

/// Expects `hash(threads, simd)` to be one value for any number of threads and any instruction set.
template <class Hash>
void expect_same_bits(Hash hash) {
  const auto expected = hash(1, Simd::scalar);
#ifdef __SANITIZE_THREAD__
  EXPECT_EQ(hash(3, Simd::automatic), expected);
#else
  for (const int threads : several_threads()) EXPECT_EQ(hash(threads, Simd::scalar), expected) << threads;
  for (const Simd simd : {Simd::w4, Simd::w8, Simd::w16})
    if (supported(simd)) {
      EXPECT_EQ(hash(2, simd), expected) << to_string(simd);
    }
#endif
}

}  // namespace limber::test
