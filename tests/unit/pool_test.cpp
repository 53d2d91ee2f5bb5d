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
  Barrier barrier(0);
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

// Every phase reads the values that all threads wrote in the phase before. Fails if the barrier lets a thread
// through early.
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

/// Beside busy programs a larger team can be 60 times slower: trying it now and then has to stay cheap.
TEST(TeamSize, SpendsLittleOnTrialsOfWhatIsFarSlower) {
  TeamSize size(2);
  double total = 0.0;
  const auto run = [&](int runs) {
    for (int i = 0; i < runs; ++i) {
      const double ms = size.next() == 1 ? 1.0 : 60.0;
      total += ms;
      size.took(ms);
    }
    return total;
  };
  EXPECT_LT(run(300), 2.0 * 300) << "it begins with two, not knowing better";
  EXPECT_LT(run(20000), 1.06 * 20300);
}

TEST(TeamSize, IsNotMisledByRunsThatBecomeDearer) {
  TeamSize size(2);
  double load = 1.0;
  EXPECT_EQ(chosen_after(size, 500, [&](int n) { return (load *= 1.005) * (n == 2 ? 0.7 : 1.0); }), 2);
}

TEST(TeamSize, MeasuresAgainWhenTheWorkHasChanged) {
  TeamSize size(2);
  ASSERT_EQ(chosen_after(size, 4000, [](int n) { return n == 2 ? 0.79 : 0.7; }), 1);
  const auto changed = [](int n) { return n == 2 ? 0.5 : 0.9; };  // the times alone do not tell
  TeamSize untold = size;
  EXPECT_EQ(chosen_after(untold, 30, changed), 1);
  size.measure_again();
  EXPECT_EQ(chosen_after(size, 30, changed), 2);
}

/// An explicit request for two threads is obeyed, even if one thread would be faster.
TEST(Starvation, ObeysAnExplicitNumberThatIsMerelySlow) {
  Starvation two(2);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(two.size(), 2);
    two.took(0.060, 0.020);
  }
}

TEST(Starvation, WorksAloneWhileOthersHoldItsCores) {
  Starvation two(2);
  double total = 0.0;
  int together = 0;
  for (int i = 0; i < 300; ++i) {
    const bool alone = two.size() == 1;
    together += !alone;
    total += alone ? 1.0 : 60.0;
    alone ? two.took(0.001, 0.0) : two.took(0.060, 0.059);
  }
  EXPECT_LT(total, 3.0 * 300) << "against 60 * 300";
  EXPECT_GE(together, 4) << "now and then it tries again";
  while (two.size() == 1) two.took(0.001, 0.0);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(two.size(), 2) << "the cores are free again";
    two.took(0.0006, 0.0001);
  }
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
  Pool always(2), sharing(2, Sharing::while_it_pays), asked_for(2, Sharing::unless_starved);
  EXPECT_EQ(run(sharing), 2);
  for (int k = 0; k < 30; ++k) run(sharing);
  EXPECT_EQ(sharing.at_work(), 1);
  EXPECT_EQ(run(sharing), 1);
  EXPECT_EQ(sharing.size(), 2);
  for (int k = 0; k < 30; ++k) EXPECT_EQ(run(always), 2);
  int together = 0;  // once; once more where others keep the first thread from its core just then
  while (together < 4 && run(asked_for) == 2) ++together;
  EXPECT_GE(together, 1);
  EXPECT_LE(together, 3);
  for (int k = 1; k < Starvation::fewest; ++k) EXPECT_EQ(run(asked_for), 1) << k;
  EXPECT_EQ(run(asked_for), 2) << "now and then it tries again";
}

/// A list per thread keeps its storage when a smaller team takes its turn, and is empty then.
TEST(Pool, ListsOfThreadsThatAreLeftOutAreEmptyAndKept) {
  Barrier barrier(0);
  std::vector<std::vector<int>> lists;
  list_per_thread(lists, Team(0, 3, barrier));
  ASSERT_EQ(lists.size(), 3u);
  lists[2].assign(100, 1);
  const int* const storage = lists[2].data();
  list_per_thread(lists, Team(0, 1, barrier));
  EXPECT_TRUE(lists[2].empty());
  list_per_thread(lists, Team(0, 3, barrier));
  lists[2].assign(100, 1);
  EXPECT_EQ(lists[2].data(), storage);
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

/// Spinning before a sleep is useless.
TEST(Barrier, SpinsLessWhereItSlept) {
  Barrier barrier(4000);
  const auto meet = [&](std::chrono::milliseconds late) {
    std::thread other([&] {
      std::this_thread::sleep_for(late);
      (void)barrier.wait(2);
    });
    (void)barrier.wait(2);
    other.join();
  };
  for (int k = 0; k < 5; ++k) meet(std::chrono::milliseconds(5));
  EXPECT_LE(barrier.spins(), 64);
}

}  // namespace
}  // namespace limber::pool_test
