#include "engine/parallel/pool.hpp"

#include <gtest/gtest.h>

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

/// Another program on the core of the second thread: it comes late to every barrier.
TEST(Pool, WorksAloneWhileOthersKeepItsThreadsWaiting) {
  const auto run = [](Pool& pool, bool late) {
    int team_size = 0;
    pool.run([&](Team& team) {
      if (team.rank() == 0) team_size = team.size();
      if (team.rank() == 1 && late) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      team.barrier();
    });
    return team_size;
  };
  Pool always(2), sharing(2, Sharing::while_it_pays);
  EXPECT_EQ(run(sharing, true), 2);
  for (int k = 0; k < 8; ++k) EXPECT_EQ(run(sharing, true), 1) << k;
  EXPECT_EQ(run(sharing, true), 2) << "now and then it tries again";
  EXPECT_EQ(run(sharing, true), 1);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(run(always, true), 2);
}

}  // namespace
}  // namespace limber::pool_test
