// Barriers between stages follow from their uses.
#include <gtest/gtest.h>

#include "engine/step/uses.hpp"

namespace limber { namespace {

using R = Resource;

constexpr Uses writes_own{{}, {R::places}, {}, {}}, writes_any{{}, {}, {}, {R::places}},
    reads_own{{R::places}, {}, {}, {}}, reads_any{{}, {}, {R::places}, {}},
    elsewhere{{}, {R::walls}, {}, {R::bodies}};

TEST(StageUses, ConflictIfOneWritesAndOneLeavesItsShare) {
  static_assert(!conflict(writes_own, writes_own));
  static_assert(!conflict(writes_own, reads_own));
  static_assert(!conflict(reads_any, reads_any));
  static_assert(!conflict(reads_any, reads_own));
  static_assert(!conflict(writes_any, elsewhere));
  for (const Uses& other : {writes_own, writes_any, reads_own, reads_any}) {
    EXPECT_TRUE(conflict(writes_any, other));
    EXPECT_TRUE(conflict(other, writes_any));
  }
  static_assert(conflict(writes_own, reads_any) && conflict(reads_any, writes_own));
}

TEST(StageUses, ABarrierComesBeforeWhatReadsTheSharesOfOthers) {
  Pending pending;
  EXPECT_FALSE(pending.add(writes_own, Who::all));
  EXPECT_FALSE(pending.add(reads_own, Who::all));
  EXPECT_FALSE(pending.add(elsewhere, Who::all));
  EXPECT_TRUE(pending.add(reads_any, Who::all));   // waits for the first
  EXPECT_FALSE(pending.add(reads_any, Who::all));  // nothing has been written since
  EXPECT_TRUE(pending.add(writes_own, Who::all));  // others may still read
  EXPECT_FALSE(pending.add(writes_own, Who::all));
  EXPECT_TRUE(pending.add(reads_any, Who::first));
}

TEST(StageUses, AStageThatStartsInItsOwnShareIsNotWaitedForByOwnShares) {
  Pending pending;
  EXPECT_FALSE(pending.add(writes_own, Who::all));
  EXPECT_FALSE(pending.add(writes_own | writes_any, Who::own_start));
  EXPECT_TRUE(pending.add(writes_own | writes_any, Who::own_start));  // the last one may still write anywhere
}

TEST(StageUses, AStageThatEndsInItsOwnShareLeavesOnlyThatPending) {
  Pending pending;
  EXPECT_FALSE(pending.add(writes_own | writes_any, Who::own_ends));
  EXPECT_FALSE(pending.add(writes_own, Who::all));
  EXPECT_FALSE(pending.add(writes_own | writes_any, Who::own_ends));
  EXPECT_TRUE(pending.add(writes_own | writes_any, Who::own_end));  // starts beside its share
  EXPECT_FALSE(pending.add(reads_own, Who::all));
  EXPECT_TRUE(pending.add(reads_any, Who::all));
}

TEST(StageUses, NothingIsPendingBehindABarrier) {
  Pending pending;
  EXPECT_FALSE(pending.add(writes_any, Who::all));
  pending.barrier();
  EXPECT_FALSE(pending.add(writes_any, Who::all));
  EXPECT_TRUE(pending.add(writes_any, Who::all));
}

}}  // namespace limber
