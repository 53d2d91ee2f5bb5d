// The one threading facade: a persistent pool, one dispatch per step, barriers between phases.
//
//   pool.run([&](Team& team) {            every thread runs the same function (SPMD)
//     ... own share of the work ...       static contiguous shares: same memory, same thread, every time
//     team.barrier();                     spins briefly, then sleeps: cheap alone, polite under load
//     ... next phase ...
//   });
//
// Results must not depend on the number of threads: shares are cut at fixed block boundaries and reductions
// go through per-block partial results that are added in block order.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/parallel/starvation.hpp"
#include "engine/parallel/team_size.hpp"

namespace limber {

/// A reusable barrier for the threads of a team. Measured at 265 ns for two threads; a barrier that only
/// spins collapses 100-fold when another program wants a core.
///
/// Waiting threads spin, then sleep on a futex. The number of spins adapts: a wait that ends in sleep divides
/// it by four, any other wait lets it grow again, up to `most_spins` pauses (4000 are about 40 us). If other
/// threads are kept from their cores, spinning only uses time that the scheduler would have given to them.
class Barrier {
 public:
  explicit Barrier(int most_spins) : most_spins_(most_spins), spins_(most_spins) {}
  /// Waits for a team of `count` threads. Returns how long the thread slept.
  std::chrono::nanoseconds wait(int count);

  int spins() const { return spins_.load(std::memory_order_relaxed); }

 private:
  const int most_spins_;
  alignas(64) std::atomic<int> spins_;
  alignas(64) std::atomic<int> arrived_{0};
  alignas(64) std::atomic<std::uint32_t> generation_{0};
};

/// Half-open range of items.
struct Share {
  std::int64_t begin, end;
};

/// A thread of a running pool: its rank, the size of the team, and the barrier.
class Team {
 public:
  Team(int rank, int size, Barrier& barrier) : rank_(rank), size_(size), barrier_(barrier) {}

  int rank() const { return rank_; }
  int size() const { return size_; }
  void barrier() {
    if (size_ > 1) slept_ += barrier_.wait(size_);
  }
  /// Time that this thread has slept at barriers so far
  std::chrono::nanoseconds slept() const { return slept_; }

  /// The thread's contiguous part of `count` items, cut only at multiples of `block`.
  Share share(std::int64_t count, std::int64_t block = 1) const {
    const std::int64_t blocks = (count + block - 1) / block;
    const std::int64_t begin = blocks * rank_ / size_ * block, end = blocks * (rank_ + 1) / size_ * block;
    return {begin < count ? begin : count, end < count ? end : count};
  }

 private:
  int rank_, size_;
  Barrier& barrier_;
  std::chrono::nanoseconds slept_{0};
};

/// Gives `lists` one list for each thread of the team. Lists of threads that do not take part are emptied,
/// not removed: they keep their storage for the next larger team.
template <class List>
void list_per_thread(std::vector<List>& lists, const Team& team) {
  if (lists.size() < std::size_t(team.size())) lists.resize(std::size_t(team.size()));
  for (std::size_t k = std::size_t(team.size()); k < lists.size(); ++k) lists[k].clear();
}

/// Threads of a pool that take part in a run.
enum class Sharing {
  always,          ///< all
  unless_starved,  ///< all; the caller alone while other programs use the pool's cores (Starvation)
  while_it_pays,   ///< the number that timing finds best (TeamSize)
};

/// Persistent worker threads that wait for jobs. Several pools may share them; one job at a time.
class Workers {
 public:
  explicit Workers(int threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int size() const { return int(doors_.size()) + 1; }  ///< the caller of run() included, which is rank 0

  using Function = void (*)(void* object, Team& team);
  /// Calls `function` on `threads` of the workers. Returns how long the caller slept at barriers.
  std::chrono::nanoseconds run(int threads, Function function, void* object);

 private:
  /// Counter on which a worker waits. Each has its own, so that a run does not wake workers that take no
  /// part.
  struct alignas(64) Door {
    std::atomic<std::uint32_t> jobs{0};  ///< jobs given to the worker so far
  };
  void work(int rank);
  void open_doors(int threads);

  Barrier barrier_;  // shared by the phases of a job and by its end
  Function function_ = nullptr;
  void* object_ = nullptr;
  int running_ = 1;  ///< threads of the present job
  bool stopping_ = false;
  std::vector<Door> doors_;
  std::vector<std::thread> threads_;
};

/// Runs one kind of work on shared workers. One run at a time, from one thread.
///
/// Fewer threads can be faster for a step of many short phases. On a core that another program uses, a thread
/// arrives milliseconds late at each barrier, and a step of hundreds of barriers takes longer than alone.
/// Unless Sharing::always, runs are timed. Results do not depend on the number of threads, only the speed
/// does.
class Pool {
 public:
  explicit Pool(int threads, Sharing sharing = Sharing::always)
      : Pool(std::make_shared<Workers>(threads), sharing) {}
  explicit Pool(std::shared_ptr<Workers> workers, Sharing sharing = Sharing::always)
      : workers_(std::move(workers)),
        sharing_(sharing),
        team_size_(workers_->size()),
        starvation_(workers_->size()) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  int size() const { return workers_->size(); }
  const std::shared_ptr<Workers>& workers() const { return workers_; }
  int at_work() const;  ///< threads that take part in the next run
  /// To be called when the work has changed: the best number of threads is searched again (TeamSize).
  void measure_again() { team_size_.measure_again(); }

  /// Runs `body(Team&)` on every thread and returns when all are done. `body` must not throw.
  template <class Body>
  void run(Body&& body) {
    run_erased([](void* object, Team& team) { (*static_cast<std::remove_reference_t<Body>*>(object))(team); },
               &body);
  }

 private:
  void run_erased(Workers::Function function, void* object);

  const std::shared_ptr<Workers> workers_;
  const Sharing sharing_;
  TeamSize team_size_;
  Starvation starvation_;
};

/// Default number of threads: one per core that this process may run on.
int default_thread_count();

}  // namespace limber
