#include "engine/parallel/pool.hpp"

#include <algorithm>
#include <chrono>

#if defined(__linux__)
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif
#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace limber {
namespace {

inline void pause_processor() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

constexpr int fewest_spins = 64;  // pauses of the processor, about a microsecond

using Clock = std::chrono::steady_clock;

/// Asks the scheduler for the shortest time slices (0.1 ms) for this thread, if it supports this (Linux 6.12
/// and later). The thread gets no more time, but when others wait for it and it wakes, it runs at once and
/// not after another program's slice of 3 ms. With hundreds of barriers in a step this matters.
void ask_for_short_slices() {
#if defined(__linux__) && defined(SYS_sched_setattr)
  struct {
    std::uint32_t size, policy;
    std::uint64_t flags;
    std::int32_t nice;
    std::uint32_t priority;
    std::uint64_t runtime, deadline, period;
  } attributes{};
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return;
  if (attributes.policy != SCHED_OTHER) return;
  attributes.runtime = 100'000;  // ns
  (void)syscall(SYS_sched_setattr, 0, &attributes, 0);
#endif
}

/// Waits until `word` differs from `old`: spins, then sleeps on the futex behind std::atomic::wait. Returns
/// how long it slept.
std::chrono::nanoseconds wait_for_change(const std::atomic<std::uint32_t>& word, std::uint32_t old,
                                         int spins) {
  for (int i = 0; i < spins; ++i) {
    if (word.load(std::memory_order_acquire) != old) return {};
    pause_processor();
  }
  const Clock::time_point start = Clock::now();
  while (word.load(std::memory_order_acquire) == old) word.wait(old, std::memory_order_acquire);
  return Clock::now() - start;
}

}  // namespace

// Adapts the number of spins: a wait that sleeps cuts it to a quarter, short waits raise it again. If other
// threads are late once per step for a good reason, the short waits after that restore the number.
std::chrono::nanoseconds Barrier::wait(int count) {
  const std::uint32_t generation = generation_.load(std::memory_order_relaxed);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == count) {
    arrived_.store(0, std::memory_order_relaxed);
    generation_.store(generation + 1, std::memory_order_release);
    generation_.notify_all();
    return {};
  }
  const int spins = spins_.load(std::memory_order_relaxed);
  const std::chrono::nanoseconds slept = wait_for_change(generation_, generation, spins);
  const int wanted = slept.count() > 0 ? std::max(spins / 4, std::min(fewest_spins, most_spins_))
                                       : std::min(spins + spins / 4, most_spins_);
  if (wanted != spins) spins_.store(wanted, std::memory_order_relaxed);
  return slept;
}

// A pool with more threads than cores does not spin: a spinning thread would keep the core from the thread
// for which it waits.
Workers::Workers(int threads)
    : barrier_(threads <= default_thread_count() ? 4000 : 0), doors_(std::size_t(std::max(threads, 1) - 1)) {
  if (threads > 1) ask_for_short_slices();
  threads_.reserve(doors_.size());
  for (int rank = 1; rank < threads; ++rank) threads_.emplace_back([this, rank] { work(rank); });
}

Workers::~Workers() {
  stopping_ = true;
  open_doors(size());
  for (std::thread& thread : threads_) thread.join();
}

void Workers::open_doors(int threads) {
  for (int rank = 1; rank < threads; ++rank) {
    std::atomic<std::uint32_t>& jobs = doors_[std::size_t(rank - 1)].jobs;
    jobs.fetch_add(1, std::memory_order_release);
    jobs.notify_one();
  }
}

std::chrono::nanoseconds Workers::run(int threads, Function function, void* object) {
  function_ = function;
  object_ = object;
  running_ = threads;
  open_doors(threads);
  Team team(0, threads, barrier_);
  function(object, team);
  team.barrier();
  return team.slept();
}

void Workers::work(int rank) {
  ask_for_short_slices();
  std::uint32_t seen = 0;
  for (;;) {
    wait_for_change(doors_[std::size_t(rank - 1)].jobs, seen, 2000);
    ++seen;
    if (stopping_) return;
    Team team(rank, running_, barrier_);
    function_(object_, team);
    team.barrier();
  }
}

int Pool::at_work() const {
  if (sharing_ == Sharing::always) return size();
  return sharing_ == Sharing::while_it_pays ? team_size_.chosen() : starvation_.size();
}

void Pool::run_erased(Workers::Function function, void* object) {
  if (sharing_ == Sharing::always) return (void)workers_->run(size(), function, object);
  const auto seconds = [](std::chrono::nanoseconds time) {
    return std::chrono::duration<double>(time).count();
  };
  const int threads = sharing_ == Sharing::while_it_pays ? team_size_.next() : starvation_.size();
  const Clock::time_point start = Clock::now();
  const std::chrono::nanoseconds slept = workers_->run(threads, function, object),
                                 took = Clock::now() - start;
  if (sharing_ == Sharing::while_it_pays)
    team_size_.took(seconds(took));
  else
    starvation_.took(seconds(took), seconds(slept));
}

int default_thread_count() {
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
#endif
  return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace limber
