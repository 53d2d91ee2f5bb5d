// Real time, slow motion, and the hand-over between threads.
#include <gtest/gtest.h>

#include <thread>

#include "app/lab/latest.hpp"
#include "app/lab/pace.hpp"
#include "app/lab/snapshot_ring.hpp"

namespace limber::pace_test {
namespace {

constexpr double frame_time = 1.0 / 60.0;

TEST(Pace, KeepsRealTimeWhenStepsAreCheap) {
  Pace pace;
  pace.start(frame_time);
  int frames = 0;
  for (int tick = 0; tick < 4000; ++tick) {  // four seconds in milliseconds
    pace.pass(1e-3, frame_time);
    if (pace.due(frame_time)) {
      pace.stepped(frame_time);
      ++frames;
    }
  }
  EXPECT_NEAR(frames, 240, 2);
  EXPECT_NEAR(pace.factor(), 1.0, 2 * frame_time / 0.5);  // two frames at the edges of the half second
}

/// While a video waits for its pictures: the time counts, and is not made up for.
TEST(Pace, TimeOfWaitingIsSlowMotion) {
  Pace pace;
  pace.start(frame_time);
  int frames = 0;
  for (int i = 0; i < 20; ++i) {
    pace.pass(frame_time, frame_time);
    if (pace.due(frame_time)) pace.stepped(frame_time), ++frames;
    pace.wait(0.25);
  }
  EXPECT_LE(frames, 20);
  EXPECT_NEAR(pace.factor(), frame_time / (0.25 + frame_time), 0.02);
}

TEST(Pace, AdmitsSlowMotionAndOwesNothingAfterIt) {
  Pace pace;
  pace.start(frame_time);
  for (int step = 0; step < 20; ++step) {  // every step takes 200 ms
    ASSERT_TRUE(pace.due(frame_time));
    pace.stepped(frame_time);
    pace.pass(0.2, frame_time);
  }
  EXPECT_NEAR(pace.factor(), frame_time / 0.2, 0.02);
  int burst = 0;
  for (; pace.due(frame_time) && burst < 100; ++burst) pace.stepped(frame_time);
  EXPECT_LE(burst, 2);
}

TEST(SnapshotRing, IsBoundedAndGivesTheNewestBack) {
  SnapshotRing ring;
  std::size_t bytes = std::size_t(64) << 20;  // four of these fit
  int made = 0;
  const auto push = [&](int value) {
    ring.push(
        [&](SnapshotRing::Snapshot unused) -> SnapshotRing::Snapshot {
          if (unused.use_count() != 1) return ++made, std::make_shared<int>(value);
          *static_cast<int*>(const_cast<void*>(unused.get())) = value;
          return unused;
        },
        [&](const SnapshotRing::Snapshot&) { return bytes; });
  };
  for (int i = 0; i < 10; ++i) push(i);
  EXPECT_EQ(ring.size(), 4u);
  EXPECT_EQ(made, 4);  // the storage of those that went serves those that come
  EXPECT_EQ(*static_cast<const int*>(ring.pop().get()), 9);
  EXPECT_EQ(*static_cast<const int*>(ring.pop().get()), 8);
  push(10);
  EXPECT_EQ(ring.size(), 3u);
  EXPECT_EQ(*static_cast<const int*>(ring.pop().get()), 10);
  EXPECT_EQ(*static_cast<const int*>(ring.pop().get()), 7);
  EXPECT_EQ(*static_cast<const int*>(ring.pop().get()), 6);
  EXPECT_EQ(ring.pop(), nullptr);  // 5 and what was before are gone
  EXPECT_EQ(made, 4);
  push(11);
  ring.clear();
  EXPECT_EQ(ring.pop(), nullptr);
  for (int i = 0; i < 4; ++i) push(i);
  bytes = std::size_t(130) << 20;  // they grow while the scene runs
  push(4);
  EXPECT_LE(ring.bytes(), SnapshotRing::byte_budget);
  push(5);
  EXPECT_EQ(ring.size(), 2u);  // never fewer
}

TEST(Latest, TheReaderSeesWholeValuesAndNeverAnOlderOne) {
  struct Pair {
    int a = 0, b = 0;
  };
  Latest<Pair> latest;
  constexpr int last_frame = 20000;
  std::thread writer([&] {
    for (int i = 1; i <= last_frame; ++i) {
      latest.back().a = i;
      latest.back().b = -i;
      latest.publish();
    }
  });
  int seen = 0, torn = 0, older = 0;
  while (seen < last_frame) {
    const Pair now = latest.front();
    torn += now.a != -now.b;
    older += now.a < seen;
    seen = now.a;
  }
  writer.join();
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(older, 0);
}

}  // namespace
}  // namespace limber::pace_test
