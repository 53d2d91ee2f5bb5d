// Checks that a parallel computation gives the same bits for any number of threads and lanes.
#pragma once

#include <gtest/gtest.h>

#include "engine/core/simd_choice.hpp"

namespace limber::test {

/// Expects `hash(threads, simd)` to be one value for any number of threads and any instruction set. The
/// thread sanitizer looks for races, which one parallel run shows as well as eight.
template <class Hash>
void expect_same_bits(Hash hash) {
  const auto expected = hash(1, Simd::scalar);
#ifdef __SANITIZE_THREAD__
  EXPECT_EQ(hash(3, Simd::automatic), expected);
#else
  for (const int threads : {2, 3, 8}) EXPECT_EQ(hash(threads, Simd::scalar), expected) << threads;
  for (const Simd simd : {Simd::w4, Simd::w8, Simd::w16})
    if (supported(simd)) {
      EXPECT_EQ(hash(2, simd), expected) << to_string(simd);
    }
#endif
}

}  // namespace limber::test
