#include "engine/parallel/pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

namespace limber::pool_test {
namespace {

TEST(Team, SharesCoverEverythingOnceAtBlockBoundaries) {
  Barrier barrier(1, 0);
  for (int size : {1, 2, 3, 8}) {
    for (std::int64_t count : {0, 1, 255, 256, 1000, 4096}) {
      std::int64_t next = 0;
      for (int rank = 0; rank < size; ++rank) {
        const Share share = Team(rank, size, barrier).share(count, 256);
        EXPECT_EQ(share.begin, next);
        EXPECT_TRUE(share.begin % 256 == 0 || share.begin == count);
        next = share.end;
      }
      EXPECT_EQ(next, count);
    }
  }
}

// Every phase reads what all threads wrote in the phase before: fails if the barrier lets one through early.
TEST(Pool, BarrierSeparatesPhases) {
  for (int threads : {1, 2, 3, 8}) {
    Pool pool(threads);
    std::vector<int> value(std::size_t(threads), 0);
    std::vector<int> wrong(std::size_t(threads), 0);
    for (int job = 0; job < 20; ++job) {
      std::fill(value.begin(), value.end(), 0);
      pool.run([&](Team& team) {
        for (int phase = 1; phase <= 50; ++phase) {
          value[std::size_t(team.rank())] += 1;
          team.barrier();
          if (std::accumulate(value.begin(), value.end(), 0) != phase * team.size())
            ++wrong[std::size_t(team.rank())];
          team.barrier();
        }
      });
    }
    EXPECT_EQ(std::accumulate(wrong.begin(), wrong.end(), 0), 0) << threads;
  }
}

/// The size chosen after `runs` runs, of which one with n threads takes `seconds(n)`.
template <class Seconds>
int chosen_after(TeamSize& size, int runs, Seconds&& seconds) {
  for (int i = 0; i < runs; ++i) size.took(seconds(size.next()));
  return size.chosen();
}

TEST(TeamSize, IsTheSmallestThatIsNearlyAsFast) {
  const auto divided = [](int n) { return 1.0 / n; };
  const auto saturated = [](int n) { return n < 4 ? 1.0 / n : 0.25; };
  const auto slower = [](int n) { return 1.0 + 0.4 * (n - 1); };
  const auto hardly = [](int n) { return 1.0 - 0.005 * n; };
  for (const int most : {1, 2, 3, 8, 16}) {
    TeamSize all(most), some(most), one(most), none(most);
    EXPECT_EQ(chosen_after(all, 500, divided), most);
    EXPECT_EQ(chosen_after(some, 500, saturated), std::min(most, 4)) << most;
    EXPECT_EQ(chosen_after(one, 500, slower), 1) << most;
    EXPECT_EQ(chosen_after(none, 500, hardly), 1) << most;
  }
}

TEST(TeamSize, FollowsWhatChanges) {
  TeamSize size(8);
  const auto quiet = [](int n) { return 1.0 / n; };
  const auto busy = [](int n) { return n == 1 ? 1.0 : 20.0; };
  ASSERT_EQ(chosen_after(size, 2000, quiet), 8);
  EXPECT_EQ(chosen_after(size, 20, busy), 1) << "within a third of a second";
  EXPECT_EQ(chosen_after(size, 1500, quiet), 8);
}

TEST(TeamSize, HiccupsOfSomeRunsChangeNothing) {
  TeamSize size(4);
  int i = 0;
  const auto noisy = [&](int n) { return (++i % 7 == 0 ? 10.0 : 1.0) / n; };
  for (int run = 0; run < 3000; ++run) {
    size.took(noisy(size.next()));
    EXPECT_EQ(size.chosen(), 4) << run;
  }
}

TEST(TeamSize, ComparesRarelyWhereNothingChanges) {
  TeamSize size(2);
  int compared = 0;
  for (int run = 0; run < 5000; ++run) {
    compared += size.next() != 2;
    size.took(1.0 / size.next());
  }
  EXPECT_LT(compared, 60);
  EXPECT_GT(compared, 20);
}

/// Another program on the core of the second thread: it comes late to every barrier.
TEST(Pool, WorksAloneWhileOthersKeepItsThreadsWaiting) {
  const auto run = [](Pool& pool) {
    int team_size = 0;
    pool.run([&](Team& team) {
      if (team.rank() == 0) team_size = team.size();
      if (team.rank() == 1) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      team.barrier();
    });
    return team_size;
  };
  Pool always(2), sharing(2, Sharing::while_it_pays);
  EXPECT_EQ(run(sharing), 2);
  for (int k = 0; k < 30; ++k) run(sharing);
  EXPECT_EQ(sharing.at_work(), 1);
  EXPECT_EQ(run(sharing), 1);
  EXPECT_EQ(sharing.size(), 2);
  for (int k = 0; k < 30; ++k) EXPECT_EQ(run(always), 2);
}

// A worker that is left out of a run must not see the next one's work before it is its turn.
TEST(Pool, RunsOfAllSizesFollowEachOther) {
  Pool pool(4, Sharing::while_it_pays);
  std::vector<int> seen(4);
  for (int job = 0; job < 3000; ++job) {
    std::fill(seen.begin(), seen.end(), 0);
    int size = 0;
    pool.run([&](Team& team) {
      seen[std::size_t(team.rank())] += 1;
      team.barrier();
      if (team.rank() == 0) size = team.size();
    });
    EXPECT_EQ(std::accumulate(seen.begin(), seen.end(), 0), size);
  }
}

}  // namespace
}  // namespace limber::pool_test
